// How a job ends: the outcome is fixed once, then whoever must do the rest does it.

import SchedulingCore
import Synchronization

extension Job {
    /// Called during the work: the outcome will be this error. The first error counts; after the end the call changes nothing.
    public final func fail(with error: any Error) {
        extrasOrNew.contents.withLock { contents in
            if contents.error == nil && update({ $0.noteFailure() }) { contents.error = error }
        }
    }

    /// The work is over: fixes the outcome unless it is fixed, and does, or hands to a worker, what follows from it.
    final func end(error: (any Error)?) {
        switch fixOutcome(error: error, on: watchingEngine) {
        case .late, .starter, .underway: break
        case .workerWithSlot: engine?.takeUnretainedValue().handOver(end: self)
        case .workerWithoutSlot: QueueDirectory.shared.engine(queueID)?.handOver(unstarted: self)
        case .caller: endInNoQueue()
        }
    }

    /// Fixes the outcome. The first caller wins, and is told what it owes.
    ///
    /// A job that was cancelled before its body ended never counts as succeeded; it counts as failed if its body threw anything but
    /// `CancellationError`.
    @inline(__always)
    final func fixOutcome(error: (any Error)?, on engine: QueueEngine?) -> JobState.EndDuty {
        // Who has no extras has no observers either, and cannot get one unnoticed: they attach to the same word.
        if error == nil, !(engine?.hub.isObserved ?? false) {
            let duty = update { state -> JobState.EndDuty? in state.isFailed || state.hasExtras ? nil : state.finish(failed: false) }
            if let duty {
                if duty != .late && jobState.isCancelled { dropValue() }
                return duty
            }
        }
        return fixOutcomeWithExtras(error: error, on: engine)
    }

    private final func fixOutcomeWithExtras(error: (any Error)?, on engine: QueueEngine?) -> JobState.EndDuty {
        let duty = extrasOrNew.contents.withLock { contents -> JobState.EndDuty in
            let error = contents.error ?? error
            var before = JobState()
            var counts = false
            let duty = update { state -> JobState.EndDuty in
                before = state
                counts = error != nil && !(state.isCancelled && error is CancellationError)
                return state.finish(failed: counts)
            }
            guard duty != .late else { return duty }
            contents.error = counts ? error : nil
            guard isWatched(by: engine) else { return duty }
            let stamp = engine?.hub.isObserved ?? false ? engine.unsafelyUnwrapped.hub.stamp() : 0
            if before.phase == .executing { contents.letters.append(.news(.changed(.isExecuting), stamp: stamp)) }
            contents.letters.append(.news(.changed(.isFinished), stamp: stamp))
            let outcome: Outcome =
                error.flatMap { counts ? .failed($0) : nil }
                ?? (before.isCancelled ? .cancelled(contents.reason ?? .requested) : .succeeded)
            contents.letters.append(.news(.event(.finished(outcome)), stamp: stamp))
            return duty
        }
        if duty != .late && (jobState.isFailed || jobState.isCancelled) { dropValue() }
        return duty
    }

    /// Runs the first of what is to be run at the end, in the order it was added, the completion block last. False if nothing was left.
    final func runNextCompletion() -> Bool {
        guard let extras, let outcome else { return false }
        enum Next {
            case completion(@Sendable (Outcome) -> Void)
            case block(@Sendable () -> Void)
            case none
        }
        let next = extras.contents.withLock { contents -> Next in
            if let completion = contents.completions.popFirst() { return .completion(completion) }
            if let block = contents.completionBlock {
                contents.completionBlock = nil
                return .block(block)
            }
            contents.completionsClosed = true
            return .none
        }
        switch next {
        case .completion(let body): body(outcome)
        case .block(let body): body()
        case .none: return false
        }
        return true
    }

    /// Lets go of what only the work needed.
    @inline(__always)
    final func letGo() {
        releaseBody()
        if jobState.hasExtras { letGoOfExtras() }
    }

