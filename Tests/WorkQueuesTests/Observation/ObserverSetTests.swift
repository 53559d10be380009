// V1, S83, S86: observers that come and go, also during an event, each seeing each event once.
import Foundation
import WorkQueues
import XCTest

final class ObserverSetTests: XCTestCase {
    func testS83_TheSecondOfFiveRemovesItselfAndTheFourthAndAddsASixth() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), calls = Log<Call>()
        let second = Numbered(2, calls), fourth = Numbered(4, calls), sixth = Numbered(6, calls)
        second.action.set { [weak second] in
            guard let second else { return }
            queue.removeObserver(second)
            queue.removeObserver(fourth)
            queue.addObserver(sixth)
        }
        let others = [Numbered(1, calls), Numbered(3, calls), Numbered(5, calls)]
        queue.addObserver(others[0])
        queue.addObserver(second)
        queue.addObserver(others[1])
        queue.addObserver(fourth)
        queue.addObserver(others[2])
        queue.addJob {}
        // What happened before the sixth joined may still be on its way to the others; what happens from here on is news to all.
        eventually("the job's arrival is delivered") { Set(calls.values.filter { $0.observer == 5 }.map(\.sequence)).count == 2 }
        let arrival = calls.values.map(\.sequence).max() ?? 0
        queue.isSuspended = false
        assertDrained(queue)
        let numbers = Set(calls.values.map(\.sequence)).sorted()
        func called(at number: UInt64) -> [Int] { calls.values.filter { $0.sequence == number }.map(\.observer).sorted() }
        XCTAssertEqual(called(at: numbers[0]), [1, 2, 3, 5])
        XCTAssertEqual(called(at: arrival).filter { $0 != 6 }, [1, 3, 5])
        XCTAssertGreaterThanOrEqual(numbers.count { $0 > arrival }, 3)
        for number in numbers where number > arrival { XCTAssertEqual(called(at: number), [1, 3, 5, 6]) }
    }

    func testV1_ARemovedObserverIsCalledNoMore() {
        let queue = WorkQueue(), log = EventLog()
        queue.addObserver(log)
        queue.addJob {}
        assertDrained(queue)
        let seen = log.events.count
        XCTAssertGreaterThan(seen, 0)
        queue.removeObserver(log)
        queue.removeObserver(log)
        queue.addJob {}
        assertDrained(queue)
        XCTAssertEqual(log.events.count, seen)
    }

    func testV1_AnObserverThatIsAddedTwiceSeesEachEventOnce() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), log = EventLog()
        queue.addObserver(log)
        queue.addObserver(log)
        let job = queue.addJob {}
        assertDrained(queue)
        XCTAssertEqual(log.names(of: job.id), [.added, .ready, .started, .finished])
    }

    func testV1_AClosureObserverLastsUntilItIsInvalidatedOrDropped() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), kept = Meter(), invalidated = Meter(), dropped = Meter()
        let observation = queue.observe { _ in kept.enter() }, other = queue.observe { _ in invalidated.enter() }
        do { _ = queue.observe { _ in dropped.enter() } }
        other.invalidate()
        other.invalidate()
        queue.addJob {}
        assertDrained(queue)
        XCTAssertGreaterThan(kept.total, 0)
        XCTAssertEqual(invalidated.total, 0)
        XCTAssertEqual(dropped.total, 0)
        observation.invalidate()
    }

    func testV1_AnObserverAddedWhileAJobRunsSeesItsRestOnce() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate(), log = EventLog()
        let job = queue.addJob {
            begun.open()
            leave.wait()
        }
        within { begun.wait() }
        queue.addObserver(log)
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(log.names(of: job.id), [.finished])
    }

    func testV1_AnObserverThatRemovesItselfSeesNothingMore() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), calls = Log<Call>(), observer = Numbered(1, calls)
        observer.action.set { [weak observer] in
            if let observer { queue.removeObserver(observer) }
        }
        queue.addObserver(observer)
        for _ in 0..<10 { queue.addJob {} }
        assertDrained(queue)
        XCTAssertEqual(calls.count, 1)
    }

    func testS86_ObserversComeAndGoWhileAThousandJobsRun() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), steady = EventLog(), stop = Gate(), changed = Meter(), passing = Log<EventLog>()
        queue.addObserver(steady)
        let changes = Rounds.scaled(100_000)
        onNewThread {
            for change in 0..<changes {
                let log = EventLog()
                queue.addObserver(log)
                queue.removeObserver(log)
                if change % 100 == 0 { passing.append(log) }
                changed.enter()
            }
            stop.open()
        }
        var jobs: [Job] = []
        for index in 0..<1_000 {
            eventually("spread over the changes") { changed.total >= index * changes / 1_001 }
            jobs.append(queue.addJob { dawdle(200) })
        }
        within { stop.wait() }
        assertDrained(queue)
        for job in jobs { XCTAssertEqual(steady.names(of: job.id), [.added, .ready, .started, .finished]) }
        for log in [steady] + passing.values {
            let numbers = log.events.map(\.sequence)
            XCTAssertEqual(Set(numbers).count, numbers.count, "no event twice")
        }
    }

    func testS86_OneObserverSharedByManyQueues() {
        let queues = (0..<8).map { WorkQueue(maxConcurrentJobCount: 1 + $0 % 3) }, log = EventLog()
        for queue in queues { queue.addObserver(log) }
        var jobs: [Job] = []
        for index in 0..<1_000 { jobs.append(queues[index % 8].addJob {}) }
        for queue in queues { assertDrained(queue) }
        let names = Dictionary(grouping: log.events, by: \.jobID).mapValues { $0.map(EventLog.name(of:)) }
        for job in jobs { XCTAssertEqual(names[job.id], [.added, .ready, .started, .finished]) }
        queues[0].removeObserver(log)
        let before = log.events.count
        queues[0].addJob {}
        assertDrained(queues[0])
        XCTAssertEqual(log.events.count, before)
        queues[1].addJob {}
        assertDrained(queues[1])
        XCTAssertGreaterThan(log.events.count, before, "the others still have it")
    }

    func testV1_ObserversAreHeldUntilRemovedOrTheQueueEnds() {
        weak var removed: EventLog?
        weak var kept: EventLog?
        do {
            let queue = WorkQueue()
            do {
                let first = EventLog(), second = EventLog()
                removed = first
                kept = second
                queue.addObserver(first)
                queue.addObserver(second)
                queue.removeObserver(first)
            }
            queue.addJob {}
            assertDrained(queue)
            eventually("the removed one is freed") { removed == nil }
            XCTAssertNotNil(kept)
            XCTAssertGreaterThan(kept?.events.count ?? 0, 0)
        }
        eventually("the other one goes with the queue") { kept == nil }
    }
}

private struct Call: Sendable {
    let observer: Int
    let sequence: UInt64
}

private final class Numbered: JobObserver {
    let action = Guarded<(@Sendable () -> Void)?>(nil)
    private let number: Int
    private let calls: Log<Call>

    init(_ number: Int, _ calls: Log<Call>) {
        self.number = number
        self.calls = calls
    }

    func record(_ event: JobEvent) {
        calls.append(Call(observer: number, sequence: event.sequence))
        action.with { (action: inout (@Sendable () -> Void)?) in action.take() }?()
    }
}
