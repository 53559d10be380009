// Running a closure in the caller's own task, under the queue's limits.

import SchedulingCore

extension WorkQueue {
    /// Waits for a slot like any job, then runs `body` in the caller's own task, with its task-locals, priority and isolation.
    ///
    /// The caller and its job are one: if the calling task is cancelled, so is the job, and if the job is cancelled while it waits, the
    /// call throws `CancellationError` without having run `body`. Called on the own task of an asynchronous job, it lends that job's
    /// slot until it returns.
    ///
    /// - Throws: What `body` throws; `CancellationError` if the job was cancelled before `body` returned; `JobError.wouldDeadlock` if
    ///   the job could never start because something before it waits for the caller.
    public func run<Success: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Success, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Success {
        try Task.checkCancellation()
        let visit = try await Visit(to: engine, at: Site(fileID, line))
        return try await withTaskCancellationHandler {
            guard await visit.waitForTurn(), !visit.job.isCancelled else {
                await visit.end(error: nil)
                throw CancellationError()
            }
            let result: Result<Success, any Error>
            do {
                result = .success(try await AsyncBody.$current.withValue(AsyncBody(job: visit.job), operation: body))
            } catch {
                result = .failure(error)
            }
            var error: (any Error)?
            if case .failure(let thrown) = result { error = thrown }
            switch await visit.end(error: error) {
            case .cancelled: throw CancellationError()
            case .succeeded, .failed, nil: return try result.get()
            }
        } onCancel: {
            visit.job.cancel()
        }
    }
}

/// One call of `run`: its job, and the slot that the calling job lent for it.
private struct Visit: Sendable {
    let job = VisitJob()
    /// Fired when the job has left its queue.
    private let left = Signal()
    private let lender: Lender?
    private let caller: Job?

    /// Adds the job.
    init(to engine: QueueEngine, at site: Site) async throws(JobError) {
        let turn = Turn.current
        caller = turn?.job
        if let turn, case .lent(let lent)? = turn.engine?.lend(slotOf: turn.job, blocksThread: false) {
            lender = lent
        } else {
            lender = nil
        }
        _ = JobWait(for: job).attach(left, lender)
        job.addCompletion { [turn = job.turn] _ in turn.fire(.cancelled) }
        do throws(JobError) {
            if let caller { _ = DependencyRegistry.shared.addWait(of: caller, for: job) }
            try engine.add([job], at: site)
        } catch {
            if let lender { await lender.engine.takeBackSuspending(lender) }
            if let caller { DependencyRegistry.shared.removeWait(of: caller, for: job) }
            throw .wouldDeadlock(caller, "its turn in \(engine.title), where something waits for it")
        }
    }

    /// True when the job executes; false if it was cancelled before.
    func waitForTurn() async -> Bool { await job.turn.suspend() == .released }

    /// Ends the job and waits until it has left the queue and the caller has its own slot back.
    @discardableResult
    func end(error: (any Error)?) async -> Job.Outcome? {
        job.end(error: error)
        _ = await left.suspend()
        if let lender { await lender.engine.takeBackSuspending(lender) }
        if let caller { DependencyRegistry.shared.removeWait(of: caller, for: job) }
        return job.outcome
    }
}

/// Takes a slot and tells the waiting task.
private final class VisitJob: Job, @unchecked Sendable {
    // Unchecked because a subclass of an unchecked class must say so; a signal is safe to share.
    let turn = Signal()

    override var isAsynchronous: Bool { true }
    override var runsAsTask: Bool { true }

    override func start() {
        if mayBeginAsynchronousWork() { turn.fire() }
    }
}