    private final func letGoOfExtras() {
        guard let extras else { return }
        let garbage = extras.contents.withLock { contents in
            defer {
                contents.cancelHandlers = []
                contents.observations = []
                extras.isObserved.store(false, ordering: .sequentiallyConsistent)
            }
            return (contents.cancelHandlers, contents.observations)
        }
        withExtendedLifetime(garbage) {}
    }

    /// Step 4: releases who waits for this job.
    @inline(__always)
    final func releaseWaiters() { if jobState.hasExtras { releaseWaitersInExtras() } }

    private final func releaseWaitersInExtras() {
        guard let extras else { return }
        let waiters = extras.contents.withLock { contents in
            defer {
                contents.waiters = []
                contents.lenders = []
            }
            return contents.waiters
        }
        for waiter in waiters { waiter.fire() }
    }

    /// The whole end of a job that is in no queue, on the calling thread.
    final func endInNoQueue() {
        let context = ThreadContext.currentOrNew
        while true {
            let hasExtras = jobState.hasExtras
            if hasExtras {
                // If another thread delivers, the end is its last letter.
                var mayGoOn = false
                _ = context.run(self, on: nil, stage: .ending) {
                    mayGoOn = deliverBeforeEnd(on: nil)
                    if mayGoOn { while runNextCompletion() {} }
                }
                guard mayGoOn else { return }
            }
            letGo()
            var departure = Departure(job: self, extrasDone: hasExtras)
            if jobState.hasNode { resolveEdges(into: &departure, engine: nil, context) }
            let isClosed = update { $0.close(extrasDone: hasExtras, nodeDone: departure.nodeDone) }
            if let debts = departure.debts {
                debts.pointee.meetEdges(ofOthersThan: 0) { _ in }
                debts.pointee.finishMeeting()
                context.giveBack(debts)
            }
            if isClosed { break }
        }
        update { $0.settle() }
        releaseWaiters()
    }

    /// The queue's engine, if somebody observes it: needed to post news of a change.
    final var watchingEngine: QueueEngine? {
        EventHub.anyObserved && jobState.isQueued ? QueueDirectory.shared.engine(queueID) : nil
    }

    @inline(__always)
    final func isWatched(by engine: QueueEngine?) -> Bool {
        if let engine, engine.hub.isObserved { return true }
        return extras?.isObserved.load(ordering: .sequentiallyConsistent) ?? false
    }
}

// MARK: - Completions

extension Job {
    /// Runs when the job has ended, after its other completions and before any dependent starts; released once it has run.
    ///
    /// It runs on a worker of the job's queue and holds the job's slot. Set after the end, it runs at once on the calling thread.
    public final var completionBlock: (@Sendable () -> Void)? {
        get { extras?.contents.withLock { $0.completionBlock } }
        set {
            if newValue == nil && extras == nil { return }
            let extras = extrasOrNew
            let (mustRun, old) = extras.contents.withLock { contents -> (Bool, (@Sendable () -> Void)?) in
                if contents.completionsClosed || jobState.isResolved || jobState.isClosed { return (true, nil) }
                defer { contents.completionBlock = newValue }
                return (false, contents.completionBlock)
            }
            withExtendedLifetime(old) {}
            if mustRun { newValue?() }
        }
    }

    /// Runs `body` with the outcome when the job has ended.
    ///
    /// Completions run one after the other in the order they were added, on a worker of the job's queue, before any dependent starts,
    /// and hold the job's slot. Added after the end, it runs at once on the calling thread.
    public final func addCompletion(_ body: @escaping @Sendable (Outcome) -> Void) {
        let mustRun = extrasOrNew.contents.withLock { contents in
            if contents.completionsClosed || jobState.isResolved || jobState.isClosed { return true }
            contents.completions.append(body)
            return false
        }
        if mustRun, let outcome { body(outcome) }
    }
}
