// A job that produces a value.

import SchedulingCore

/// A job whose work returns a value or throws.
///
/// Make one from a closure, let `WorkQueue.addJob` make one, or override `run()`. The value is there for everybody once the job has
/// ended: `value` waits for it, `result` looks, and a dependent added with `addJob(after:)` is handed it.
///
/// ```swift
/// let sum = ResultJob { 5 + 10 }
/// try queue.addJob(sum)
/// print(try await sum.value)
/// ```
open class ResultJob<Success: Sendable>: Job, @unchecked Sendable {
    // Unchecked for two variables that change hands with the job. `body` belongs to whoever makes the job, then to the worker that runs
    // or ends it. `slot` is written by the work before the state word says finished, and read only after it says succeeded.
    //
    // With all that is in a job, this is 120 bytes: the largest object that glibc's allocator hands from thread to thread without a lock.

    fileprivate final var hasValue = false
    /// The closure. An asynchronous one is kept here as well, and read as what it is: all closures are two words alike.
    private final var body: (@Sendable () throws -> Success)?
    fileprivate final var slot = ValueSlot()

    /// Makes a job for a subclass that overrides `run()`.
    public override init() {
        body = nil
        super.init()
    }

    /// Makes a job from a closure, which runs on a worker.
    public init(name: String? = nil, priority: QueuePriority = .normal, _ body: @escaping @Sendable () throws -> Success) {
        self.body = body
        super.init()
        // Most have neither, and are spared a counted reference to themselves.
        if name != nil || priority != .normal { prepare(name, priority) }
    }

    /// Makes a job that nobody can have subclassed, of a closure that runs on a worker.
    @usableFromInline
    init(bareClosure body: @escaping @Sendable () throws -> Success) {
        self.body = body
        super.init()
        becomeBareClosure()
    }

    /// Makes a job from an asynchronous closure, which runs on the workers of the job's queue and holds a slot until it has returned.
    public init(name: String? = nil, priority: QueuePriority = .normal, _ body: @escaping @Sendable () async throws -> Success) {
        self.body = unsafeBitCast(body, to: (@Sendable () throws -> Success).self)
        super.init()
        becomeAsynchronous()
        // Most have neither, and are spared a counted reference to themselves.
        if name != nil || priority != .normal { prepare(name, priority) }
    }

    deinit {
        if hasValue { slot.destroy(Success.self) }
        if let body { ReleaseList.release(body) }
    }

    @usableFromInline
    final func prepare(_ name: String?, _ priority: QueuePriority) {
        if let name { self.name = name }
        if priority != .normal { queuePriority = priority }
    }

    /// The work. The base implementation runs the closure the job was made from.
    open func run() throws -> Success {
        guard let body, !isBodyAsynchronous else { throw JobError.missingValue(self) }
        return try body()
    }

    override func runClosure() {
        guard let body else { return }
        do {
            let value = try body()
            // Nothing is kept of a value without size, which is what most closures return.
            if MemoryLayout<Success>.size == 0 { hasValue = true } else { store(value) }
        } catch { fail(with: error) }
    }

    /// Keeps what `run()` returned or threw.
    public final override func main() {
        do { store(try run()) } catch { fail(with: error) }
    }

    open override func start() {
        if body != nil && !isBodyAsynchronous { return super.start() }
        guard let work = asynchronousWork else { return super.start() }
        if mayBeginAsynchronousWork() { launch(work) }
    }

    open override var isAsynchronous: Bool { asynchronousWork != nil }

    /// The work, if it is asynchronous.
    var asynchronousWork: (@Sendable () async throws -> Success)? {
        guard isBodyAsynchronous, let body else { return nil }
        return unsafeBitCast(body, to: (@Sendable () async throws -> Success).self)
    }

