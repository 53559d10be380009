// Where the work of a harness's queues happens: on the thread that takes the steps.

import WorkQueues

/// Everybody in a harness who can take a step.
///
/// They may come from any thread; steps are taken by one thread at a time, and by the threads that wait inside a step of their own.
final class Stage: Workplace {
    private struct Contents: @unchecked Sendable {
        // Unchecked for the director, which is only asked under the lock around this value.
        var actors: [Actor] = []
        /// Who took the last step.
        var last: Actor?
        var director: any Director
        /// Threads that wait for somebody to come.
        var watchers: [Signal] = []
    }

    let time: ManualTime
    let givesWayAfterEachJob = false
    let mayBeSerial = false
    /// How long a wait inside the harness waits for the world outside, in real time.
    let patience: Duration
    /// How many instants a wait gives queues to get themselves going, when nobody sleeps on the clock.
    private static let maxUpkeepInstants = 1_000
    private let contents: Locked<Contents>

    init(time: ManualTime, director: any Director, patience: Duration) {
        self.time = time
        self.patience = patience
        contents = Locked(Contents(director: director))
    }

    // MARK: Coming

    func summon(_ crew: Crew, of engine: QueueEngine, isFirst: Bool, qualityOfService: QualityOfService) -> Summons {
        enter(WorkerActor(Worker(of: engine, as: crew, isFirst: isFirst)))
        return .coming
    }

    func enter(_ actor: Actor) {
        let watchers = contents.withLock { contents in
            contents.actors.append(actor)
            defer { contents.watchers = [] }
            return contents.watchers
        }
        for watcher in watchers { watcher.fire() }
    }

    var isEmpty: Bool { contents.withLock { $0.actors.isEmpty } }

    /// Everybody leaves; what they were about to do is not done.
    func clear() {
        let gone = contents.withLock { contents in
            defer { (contents.actors, contents.last) = ([], nil) }
            return contents.actors
        }
        withExtendedLifetime(gone) {}
    }

    // MARK: Steps

    /// Takes a step of whoever the director chooses; false if nobody can take one.
    func step() -> Bool {
        while let actor = choose() {
            var result = Actor.Step.gone(isSeen: false)
            ThreadContext.borrow { result = actor.step() }
            let isGone = if case .gone = result { true } else { false }
            contents.withLock { contents in
                actor.isBusy = false
                guard isGone else { return }
                contents.actors.removeAll { $0 === actor }
                if contents.last === actor { contents.last = nil }
            }
            switch result {
            case .taken, .gone(isSeen: true): return true
            case .gone(isSeen: false): continue
            }
        }
        return false
    }

    private func choose() -> Actor? {
        contents.withLock { contents in
            let candidates = contents.actors.filter { !$0.isBusy }
            if candidates.isEmpty { return nil }
            let current = contents.last.flatMap { last in candidates.firstIndex { $0 === last } }
            let actor = candidates[contents.director.choose(among: candidates.count, current: current)]
            actor.isBusy = true
            contents.last = actor
            return actor
        }
    }

    /// The decisions so far, if they are kept.
    var decisions: [Decision] { contents.withLock { $0.director.decisions } }

    // MARK: Waiting

    func block(_ signal: Signal, until deadline: UInt64?) {
        if waitWhileStepping(until: { signal.cause != nil }) { return }
        Misuse.report(
            "A wait in a harness can never end; it returned.",
            cause: "nobody in the harness can take a step, and the clock has no timer.",
            remedy: "see what `QueueHarness.drain()` calls stuck; a wait inside a body ends only after the steps that it let others take.")
    }

    /// Takes steps until `isOver`; when nobody can take one the clock moves to its next instant, for nobody else could move it. False if
    /// nothing can happen any more, also not from outside within `patience`.
    func waitWhileStepping(until isOver: () -> Bool) -> Bool {
        var upkeepInstants = 0
        while !isOver() {
            if step() { continue }
            // A queue of automatic width looks every ten milliseconds for as long as its jobs are stuck.
            if time.timerCount == 0 { upkeepInstants += 1 }
            if upkeepInstants <= Self.maxUpkeepInstants && time.moveToNextInstant() { continue }
            if !waitForArrival(unless: isOver) { return isOver() }
        }
        return true
    }

    private func waitForArrival(unless isOver: () -> Bool) -> Bool {
        let arrival = Signal()
        let isSomebodyHere = contents.withLock { contents in
            contents.watchers.append(arrival)
            // Somebody may have come just before.
            return contents.actors.contains { !$0.isBusy }
        }
        if isSomebodyHere || isOver() { return true }
        let world = DispatchTimeSource.shared
        let timer = world.schedule(at: world.deadline(after: patience)) { arrival.fire(.timedOut) }
        arrival.block()
        world.cancel(timer)
        contents.withLock { $0.watchers.removeAll { $0 === arrival } }
        return arrival.cause == .released
    }
}
