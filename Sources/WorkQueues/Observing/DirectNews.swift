// News of a job without extras, which the thread that made the transition tells itself: no mailbox, no lock, no letter.

import SchedulingCore
import Synchronization

/// What a transition left to its thread to tell; see `README.md` beside this file.
struct Notice: Sendable {
    // The highest bit says that the thread is the deliverer; the others are the stamp.
    private var bits: UInt64 = 0
    private static let direct: UInt64 = 1 << 63

    /// There is nothing to tell.
    init() {}

    /// If `isDirect`, the thread became the deliverer in the transition itself, and there was no mailbox; if not, the news are to be left
    /// there.
    init(stamp: UInt64, isDirect: Bool) { bits = isDirect ? stamp | Self.direct : stamp }

    @inline(__always) var isDirect: Bool { bits & Self.direct != 0 }
    @inline(__always) var stamp: UInt64 { bits & ~Self.direct }
}

extension Job {
    /// As `update`, with a stamp for the change: larger than those of all transitions of the job before it, smaller than those of all after
    /// it. It is taken between the reading of the word and the exchange, and again if another change came between. 0 if nothing changed.
    @inline(__always)
    private final func updateStamped<Result>(by hub: EventHub, _ change: (inout JobState) -> Result) -> (Result, stamp: UInt64) {
        var old = word.load(ordering: .acquiring)
        while true {
            var new = JobState(rawValue: old)
            let result = change(&new)
            if new.rawValue == old { return (result, 0) }
            let stamp = hub.stamp()
            let (exchanged, current) = word.compareExchange(
                expected: old, desired: new.rawValue, successOrdering: .sequentiallyConsistent, failureOrdering: .acquiring)
            if exchanged { return (result, stamp) }
            old = current
        }
    }

    /// A worker that holds a slot wants to start the job. Nil if it may not.
    @inline(__always)
    final func claim(on hub: EventHub) -> Notice? {
        if hub.isObserved { return claimObserved(on: hub) }
        return update { $0.claim() } == .begun ? Notice() : nil
    }

    private final func claimObserved(on hub: EventHub) -> Notice? {
        var isDirect = false
        let (claim, stamp) = updateStamped(by: hub) { state in
            let claim = state.claim()
            if claim == .begun { isDirect = state.noteStartToTell() }
            return claim
        }
        return claim == .begun ? Notice(stamp: stamp, isDirect: isDirect) : nil
    }

    /// `main()` returned: fixes the outcome, for the worker that goes on with the end.
    @inline(__always)
    final func fixOutcomeOfTurn(on engine: QueueEngine) -> Notice {
        if engine.hub.isObserved, let notice = finishObserved(on: engine.hub) { return notice }
        _ = fixOutcome(error: nil, on: engine)
        return Notice()
    }

    /// Finishes the job if it has no extras, and so no error, no mailbox and no observers of its own. Nil, and nothing was done, if it has.
    private final func finishObserved(on hub: EventHub) -> Notice? {
        let (isDone, stamp) = updateStamped(by: hub) { state in
            if state.isFinished || state.isFailed || !state.beginTellingDirectly() { return false }
            _ = state.finish(failed: false)
            return true
        }
        guard isDone else { return nil }
        if jobState.isCancelled { dropValue() }
        return Notice(stamp: stamp, isDirect: true)
    }

    /// The deliverer's stamp for being ready, if the job still is and nothing was left in a mailbox; otherwise nil.
    final func stampOfReady(on hub: EventHub) -> UInt64? {
        while true {
            let state = jobState
            guard state.phase == .ready, !state.hasExtras else { return nil }
            let stamp = hub.stamp()
            // Who changes the word after this look stamps later.
            if jobState == state { return stamp }
        }
    }
}

extension QueueEngine {
    /// Tells of the start that a claim noted.
    @inline(__always)
    func announceStart(of job: Job, _ notice: Notice) {
        if notice.isDirect {
            hub.deliver(.started, stamp: notice.stamp, job: job)
            return job.releaseNews(as: .worker, on: self)
        }
        guard notice.stamp != 0 || job.extras?.isObserved.load(ordering: .sequentiallyConsistent) ?? false else { return }
        job.queueNewsOfStart(stamp: notice.stamp)
        job.deliverNews(as: .worker, on: self)
    }

    /// The news of a job's end. False if another thread is delivering, which goes on with the end then.
    func tellOfEnd(_ job: Job, _ notice: Notice, _ context: ThreadContext) -> Bool {
        var mayGoOn = true
        _ = context.run(job, on: self, stage: .ending) {
            if notice.isDirect {
                hub.deliver(.finished(job.outcome ?? .succeeded), stamp: notice.stamp, job: job)
                job.releaseNews(as: .worker, on: self)
            } else {
                mayGoOn = job.deliverBeforeEnd(on: self)
            }
        }
        return mayGoOn
    }
}
