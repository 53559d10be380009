// O4: rings that jobs' waits close with each other, and edges that would close a ring through a wait under way.
import Foundation
import WorkQueues
import XCTest

final class WaitRingTests: XCTestCase {
    func testO4_TwoJobsThatWaitForEachOther() {
        for kinds in [(false, false), (true, true), (false, true)] {
            let misuse = MisuseLog()
            defer { misuse.restore() }
            let first = Party(async: kinds.0), second = Party(async: kinds.1)
            first.target.set(second.job)
            second.target.set(first.job)
            first.go.open()
            second.go.open()
            waitForEnd(of: [first.job, second.job], 30)
            XCTAssertEqual(misuse.messages.count, 1, "the wait that would close the ring, and no other: \(misuse.messages)")
            XCTAssertTrue(hasSucceeded(first.job.outcome) && hasSucceeded(second.job.outcome))
        }
    }

    func testO4_ARingOfThreeWaits() {
        let misuse = MisuseLog()
        defer { misuse.restore() }
        let parties = [Party(async: false), Party(async: true), Party(async: false)]
        for (index, party) in parties.enumerated() { party.target.set(parties[(index + 1) % 3].job) }
        for party in parties { party.go.open() }
        waitForEnd(of: parties.map(\.job), 30)
        XCTAssertEqual(misuse.messages.count, 1, "\(misuse.messages)")
    }

    func testO4_TwoJobsOfOneQueueThatWaitForEachOther() {
        let misuse = MisuseLog(), queue = WorkQueue(maxConcurrentJobCount: 1)
        defer { misuse.restore() }
        let first = Party(async: false, on: queue), second = Party(async: false, on: queue)
        first.target.set(second.job)
        second.target.set(first.job)
        first.go.open()
        second.go.open()
        assertDrained(queue, 30)
        XCTAssertEqual(misuse.messages.count, 1, "\(misuse.messages)")
    }

    func testO4_AWaitAndAnEdgeCloseARing() throws {
        // The first waits for the second, which stands behind an edge to the first.
        let misuse = MisuseLog(), queue = WorkQueue(maxConcurrentJobCount: 1)
        defer { misuse.restore() }
        let first = Party(async: false), second = BlockJob {}
        try second.addDependency(first.job)
        try queue.addJob(second)
        first.target.set(second)
        first.go.open()
        waitForEnd(of: [first.job, second], 30)
        XCTAssertEqual(misuse.messages.count, 1)
    }

    func testO4_AnEdgeThatWouldCloseARingThroughAWaitUnderWayIsRefused() throws {
        for async in [false, true] {
            let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
            let awaited = BlockJob {}
            try other.addJob(awaited)
            let waiter: Job =
                async
                ? queue.addJob { () async -> Void in await awaited.waitUntilFinished() }
                : queue.addJob { awaited.waitUntilFinished() }
            waitForEnd(of: queue.addJob {})
            // The slot was lent, so the wait is under way.
            let error = assertRefused(.dependencyCycle, "the waiter waits for it") { try awaited.addDependency(waiter) }
            XCTAssertTrue(error?.cyclePath.first === awaited && error?.cyclePath.last === awaited)
            XCTAssertTrue(error?.cyclePath.contains(waiter) ?? false)
            XCTAssertTrue(awaited.dependencies.isEmpty, "no trace")

            let between = BlockJob {}
            try between.addDependency(waiter)
            assertRefused(.dependencyCycle, "at one remove") { try awaited.addDependency(between) }
            try other.addJob(between)
            other.isSuspended = false
            assertDrained(queue)
            assertDrained(other)
            XCTAssertTrue(hasSucceeded(waiter.outcome) && hasSucceeded(awaited.outcome) && hasSucceeded(between.outcome))
        }
    }

    func testO4_AnEdgeThroughAWaitForAQueueUnderWayIsRefused() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let awaited = BlockJob {}
        try other.addJob(awaited)
        let waiter = queue.addJob { other.waitUntilAllJobsAreFinished() }
        waitForEnd(of: queue.addJob {})
        assertRefused(.dependencyCycle) { try awaited.addDependency(waiter) }
        other.isSuspended = false
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(awaited.outcome))
    }

    func testO4_AQueueThatIsWaitedForRefusesAJobBehindTheWaiter() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        other.addJob {}
        let waiter = queue.addJob { other.waitUntilAllJobsAreFinished() }
        waitForEnd(of: queue.addJob {})
        // The search for a ring through this edge finds none, and that must not count when the job comes to the queue.
        let behind = BlockJob {}
        try behind.addDependency(waiter)
        assertRefused(.dependencyCycle) { try other.addJob(behind) }
        XCTAssertEqual(behind.phase, .created)
        other.isSuspended = false
        assertDrained(queue)
        try other.addJob(behind)
        assertDrained(other)
    }

    func testO4_AfterTheWaitTheEdgeIsWelcome() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate()
        let awaited = other.addJob {}
        let waiter = queue.addJob {
            awaited.waitUntilFinished()
            begun.open()
            leave.wait()
        }
        within { begun.wait() }
        let later = BlockJob {}
        try later.addDependency(waiter)
        try other.addJob(later)
        assertHeld(later)
        leave.open()
        waitForEnd(of: later)
    }

    func testO4_RacingEdgesAndWaitsNeverHang() {
        let misuse = MisuseLog()
        defer { misuse.restore() }
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(5_000), "an edge and a wait that close a ring together",
            prepare: { _ -> (ResultJob<Void>, BlockJob, Gate) in
                let awaited = BlockJob {}, go = Gate()
                return (
                    queue.addJob {
                        go.wait()
                        awaited.waitUntilFinished()
                    }, awaited, go
                )
            },
            [
                { $0.2.open() },
                { state in
                    // Refused when the wait was first; otherwise the wait is reported. Either way all end.
                    try? state.1.addDependency(state.0)
                    add(state.1, to: queue)
                },
            ],
            check: { _, state in
                XCTAssertTrue(state.0.waitUntilFinished(timeout: .seconds(30)))
                XCTAssertTrue(state.1.waitUntilFinished(timeout: .seconds(30)))
            })
        assertDrained(queue)
    }
}

/// A job that, once told so, waits for another one.
private final class Party: Sendable {
    let go = Gate()
    let target = Guarded<Job?>(nil)
    let job: ResultJob<Void>

    init(async: Bool, on queue: WorkQueue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))) {
        let go = go, target = target
        if async {
            job = queue.addJob { () async -> Void in
                await go.opened()
                _ = await target.current?.waitUntilFinished()
            }
        } else {
            job = queue.addJob {
                go.wait()
                target.current?.waitUntilFinished()
            }
        }
    }
}
