// The clocks, and what spends time on purpose.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

enum Clock {
    /// The monotonic clock, in nanoseconds; read as cheaply as it can be.
    static var now: UInt64 { read(CLOCK_MONOTONIC) }
    /// Processor time of the calling thread, in nanoseconds.
    static var threadTime: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }
    /// Processor time of the whole process, in nanoseconds.
    static var processTime: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    @inline(__always)
    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// How long `body` took, in nanoseconds. What it still holds at its end is freed within that time.
func timed(_ body: () throws -> Void) rethrows -> Double {
    let begin = Clock.now
    try body()
    return Double(Clock.now - begin)
}

/// Blocks the calling thread.
func pause(milliseconds: Double) {
    let nanoseconds = Int(milliseconds * 1e6)
    var rest = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    // A signal cuts it short, and then it says how much is left.
    withUnsafeMutablePointer(to: &rest) { while nanosleep($0, $0) != 0 {} }
}

/// Keeps the calling thread's processor busy until it has used that much of its time.
func burn(milliseconds: Double) {
    let end = Clock.threadTime + UInt64(milliseconds * 1_000_000)
    while Clock.threadTime < end {}
}
