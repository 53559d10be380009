// What the system gives and Dispatch does not: a lock, a thread-local, the clocks, the number of cores, one line to standard error.

import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// State behind a lock.
///
/// On Linux, and wherever `WORKQUEUES_PTHREAD_LOCK` is defined, the lock is a pthread mutex; elsewhere it is a `Mutex`. Linux's `Mutex`
/// hands ownership over in the kernel (a priority-inheriting futex): under contention each hand-over is a switch of threads, and a
/// queue with more workers than cores ran half as fast with it. The thread sanitizer knows the pthread mutex, and takes what a `Mutex`
/// guards for a data race.
package struct Locked<State: Sendable & ~Copyable>: ~Copyable, @unchecked Sendable {
    #if os(Linux) || os(Android) || WORKQUEUES_PTHREAD_LOCK
    // The pointer is owned by this value and freed with it; `state` is only touched while `mutex` is held.
    private let storage: UnsafeMutablePointer<Storage>

    private struct Storage: ~Copyable {
        var mutex = pthread_mutex_t()
        var state: State
    }

    package init(_ initial: consuming State) {
        // `allocate` would take the allocator's way for unusual alignments, which is twice as long.
        precondition(MemoryLayout<Storage>.alignment <= 16)
        guard let memory = malloc(MemoryLayout<Storage>.size) else { preconditionFailure("There is no memory left for a lock.") }
        storage = memory.bindMemory(to: Storage.self, capacity: 1)
        storage.initialize(to: Storage(state: initial))
        pthread_mutex_init(&storage.pointee.mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(&storage.pointee.mutex)
        storage.deinitialize(count: 1)
        free(storage)
    }

    @inline(__always)
    package func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        if pthread_mutex_trylock(&storage.pointee.mutex) != 0 { lockPatiently() }
        defer { pthread_mutex_unlock(&storage.pointee.mutex) }
        return try body(&storage.pointee.state)
    }

    /// Takes a lock that another thread holds: rests, looks again, rests four times as long, and sleeps after 50 microseconds.
    ///
    /// A critical section is far shorter than putting a thread to sleep and waking it. But each look takes the cache line of the lock
    /// away from its holder, who needs it several times in a microsecond when jobs are short: two workers that looked again at once
    /// took twice as long over a job as one worker alone. (On back-off between looks see T. Anderson, "The Performance of Spin Lock
    /// Alternatives for Shared-Memory Multiprocessors", 1990.)
    @inline(never)
    private func lockPatiently() {
        var rest: UInt64 = 250
        for _ in 0..<9 {
            let end = Platform.monotonicNanoseconds() + rest
            while Platform.monotonicNanoseconds() < end {}
            if pthread_mutex_trylock(&storage.pointee.mutex) == 0 { return }
            rest = min(4 * rest, 8_000)
        }
        pthread_mutex_lock(&storage.pointee.mutex)
    }

    /// As `withLock`, unless another thread holds the lock; then nothing is done.
    @inline(__always)
    func withLockIfFree(_ body: (inout State) -> Void) {
        guard pthread_mutex_trylock(&storage.pointee.mutex) == 0 else { return }
        defer { pthread_mutex_unlock(&storage.pointee.mutex) }
        body(&storage.pointee.state)
    }
    #else
    private let mutex: Mutex<State>

    package init(_ initial: consuming sending State) { mutex = Mutex(initial) }

    @inline(__always)
    package func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        // The state is Sendable, so what leaves the lock may leave it; the compiler cannot see that of a result of any type.
        try mutex.withLock { (state) throws(Failure) in UncheckedResult(value: try body(&state)) }.value
    }

    /// As `withLock`, unless another thread holds the lock; then nothing is done.
    @inline(__always)
    func withLockIfFree(_ body: (inout State) -> Void) { _ = mutex.withLockIfAvailable { body(&$0) } }
    #endif
}

#if !(os(Linux) || os(Android) || WORKQUEUES_PTHREAD_LOCK)
/// Carries a result out of a lock.
struct UncheckedResult<Value>: @unchecked Sendable {
    let value: Value
}
#endif

