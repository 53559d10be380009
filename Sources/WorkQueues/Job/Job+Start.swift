// Starting: what the base `start()` does on a worker, and by hand.

import SchedulingCore

extension Job {
    final func performStart() {
        guard let context = ThreadContext.current(ofTurnOf: self) else { return startByHand() }
        context._withUnsafeGuaranteedRef { context in
            switch context.stage {
            case .turn:
                context.stage = .inMain
                main()
                context.stage = .mainReturned
            case .cancelledTurn: break
            case .inMain, .mainReturned, .ending: reportSecondStart()
            }
        }
    }

    /// Whether this thread is inside the job's `start()`, which goes on elsewhere when it returns; starts a job by hand if need be.
    ///
    /// For subclasses of the package whose work is asynchronous. False if the work must not begin.
    final func mayBeginAsynchronousWork() -> Bool {
        guard let context = ThreadContext.current(ofTurnOf: self) else { return takeTurnByHand(isAsynchronous: true) }
        return context._withUnsafeGuaranteedRef { context in
            switch context.stage {
            case .turn:
                context.stage = .inMain
                return true
            case .cancelledTurn: return false
            case .inMain, .mainReturned, .ending:
                reportSecondStart()
                return false
            }
        }
    }

    private final func startByHand() {
        guard takeTurnByHand(isAsynchronous: false) else { return }
        _ = ThreadContext.currentOrNew.run(self, on: nil, stage: .inMain) { main() }
        _ = fixOutcome(error: nil, on: nil)
        endInNoQueue()
    }

    /// Makes the job execute on the calling thread, outside any queue. False if it may not; then that was reported, or the job ended as
    /// cancelled.
    private final func takeTurnByHand(isAsynchronous: Bool) -> Bool {
        let start = transition(on: nil) {
            $0.startByHand(isAsynchronous: isAsynchronous)
        } news: { start, _ in
            start == .begun ? [.changed(.isExecuting)] : []
        }
        if start == .begun { noteStart(now: DispatchTimeSource.shared.coarseNow()) }
        deliverNews(as: .worker, on: nil)
        switch start {
        case .begun: return true
        case .cancelled:
            _ = fixOutcome(error: nil, on: nil)
            endInNoQueue()
        case .inQueue:
            Misuse.report(
                "start() was called by hand on \(self), which is in a queue; nothing was done.", cause: "the queue starts its jobs itself.",
                remedy: "drop the call, or do not add the job.")
        case .edgesUnmet:
            Misuse.report(
                "start() was called by hand on \(self), whose dependencies are not met; nothing was done.",
                cause: "it was started too early.",
                remedy: "add the job to a queue, which waits for its dependencies.")
        case .alreadyStarted, .alreadyFinished: reportSecondStart()
        }
        return false
    }

    private final func reportSecondStart() {
        Misuse.report(
            "start() was called again on \(self); nothing was done.", cause: "a job runs once.", remedy: "make a new job for another run.")
    }
}
