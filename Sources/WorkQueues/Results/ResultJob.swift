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

    private enum Body {
        case none
        case synchronous(@Sendable () throws -> Success)
        case asynchronous(@Sendable () async throws -> Success)
    }

    private var body: Body
    fileprivate final var slot = ValueSlot()

    /// Makes a job for a subclass that overrides `run()`.
    public override init() {
        body = .none
        super.init()
    }

    /// Makes a job from a closure, which runs on a worker.
    public init(name: String? = nil, priority: QueuePriority = .normal, _ body: @escaping @Sendable () throws -> Success) {
        self.body = .synchronous(body)
        super.init()
        prepare(name, priority)
    }

    /// Makes a job from an asynchronous closure, which runs on the workers of the job's queue and holds a slot until it has returned.
    public init(name: String? = nil, priority: QueuePriority = .normal, _ body: @escaping @Sendable () async throws -> Success) {
        self.body = .asynchronous(body)
        super.init()
        prepare(name, priority)
    }

    deinit {
        slot.destroy(Success.self)
        if case .none = body { return }
        ReleaseList.release(body)
    }

    private func prepare(_ name: String?, _ priority: QueuePriority) {
        if let name { self.name = name }
        if priority != .normal { queuePriority = priority }
    }

    /// The work. The base implementation runs the closure the job was made from.
    open func run() throws -> Success {
        guard case .synchronous(let body) = body else { throw JobError.missingValue(self) }
        return try body()
    }

    /// Keeps what `run()` returned or threw.
    public final override func main() {
        do { store(try run()) } catch { fail(with: error) }
    }

    open override func start() {
        if case .synchronous = body { return super.start() }
        guard let work = asynchronousWork else { return super.start() }
        if mayBeginAsynchronousWork() { launch(work) }
    }

    open override var isAsynchronous: Bool { if case .asynchronous = body { true } else { false } }

    /// The work, if it is asynchronous.
    var asynchronousWork: (@Sendable () async throws -> Success)? {
        if case .asynchronous(let body) = body { body } else { nil }
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

    override func releaseBody() { body = .none }

    override func dropValue() { replaceSlot(with: ValueSlot()) }

    /// Keeps the value; called by the work.
    final func store(_ value: Success) { replaceSlot(with: ValueSlot(value)) }

    // Whole slots go in and out: a mutating call on a stored property is watched over by the runtime, which costs more than the rest.
    private func replaceSlot(with new: ValueSlot) {
        let old = slot
        slot = new
        old.destroy(Success.self)
    }
}

extension ResultJob {
    /// What the job returned or threw; nil until it has ended. A cancelled job's is `CancellationError`.
    public final var result: Result<Success, any Error>? {
        switch outcome {
        case .succeeded: slot.value(Success.self).map { .success($0) } ?? .failure(JobError.missingValue(self))
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
