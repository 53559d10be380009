// W4 again, S70, S71, S73: barriers under suspension, width and cancellation, on empty queues, and what they cost.
import Foundation
import WorkQueues
import XCTest

final class BarrierControlTests: XCTestCase {
    func testW4_ItHonoursTheWidth() {
        let queue = WorkQueue(maxConcurrentJobCount: 0)
        let barrier = queue.addBarrierBlock {}
        assertHeld(barrier)
        queue.maxConcurrentJobCount = 1
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(barrier.outcome))
    }

    func testW4_ItHonoursSuspensionBehindRunningJobs() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), begun = Gate(), leave = Gate()
        let running = queue.addJob {
            begun.open()
            leave.wait()
        }
        let barrier = queue.addBarrierBlock {}
        within { begun.wait() }
        queue.isSuspended = true
        leave.open()
        waitForEnd(of: running)
        assertHeld(barrier)
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testW4_ACancelledBarrierLetsWhatIsBehindItGo() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), begun = Gate(), leave = Gate(), bodies = Meter()
        let running = queue.addJob {
            begun.open()
            leave.wait()
        }
        let barrier = queue.addBarrierBlock { bodies.enter() }
        let after = queue.addJob {}
        within { begun.wait() }
        assertHeld(after)
        barrier.cancel()
        waitForEnd(of: [barrier, after])
        XCTAssertEqual(running.phase, .executing, "what was before it goes on")
        XCTAssertEqual(cancellation(barrier.outcome), .requested)
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(bodies.total, 0)
    }

    func testW4_CancellingOneOfTwoBarriersLeavesTheOtherInForce() {
        for cancelled in [0, 1] {
            let queue = WorkQueue(maxConcurrentJobCount: 4), begun = Gate(), leave = Gate(), order = Log<String>()
            queue.addJob {
                begun.open()
                leave.wait()
                order.append("before")
            }
            let first = queue.addBarrierBlock { order.append("barrier") }
            let between = queue.addJob { order.append("between") }
            let second = queue.addBarrierBlock { order.append("barrier") }
            let after = queue.addJob { order.append("after") }
            within { begun.wait() }
            [first, second][cancelled].cancel()
            waitForEnd(of: [first, second][cancelled])
            assertHeld(after)
            if cancelled == 0 { waitForEnd(of: between) } else { assertHeld(between) }
            leave.open()
            assertDrained(queue)
            XCTAssertEqual(
                order.values, cancelled == 0 ? ["between", "before", "barrier", "after"] : ["before", "barrier"] + order.values.suffix(2))
            XCTAssertEqual(order.count, 4)
        }
    }

    func testW4_ARunningBarrierThatIsCancelledHoldsUntilItEnds() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), begun = Gate(), leave = Gate()
        let barrier = queue.addBarrierBlock {
            begun.open()
            leave.wait()
        }
        let after = queue.addJob {}
        within { begun.wait() }
        barrier.cancel()
        assertHeld(after)
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(cancellation(barrier.outcome), .requested)
        XCTAssertTrue(hasSucceeded(after.outcome))
    }

    func testW4_ACancelledJobWhileABarrierWaits() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), begun = Gate(), leave = Gate()
        queue.addJob {
            begun.open()
            leave.wait()
        }
        let barrier = queue.addBarrierBlock {}
        within { begun.wait() }
        let dead = BlockJob { XCTFail("was cancelled before it was added") }
        dead.cancel()
        add(dead, to: queue)
        waitForEnd(of: dead)
        assertHeld(barrier)
        leave.open()
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(barrier.outcome))
    }

    func testW4_ABarrierCostsNoEdgePerJob() {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true), runs = Meter()
        func took(_ waiting: Int) -> Duration {
            for _ in 0..<waiting { queue.addJob { runs.enter() } }
            return duration { for _ in 0..<200 { queue.addBarrierBlock { runs.enter() } } }
        }
        let few = took(50), many = took(20_000)
        XCTAssertLessThan(many, max(few * 20, .milliseconds(100)), "400 times the jobs in front")
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(runs.total, 20_450)
    }

    func testW4_CancellingManyBarriersIsCheap() {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
        let barriers = (0..<4_000).map { _ in
            queue.addJob {}
            return queue.addBarrierBlock {}
        }
        within(10, "linear in their number") {
            for barrier in barriers { barrier.cancel() }
            for barrier in barriers { barrier.waitUntilFinished() }
        }
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testS70_ABarrierOnASuspendedEmptyQueueWaitsForTheResume() {
        let queue = WorkQueue(isSuspended: true), order = Log<String>()
        let barrier = queue.addBarrierBlock { order.append("barrier") }
        assertHeld(barrier)
        XCTAssertEqual(order.count, 0)
        queue.isSuspended = false
        within {
            queue.waitUntilAllJobsAreFinished()
            order.append("wait ends")
        }
        XCTAssertEqual(order.values, ["barrier", "wait ends"])
    }

    func testS71_AHundredABarrierAHundredMoreAndASecondBarrier() {
        let queue = WorkQueue(maxConcurrentJobCount: 8), running = Meter(), ended = Meter(), seen = Log<[Int]>(),
            priorities = Job.QueuePriority.all
        func job(_ priority: Job.QueuePriority) {
            queue.addJob(priority: priority) {
                running.enter()
                dawdle(3_000)
                running.leave()
                ended.enter()
            }
        }
        for index in 0..<100 { job(priorities[index % 5]) }
        queue.addBarrierBlock { seen.append([running.current, ended.total, running.total]) }
        for index in 0..<100 { job(index == 50 ? .veryHigh : .normal) }
        queue.addBarrierBlock { seen.append([running.current, ended.total, running.total]) }
        assertDrained(queue)
        XCTAssertEqual(seen.values, [[0, 100, 100], [0, 200, 200]], "running, ended, begun at each barrier")
        XCTAssertLessThanOrEqual(running.peak, 8)
    }

    func testS71_AfterCancellingAllTheBarriersBodyDoesNotRunAndLaterJobsDo() {
        let queue = WorkQueue(maxConcurrentJobCount: 8), begun = Meter(), leave = Gate(), bodies = Meter()
        for _ in 0..<8 {
            queue.addJob {
                begun.enter()
                leave.wait()
            }
        }
        for _ in 0..<92 { queue.addJob { bodies.enter() } }
        let barrier = queue.addBarrierBlock { bodies.enter() }
        eventually("eight run") { begun.current == 8 }
        queue.cancelAllJobs()
        let later = (0..<10).map { _ in queue.addJob { 1 } }
        waitForEnd(of: barrier)
        XCTAssertEqual(cancellation(barrier.outcome), .requested)
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(bodies.total, 0)
        XCTAssertEqual(later.compactMap { try? $0.result?.get() }, Array(repeating: 1, count: 10))
    }

    func testS73_AnEmptyBatchAndAWaitReturnAtOnce() {
        let queue = WorkQueue()
        within(5) {
            try queue.addJobs([])
            try queue.addJobs([], waitUntilFinished: true)
            queue.waitUntilAllJobsAreFinished()
        }
        XCTAssertTrue(queue.waitUntilAllJobsAreFinished(timeout: .zero))
        XCTAssertEqual(queue.jobCount, 0)
    }

    func testS73_ABarrierOnAnEmptyQueueRunsAtOnce() {
        let queue = WorkQueue(), bodies = Meter()
        within(5) {
            queue.addBarrierBlock { bodies.enter() }
            queue.waitUntilAllJobsAreFinished()
        }
        XCTAssertEqual(bodies.total, 1)
    }

    func testS73_AWaitOnAnEmptyQueueReturnsAtOnceAlsoWhenSuspendedOrOfWidthZero() {
        for queue in [WorkQueue(), WorkQueue(isSuspended: true), WorkQueue(maxConcurrentJobCount: 0)] {
            within(5) { queue.waitUntilAllJobsAreFinished() }
            inTime(5) { await queue.waitUntilAllJobsAreFinished() }
            XCTAssertTrue(queue.waitUntilAllJobsAreFinished(timeout: .zero))
        }
    }
}
