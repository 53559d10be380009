// Waiting until a queue has nothing left to do.

import SchedulingCore

extension WorkQueue {
    /// Blocks the calling thread until an instant at which the queue had no unfinished job; returns at once if that is now.
    ///
    /// Called in the body or a completion of a job of another queue, it lends that job's slot meanwhile. In a job of this queue it
    /// could never end; that is reported as misuse, and the call returns at once.
    @available(*, noasync)
    public func waitUntilAllJobsAreFinished() {
        do { try IdleWait(for: engine).block() } catch { Misuse.report(error) }
    }

    /// Blocks the calling thread until the queue has no unfinished job, at most for `timeout`. True if that came to be.
    @available(*, noasync)
    public func waitUntilAllJobsAreFinished(timeout: Duration) -> Bool { IdleWait(for: engine).block(timeout: timeout) }

    /// Waits until an instant at which the queue had no unfinished job, also if the waiting task is cancelled meanwhile.
    public func waitUntilAllJobsAreFinished() async {
        do { try await IdleWait(for: engine).suspend(isCancellable: false) } catch {
            if let error = error as? JobError { Misuse.report(error) }
        }
    }

    /// Waits until the queue has no unfinished job, at most for `timeout`. True if that came to be.
    public func waitUntilAllJobsAreFinished(timeout: Duration) async -> Bool { await IdleWait(for: engine).suspend(timeout: timeout) }
}

extension QueueEngine {
    /// How many threads and tasks wait for the queue to become idle. For tests that must know that somebody waits.
    package var idleWaiterCount: Int { decide { state, _ in state.idleWaiters.count } }

    /// No job is left, nor anything of one that was swept out.
    fileprivate var isIdle: Bool { decide { state, _ in state.isIdle } }
}

/// A wait for a queue to become idle.
struct IdleWait: Awaitable {
    let engine: QueueEngine

    init(for engine: QueueEngine) { self.engine = engine }

    var host: QueueEngine? { engine }
    var title: String { "every job of \(engine.title)" }

    func attach(_ signal: Signal, _ lender: Lender?) -> Bool {
        engine.decide { state, _ in
            if state.isIdle && !state.mayHaveBecomeIdle { return false }
            state.idleWaiters.append(signal)
            return true
        }
    }

    func detach(_ signal: Signal, _ lender: Lender?) {
        engine.decide { state, _ in state.idleWaiters.removeAll { $0 === signal } }
    }

    func check(_ turn: Turn?) throws(JobError) -> Bool {
        if engine.isIdle { return false }
        guard let turn else {
            if engine.underlyingQueue != nil, Platform.isMainThread, engine === WorkQueue.main.engine {
                throw .wouldDeadlock(nil, "every job of WorkQueue.main")
            }
            return true
        }
        guard DependencyRegistry.shared.addIdleWait(of: turn.job, for: engine) else {
            throw .wouldDeadlock(turn.job, "every job of \(engine.title), one of which waits for it")
        }
        return true
    }

    func isOver(for turn: Turn?) -> Bool { false }

    func forget(_ turn: Turn) { DependencyRegistry.shared.removeIdleWait(of: turn.job, for: engine) }

    func help(_ turn: Turn) -> Bool { false }
}