    /// Runs the work as a task on the queue's workers, the first segment of it right here; by hand, wherever tasks run.
    private func launch(_ work: @escaping @Sendable () async throws -> Success) {
        let engine = jobState.isQueued ? engine?.takeUnretainedValue() : nil
        let context = engine == nil ? nil : ThreadContext.current.flatMap { $0.mayRunFirstSegment ? $0 : nil }
        // The body may not look before a cancel of the job reaches its task; here it begins when it is tied.
        let isTied = context == nil ? Signal() : nil
        let begin = {
            let task = Task(executorPreference: engine) {
                if let isTied { _ = await isTied.suspend() }
                // A closure that returns a type which is known here: withValue is made for that one.
                let error = await AsyncBody.$current.withValue(AsyncBody(job: self)) { () async -> (any Error)? in
                    do { self.store(try await work()) } catch { return error }
                    return nil
                }
                self.end(error: error, asLastOfTask: true)
            }
            self.tie(task)
        }
        guard let engine, let context else {
            begin()
            isTied?.fire()
            return
        }
        guard let first = context.making(begin) else { return }
        context.runSegment(on: engine) { first.runSynchronously(on: engine.asUnownedTaskExecutor()) }
    }

    package override var runsAsTask: Bool { asynchronousWork != nil }

    override func releaseBody() {
        body = nil
    }

    override func dropValue() {
        if !hasValue { return }
        hasValue = false
        slot.destroy(Success.self)
    }

    /// Keeps the value; called by the work.
    final func store(_ value: Success) {
        dropValue()
        slot = ValueSlot(value)
        hasValue = true
    }
}

extension ResultJob {
    /// What the job returned or threw; nil until it has ended. A cancelled job's is `CancellationError`.
    public final var result: Result<Success, any Error>? {
        switch outcome {
        case .succeeded: hasValue ? .success(slot.value(Success.self)) : .failure(JobError.missingValue(self))
        case .failed(let error): .failure(error)
        case .cancelled: .failure(CancellationError())
        case nil: nil
        }
    }

    /// Waits for the job and returns its value, or throws its error.
    ///
    /// Any number of tasks may wait. If the waiting task is cancelled it gets `CancellationError` at once, and the job goes on. Asked
    /// in the body of another asynchronous job, on its own task, it lends that job's slot meanwhile. Throws `JobError.wouldDeadlock` if
    /// the wait could never end.
    public final var value: Success {
        get async throws {
            if !jobState.isSettled { try await JobWait(for: self).suspend(isCancellable: true) }
            return try knownValue()
        }
    }

    /// Blocks until the job has ended and returns its value, or throws its error; otherwise as `waitUntilFinished()`.
    @available(*, noasync)
    public final func waitForValue() throws -> Success {
        try JobWait(for: self).block()
        return try knownValue()
    }

    /// The value of a job that has ended.
    ///
    /// The way by `result` would be shorter, but its types have to be looked up at run time.
    @usableFromInline
    final func knownValue() throws -> Success {
        let state = jobState
        guard state.isFinished, !state.isFailed, !state.isCancelled, hasValue else { throw reasonForNoValue }
        return slot.value(Success.self)
    }

    private final var reasonForNoValue: any Error {
        switch outcome {
        case .failed(let error): error
        case .cancelled: CancellationError()
        case .succeeded, nil: JobError.missingValue(self)
        }
    }
}

/// A job whose work is asynchronous: override `run()`.
open class AsyncResultJob<Success: Sendable>: ResultJob<Success>, @unchecked Sendable {
    // Unchecked because a subclass of an unchecked class must say so; it stores nothing of its own.

    public override init() { super.init() }

    public final override func run() throws -> Success { throw JobError.missingValue(self) }

    /// The work. It runs as a task on the workers of the job's queue.
    open func run() async throws -> Success { throw JobError.missingValue(self) }

    open override var isAsynchronous: Bool { true }

    override var asynchronousWork: (@Sendable () async throws -> Success)? { { try await self.run() } }
}