/// A class instance per thread, made when first asked for and freed with the thread.
struct ThreadLocal<Value: AnyObject>: @unchecked Sendable {
    // A key is an integer that is written once, in `init`.
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { pointer in
            #if canImport(Darwin)
            Unmanaged<AnyObject>.fromOpaque(pointer).release()
            #else
            if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
            #endif
        }
        precondition(status == 0, "The system has no thread-local key left; WorkQueues needs one for the life of the process.")
        self.key = key
    }

    @inline(__always)
    var value: Value? { unmanaged?.takeUnretainedValue() }

    /// The instance, which lives as long as the thread.
    @inline(__always)
    var unmanaged: Unmanaged<Value>? { pthread_getspecific(key).map { Unmanaged.fromOpaque($0) } }

    func value(orMake make: () -> Value) -> Value {
        if let value { return value }
        let made = make()
        pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
        return made
    }
}

package enum Platform {
    /// The value of an environment variable; nil if it is not set.
    package static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Nanoseconds of a clock that never goes back and goes on while the machine sleeps, as `ContinuousClock` does.
    static func monotonicNanoseconds() -> UInt64 {
        #if canImport(Darwin)
        return nanoseconds(CLOCK_MONOTONIC_RAW)
        #else
        return nanoseconds(CLOCK_BOOTTIME)
        #endif
    }

    /// Nanoseconds of a clock that never goes back, stands still while the machine sleeps, and costs little to read: it moves once per
    /// tick of the system, every 10 ms at most.
    @inline(__always)
    static func coarseNanoseconds() -> UInt64 {
        #if canImport(Darwin)
        return clock_gettime_nsec_np(CLOCK_UPTIME_RAW_APPROX)
        #else
        return nanoseconds(CLOCK_MONOTONIC_COARSE)
        #endif
    }

    /// Nanoseconds of processor time that all threads of the process have used.
    static func processCPUNanoseconds() -> UInt64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

    @inline(__always)
    private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// The cores that this process may use: what affinity and the control group's quota leave, at least one.
    static let availableCores: Int = {
        #if os(Linux) || os(Android)
        var set = cpu_set_t()
        var cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        if let getAffinity, getAffinity(0, MemoryLayout<cpu_set_t>.size, &set) == 0 {
            cores = withUnsafeBytes(of: set) { bytes in bytes.reduce(0) { $0 + $1.nonzeroBitCount } }
        }
        return max(1, min(cores, cpuQuota() ?? cores))
        #else
        return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        #endif
    }()

    #if os(Linux) || os(Android)
    private typealias GetAffinity = @convention(c) (pid_t, Int, UnsafeMutablePointer<cpu_set_t>) -> CInt

    /// `sched_getaffinity`, which the C library has but its Swift module does not show.
    private static let getAffinity: GetAffinity? = dlsym(nil, "sched_getaffinity").map { unsafeBitCast($0, to: GetAffinity.self) }

    /// Whole cores that the control group's CPU quota is worth, rounded up; nil without a quota. Both versions of the file are read
    /// as cgroups(7) describes them.
    private static func cpuQuota() -> Int? {
        if let line = firstLine(of: "/sys/fs/cgroup/cpu.max") {
            let parts = line.split(separator: " ")
            if parts.count == 2, let quota = Int(parts[0]), let period = Int(parts[1]), quota > 0, period > 0 {
                return (quota + period - 1) / period
            }
            return nil
        }
        guard let quota = firstLine(of: "/sys/fs/cgroup/cpu/cpu.cfs_quota_us").flatMap({ Int($0) }), quota > 0,
            let period = firstLine(of: "/sys/fs/cgroup/cpu/cpu.cfs_period_us").flatMap({ Int($0) }), period > 0
        else { return nil }
        return (quota + period - 1) / period
    }

    private static func firstLine(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 128)
        guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
        let bytes = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
    #endif

    /// Writes one line to standard error in one call, so that lines of several threads do not mix.
    static func writeToStandardError(_ line: String) {
        var text = line + "\n"
        text.withUTF8 { bytes in
            var offset = 0
            while offset < bytes.count {
                let written = write(STDERR_FILENO, bytes.baseAddress! + offset, bytes.count - offset)
                if written <= 0 { return }
                offset += written
            }
        }
    }

    /// Whether the calling thread is the process's first one.
    static var isMainThread: Bool {
        #if canImport(Darwin)
        return pthread_main_np() != 0
        #else
        guard let threadID else { return false }
        return threadID() == getpid()
        #endif
    }

    #if !canImport(Darwin)
    private typealias ThreadID = @convention(c) () -> pid_t

    /// `gettid`, which the C library has but its Swift module does not show.
    private static let threadID: ThreadID? = dlsym(nil, "gettid").map { unsafeBitCast($0, to: ThreadID.self) }
    #endif
}
