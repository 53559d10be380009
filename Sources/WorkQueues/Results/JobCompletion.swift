// The bridge from callbacks: a job that ends when its completion is called.

import Synchronization

/// Ends a job that was added with `addJob(completing:)`. The first call counts. If it is released without a call, the job fails with
/// `JobError.completionDropped`.
public final class JobCompletion<Success: Sendable>: Sendable {
    private let job: CallbackJob<Success>
    private let isCalled = Atomic(false)

    init(job: CallbackJob<Success>) { self.job = job }

    deinit {
        if takeCall() { job.end(error: JobError.completionDropped(job.id)) }
    }

    /// Ends the job with a value; from any thread.
    public func finish(returning value: Success) {
        guard takeCall() else { return }
        job.store(value)
        job.end(error: nil)
    }

    /// Ends the job with an error; from any thread.
    public func finish(throwing error: any Error) {
        if takeCall() { job.end(error: error) }
    }

    private func takeCall() -> Bool { !isCalled.exchange(true, ordering: .acquiringAndReleasing) }
}

/// Calls a closure with a completion, and ends when that is called.
final class CallbackJob<Success: Sendable>: ResultJob<Success>, @unchecked Sendable {
    // Unchecked for one variable that changes hands with the job, as `ResultJob.body` does.
    private var callback: (@Sendable (JobCompletion<Success>) -> Void)?

    init(callback: @escaping @Sendable (JobCompletion<Success>) -> Void) {
        self.callback = callback
        super.init()
    }

    deinit {
        if let callback { ReleaseList.release(callback) }
    }

    override var isAsynchronous: Bool { true }

    override func start() {
        guard mayBeginAsynchronousWork() else { return }
        callback?(JobCompletion(job: self))
    }

    override func releaseBody() { callback = nil }
}
