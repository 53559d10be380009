// V1: a job's first event is that it was added, and it becomes ready once, also when its dependency ends at that very moment.
import Synchronization
import WorkQueues
import XCTest

final class ArrivalEventTests: XCTestCase {
    func testV1_ADependencyThatEndsWhileItsDependentIsAdded() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), log = EventLog(), rounds = Rounds.scaled(20_000)
        queue.addObserver(log)
        let dependents = Log<Job.ID>()
        let isDone = race(
            rounds: rounds, "an addition against the end of a dependency",
            prepare: { _ -> (isOpen: Flag, dependent: Probe) in
                let isOpen = Flag(), dependent = Probe()
                link(dependent, to: queue.addJob { while !isOpen.value.load(ordering: .acquiring) { dawdle(10) } })
                dependents.append(dependent.id)
                return (isOpen, dependent)
            },
            { round in round.isOpen.value.store(true, ordering: .releasing) },
            { round in add(round.dependent, to: queue) },
            check: { _, round in round.dependent.waitUntilFinished() })
        guard isDone else { return }
        assertDrained(queue)
        let events = Dictionary(grouping: log.events, by: \.jobID)
        for id in dependents.values {
            let names = (events[id] ?? []).map(EventLog.name(of:)).filter { $0 != .dependencyAdded }
            XCTAssertEqual(names, [.added, .ready, .started, .finished])
            if names != [.added, .ready, .started, .finished] { return }
        }
        XCTAssertEqual(dependents.values.count, rounds)
    }
}

private final class Flag: Sendable {
    let value = Atomic(false)
}
