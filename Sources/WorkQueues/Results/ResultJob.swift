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

    /// An asynchronous closure; it is kept in the job's extras, which such a job has anyway once it runs.
    private final class AsynchronousBody: Sendable {
        let closure: @Sendable () async throws -> Success

        init(_ closure: @escaping @Sendable () async throws -> Success) { self.closure = closure }
    }

    fileprivate final var hasValue = false
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
        prepare(name, priority)
    }

    /// Makes a job from an asynchronous closure, which runs on the workers of the job's queue and holds a slot until it has returned.
    public init(name: String? = nil, priority: QueuePriority = .normal, _ body: @escaping @Sendable () async throws -> Success) {
        self.body = nil
        super.init()
        prepare(name, priority)
        let boxed = AsynchronousBody(body)
        extrasOrNew.contents.withLock { $0.asynchronousBody = boxed }
    }

    deinit {
        if hasValue { slot.destroy(Success.self) }
        if let body { ReleaseList.release(body) }
        releaseAsynchronousBody()
    }

    private func prepare(_ name: String?, _ priority: QueuePriority) {
        if let name { self.name = name }
        if priority != .normal { queuePriority = priority }
    }

    /// The work. The base implementation runs the closure the job was made from.
    open func run() throws -> Success {
        guard let body else { throw JobError.missingValue(self) }
        return try body()
    }

    /// Keeps what `run()` returned or threw.
    public final override func main() {
        do { store(try run()) } catch { fail(with: error) }
    }

    open override func start() {
        if body != nil { return super.start() }
        guard let work = asynchronousWork else { return super.start() }
        if mayBeginAsynchronousWork() { launch(work) }
    }

    open override var isAsynchronous: Bool { asynchronousWork != nil }

    /// The work, if it is asynchronous.
    var asynchronousWork: (@Sendable () async throws -> Success)? {
        guard let extras, let body = extras.contents.withLock({ $0.asynchronousBody }) else { return nil }
        return unsafeDowncast(body, to: AsynchronousBody.self).closure
    }

    /// Runs the work as a task on the queue's workers; by hand, wherever tasks run.
    private func launch(_ work: @escaping @Sendable () async throws -> Success) {
        let engine = jobState.isQueued ? engine?.takeUnretainedValue() : nil
        // The body may not look before a cancel of the job reaches its task.
        let isTied = Signal()
        let task = Task(executorPreference: engine) {
            _ = await isTied.suspend()
            let error = await AsyncBody.$current.withValue(AsyncBody(job: self, engine: engine)) { () async -> (any Error)? in
                do {
                    self.store(try await work())
                    return nil
                } catch { return error }
            }
            self.end(error: error)
        }
        onCancel { _ in task.cancel() }
        isTied.fire()
    }

    package override var runsAsTask: Bool { asynchronousWork != nil }

    override func releaseBody() {
        body = nil
        releaseAsynchronousBody()
    }

    @inline(__always)
    private final func releaseAsynchronousBody() {
        guard let extras else { return }
        let gone = extras.contents.withLock { $0.asynchronousBody.take() }
        if let gone { ReleaseList.release(gone) }
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
            try await JobWait(for: self).suspend(isCancellable: true)
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
    final func knownValue() throws -> Success { try (result ?? .failure(JobError.missingValue(self))).get() }
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
