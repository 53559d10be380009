// W2: jobs that block really run at the same time, waiting ones cost no threads, and no queue starves another.
import Dispatch
import Foundation
import WorkQueues
import XCTest

final class ThreadBudgetTests: XCTestCase {
    func testW2_SixtyFourJobsMeetWithinHalfASecond() {
        let queue = WorkQueue(maxConcurrentJobCount: 64), meeting = Meeting(parties: 64), met = Meter()
        let start = ContinuousClock.now, arrivals = Log<Duration>()
        for _ in 0..<64 {
            queue.addJob {
                arrivals.append(ContinuousClock.now - start)
                if meeting.meet() { met.enter() }
            }
        }
        assertDrained(queue)
        XCTAssertEqual(met.total, 64)
        XCTAssertLessThan(arrivals.values.max() ?? .zero, .milliseconds(500))
    }

    func testS56_ThirtyTwoJobsAtABarrierHaveAllStartedWithin500Milliseconds() {
        let queue = WorkQueue(maxConcurrentJobCount: 32), meeting = Meeting(parties: 32), met = Meter()
        let start = ContinuousClock.now, arrivals = Log<Duration>()
        for _ in 0..<32 {
            queue.addJob {
                arrivals.append(ContinuousClock.now - start)
                if meeting.meet() { met.enter() }
            }
        }
        assertDrained(queue)
        XCTAssertEqual(met.total, 32)
        XCTAssertLessThan(arrivals.values.max() ?? .zero, .milliseconds(500))
    }

    func testW2_ManyWidthsReallyRunSideBySide() {
        for width in [2, 3, 5, 17, 100] {
            let queue = WorkQueue(maxConcurrentJobCount: width), meeting = Meeting(parties: width), met = Meter()
            for _ in 0..<width { queue.addJob { if meeting.meet() { met.enter() } } }
            assertDrained(queue)
            XCTAssertEqual(met.total, width)
        }
    }

    func testW2_WaitingJobsHoldNoThreads() throws {
        guard processThreadCount() != nil else { throw XCTSkip("the system does not count threads") }
        let leave = Gate(), begun = Gate()
        let root = WorkQueue(maxConcurrentJobCount: 1).addJob {
            begun.open()
            leave.wait()
        }
        within { begun.wait() }
        let queues = [
            WorkQueue(maxConcurrentJobCount: 64), WorkQueue(maxConcurrentJobCount: 64, isSuspended: true),
            WorkQueue(maxConcurrentJobCount: 0),
        ]
        let before = processThreadCount() ?? 0
        for _ in 0..<2_000 {
            queues[0].addJob(dependencies: [root]) {}
            queues[1].addJob {}
            queues[2].addJob {}
        }
        for _ in 0..<2_000 { queues[0].addJob { () async -> Void in await root.waitUntilFinished() } }
        XCTAssertFalse(root.waitUntilFinished(timeout: .milliseconds(50)))
        XCTAssertLessThan((processThreadCount() ?? 0) - before, 70, "8,000 jobs wait; the first queue may keep its 64 workers and no more")
        leave.open()
        queues[1].isSuspended = false
        queues[2].maxConcurrentJobCount = 4
        for queue in queues { assertDrained(queue) }
    }

    func testD6_W2_JobsThatWaitForAnEdgeHoldNoThreadAtAll() throws {
        guard processThreadCount() != nil else { throw XCTSkip("the system does not count threads") }
        let root = BlockJob {}, queue = WorkQueue(maxConcurrentJobCount: 64), before = processThreadCount() ?? 0
        for _ in 0..<5_000 { queue.addJob(dependencies: [root]) {} }
        assertHeld(root, for: .milliseconds(50))
        XCTAssertLessThan((processThreadCount() ?? 0) - before, 8)
        add(root, to: queue)
        assertDrained(queue)
    }

    func testS57_FourFullQueuesStarveNeitherAFifthNorAnotherLibrary() {
        let full = (0..<4).map { _ in WorkQueue(maxConcurrentJobCount: 64) }
        let leave = Gate(), meter = Meter()
        for queue in full {
            for _ in 0..<64 {
                queue.addJob {
                    meter.enter()
                    leave.wait()
                    meter.leave()
                }
            }
        }
        eventually("the budget is used up") { meter.current >= 192 }

        let foreign = DispatchQueue(label: "another library"), turn = Gate(), released = Gate()
        let took = duration {
            foreign.async { turn.open() }
            WorkQueue(maxConcurrentJobCount: 1).addJob {
                leave.open()
                released.open()
            }
            within(30) {
                turn.wait()
                released.wait()
            }
        }
        XCTAssertLessThan(took, .seconds(1))
        for queue in full { assertDrained(queue) }
        XCTAssertEqual(meter.total, 256)
    }

    func testW2_TheBudgetIs192AndEachQueueHasItsFirstWorkerOutsideIt() {
        let greedy = (0..<5).map { _ in WorkQueue(maxConcurrentJobCount: 64) }
        let leave = Gate(), meter = Meter()
        for queue in greedy {
            for _ in 0..<64 {
                queue.addJob {
                    meter.enter()
                    leave.wait()
                    meter.leave()
                }
            }
        }
        eventually("the budget is used up") { meter.current >= 192 + 5 }

        // Newcomers of every kind get their first worker while 320 jobs hold or want all the others.
        let modest = (0..<20).map { _ in WorkQueue(maxConcurrentJobCount: 8) }
        let jobs: [Job] = modest.map { $0.addJob {} } + modest.map { $0.addJob { () async -> Void in await Task.yield() } }
        waitForEnd(of: jobs, 20)
        XCTAssertLessThanOrEqual(meter.peak, 192 + 5, "the budget and the five first workers")
        leave.open()
        for queue in greedy + modest { assertDrained(queue) }
        XCTAssertEqual(meter.total, 320)
    }

    func testW2_AQueueThatWasRefusedThreadsIsToldWhenTheyAreBack() {
        // The first worker is outside the budget of 192.
        let greedy = WorkQueue(maxConcurrentJobCount: 193), begun = Meter(), gate = Gate()
        for _ in 0..<193 {
            greedy.addJob {
                begun.enter()
                gate.wait()
            }
        }
        eventually("the budget is used up") { begun.total == 193 }
        let refused = WorkQueue(maxConcurrentJobCount: 8), first = Gate(), meeting = Meeting(parties: 8), met = Meter()
        for _ in 0..<8 {
            refused.addJob {
                first.open()
                if meeting.meet() { met.enter() }
            }
        }
        within { first.wait() }
        gate.open()
        assertDrained(greedy)
        assertDrained(refused)
        XCTAssertEqual(met.total, 8)
    }

    func testW2_TheBudgetComesBack() {
        for _ in 0..<3 {
            let queues = (0..<3).map { _ in WorkQueue(maxConcurrentJobCount: 60) }
            let meeting = Meeting(parties: 180), met = Meter()
            for queue in queues {
                for _ in 0..<60 { queue.addJob { if meeting.meet() { met.enter() } } }
            }
            for queue in queues { assertDrained(queue) }
            XCTAssertEqual(met.total, 180, "180 threads fit into the budget, again and again")
        }
    }
}
