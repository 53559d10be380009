// Noticing that a queue has work and nothing in it goes on, and telling its observers when nothing can go on any more.

import SchedulingCore

/// What a queue whose stalls are observed remembers of its stand-stills.
struct StallWatch: Sendable {
    /// How long nothing must have come, gone or run before the queue looks, in nanoseconds.
    static let grace: UInt64 = 1_000_000_000
    /// Where something still runs on which the queue depends, it looks again after twice the time, up to this.
    static let maxPause: UInt64 = 64_000_000_000

    enum Phase: Sendable {
        case quiet
        /// A timer runs.
        case armed
        /// The timer fired, and an errand looks.
        case looking
        /// Nothing can go on, and observers were told.
        case reported
    }

    var phase = Phase.quiet
    /// The queue's traffic when the timer was armed.
    var traffic: QueueMachine.Traffic?
    var pause = StallWatch.grace
}

extension QueueEngine.Guarded {
    /// Arms the timer if the queue came to a stand-still that it does not watch yet. Costs a busy queue one comparison.
    @inline(__always)
    mutating func watchForStall(_ orders: inout Orders, engine: QueueEngine) {
        if machine.executing == 0 && machine.jobCount > 0 && !engine.stallObservers.isEmpty { considerStall(&orders, time: engine.time) }
    }

    private mutating func considerStall(_ orders: inout Orders, time: any TimeSource) {
        switch stall.phase {
        case .armed, .looking: return
        case .reported where stall.traffic == machine.traffic: return
        case .quiet, .reported:
            guard machine.isDormant() else { return }
            armStallTimer(after: StallWatch.grace, &orders, time: time)
        }
    }

    private mutating func armStallTimer(after pause: UInt64, _ orders: inout Orders, time: any TimeSource) {
        stall.phase = .armed
        stall.traffic = machine.traffic
        stall.pause = pause
        orders.rareOrNew.looksForStallAt = time.now() + pause
    }

    /// The timer fired: has nothing come, gone or run since? Then a worker searches, off the lock.
    fileprivate mutating func stallTimerFired(_ orders: inout Orders, engine: QueueEngine) {
        stall.phase = .quiet
        guard !engine.stallObservers.isEmpty, machine.isDormant() else { return }
        guard stall.traffic == machine.traffic else { return armStallTimer(after: StallWatch.grace, &orders, time: engine.time) }
        stall.phase = .looking
        enlist(.lookForStall)
    }

    /// Whether the queue still stands as it did when the search began. The searching errand does not count.
    private var standsStill: Bool { stall.traffic == machine.traffic && machine.isDormant(notCounting: 1) }

    fileprivate func beginStallSearch() -> [Job]? { standsStill ? allJobs : nil }

    /// Books what the search found; true if it must be reported.
    fileprivate mutating func endStallSearch(isStalled: Bool?, _ orders: inout Orders, engine: QueueEngine) -> Bool {
        stall.phase = .quiet
        guard standsStill, let isStalled, !engine.stallObservers.isEmpty else { return false }
        if isStalled {
            stall.phase = .reported
            return true
        }
        armStallTimer(after: min(stall.pause * 2, StallWatch.maxPause), &orders, time: engine.time)
        return false
    }
}

extension QueueEngine {
    func stallTimerFired() { decide { state, orders in state.stallTimerFired(&orders, engine: self) } }

    /// What the errand does.
    func lookForStall() {
        let jobs = decide { state, _ in state.beginStallSearch() }
        let isStalled = jobs.map { StallSearch.findsNothingThatRuns(for: $0, in: self) }
        let mustReport = decide { state, orders in state.endStallSearch(isStalled: isStalled, &orders, engine: self) }
        if mustReport { stallObservers.report(Explainer.explain(self)) }
    }
}
