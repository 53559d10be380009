// W4: a barrier is a job that stands between all that was added before it and all that comes after.
import Foundation
import WorkQueues
import XCTest

final class BarrierTests: XCTestCase {
    func testW4_ABarrierIsARealJobListedAndCounted() {
        let queue = WorkQueue(maxConcurrentJobCount: 4, isSuspended: true), places = Log<Place>(), log = EventLog()
        queue.addObserver(log)
        let before = queue.addJob {}
        let barrier = queue.addBarrierBlock { places.append(.here) }
        let after = queue.addJob {}
        XCTAssertEqual(queue.jobs.map(\.id), [before.id, barrier.id, after.id])
        XCTAssertEqual(queue.jobCount, 3)
        XCTAssertTrue(barrier.queue === queue)
        XCTAssertNil(barrier.outcome)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(barrier.outcome))
        XCTAssertEqual(places.values.map { $0.isInside(barrier, on: queue) }, [true])
        XCTAssertEqual(log.count(.added, of: barrier.id), 1)
        XCTAssertEqual(log.count(.started, of: barrier.id), 1)
        XCTAssertEqual(log.count(.finished, of: barrier.id), 1)
    }

    func testW4_ItStartsWhenAllBeforeItHasFinished() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), leave = (0..<3).map { _ in Gate() }, done = Meter()
        let before = leave.map { gate in
            queue.addJob {
                gate.wait()
                done.enter()
            }
        }
        let seen = Log<Int>(), barrier = queue.addBarrierBlock { seen.append(done.total) }
        for index in [1, 0] {
            leave[index].open()
            waitForEnd(of: before[index])
            assertHeld(barrier, "one still runs, and the width has room")
        }
        leave[2].open()
        assertDrained(queue)
        XCTAssertEqual(seen.values, [3])
    }

    func testW4_AnAsyncJobHasFinishedOnlyWhenItSaysSo() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 4), held = HeldJob(), byHand = HandMadeJob()
        try queue.addJobs([held, byHand])
        let barrier = queue.addBarrierBlock {}
        within { held.begun.wait() }
        eventually("both have begun") { byHand.starts.total == 1 }
        held.finish()
        waitForEnd(of: held)
        assertHeld(barrier)
        byHand.end()
        waitForEnd(of: barrier)
    }

    func testW4_ItWaitsForTheCompletionsOfWhatWasBefore() {
        let queue = WorkQueue(maxConcurrentJobCount: 4, isSuspended: true), order = Log<String>(), leave = Gate(), begun = Gate()
        queue.addJob {}.addCompletion { _ in
            begun.open()
            leave.wait()
            order.append("completion")
        }
        let barrier = queue.addBarrierBlock { order.append("barrier") }
        queue.isSuspended = false
        within { begun.wait() }
        assertHeld(barrier, "a completion is part of its job")
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(order.values, ["completion", "barrier"])
    }

    func testW4_AJobBeforeItThatWaitsForAnEdgeHoldsItBack() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 4), root = HeldJob()
        queue.addJob(dependencies: [root]) {}
        let barrier = queue.addBarrierBlock {}, after = queue.addJob {}
        assertHeld(barrier)
        assertHeld(after)
        try WorkQueue(maxConcurrentJobCount: 1).addJob(root)
        within { root.begun.wait() }
        root.finish()
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(barrier.outcome))
    }

    func testW4_NothingAddedAfterItStartsBeforeItHasFinishedWhateverThePriorities() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 8), begun = Gate(), leave = Gate()
        queue.addBarrierBlock {
            begun.open()
            leave.wait()
        }
        let urgent = queue.addJob(priority: .veryHigh) {}
        let async = queue.addJob(priority: .veryHigh) { () async -> Void in await Task.yield() }
        let raised = queue.addJob(priority: .veryLow) {}
        let batch = [BlockJob {}, BlockJob {}]
        try queue.addJobs(batch)
        raised.queuePriority = .veryHigh
        within { begun.wait() }
        for job in [urgent, async, raised, batch[0], batch[1]] as [Job] { assertHeld(job, for: .milliseconds(10)) }
        leave.open()
        assertDrained(queue)
    }

    func testW4_ItHasFinishedOnlyAfterItsCompletions() {
        let queue = WorkQueue(maxConcurrentJobCount: 8, isSuspended: true), begun = Gate(), leave = Gate()
        queue.addBarrierBlock {}.addCompletion { _ in
            begun.open()
            leave.wait()
        }
        let after = queue.addJob {}
        queue.isSuspended = false
        within { begun.wait() }
        assertHeld(after)
        leave.open()
        assertDrained(queue)
    }

    func testW4_ALowPriorityBeforeItStillComesFirst() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), order = Log<String>()
        queue.addJob(priority: .veryLow) { order.append("very low, before") }
        queue.addBarrierBlock { order.append("barrier") }.queuePriority = .veryHigh
        queue.addJob(priority: .veryHigh) { order.append("very high, after") }
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(order.values, ["very low, before", "barrier", "very high, after"])
    }

    func testW4_BehindItJobsRunSideBySideAgain() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), meeting = Meeting(parties: 4), met = Meter()
        queue.addBarrierBlock {}
        for _ in 0..<4 { queue.addJob { if meeting.meet() { met.enter() } } }
        assertDrained(queue)
        XCTAssertEqual(met.total, 4)
    }

    func testW4_BarriersOneAfterAnotherKeepTheirOrder() {
        let queue = WorkQueue(maxConcurrentJobCount: 8), order = Log<Int>()
        for index in 0..<200 { queue.addBarrierBlock { order.append(index) } }
        assertDrained(queue)
        XCTAssertEqual(order.values, Array(0..<200))
    }

    func testW4_SlicesBetweenBarriersNeverMix() {
        let queue = WorkQueue(maxConcurrentJobCount: 8), order = Log<Int>(), priorities = Job.QueuePriority.all
        for slice in 0..<40 {
            for index in 0..<20 { queue.addJob(priority: priorities[index % 5]) { order.append(slice) } }
            queue.addBarrierBlock { order.append(slice) }
        }
        assertDrained(queue)
        XCTAssertEqual(order.values, order.values.sorted())
        XCTAssertEqual(order.count, 40 * 21)
    }

    func testW4_WhatAJobBeforeItAddsComesAfterIt() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), order = Log<String>(), go = Gate()
        queue.addJob {
            go.wait()
            queue.addJob { order.append("child") }
            order.append("parent")
        }
        queue.addBarrierBlock { order.append("barrier") }
        go.open()
        assertDrained(queue)
        XCTAssertEqual(order.values, ["parent", "barrier", "child"])
    }

    func testW4_ItsErrorIsItsOutcome() {
        let queue = WorkQueue(), barrier = queue.addBarrierBlock { throw Trouble(4) }, after = queue.addJob {}
        assertDrained(queue)
        XCTAssertEqual(trouble(barrier.outcome), Trouble(4))
        XCTAssertTrue(hasSucceeded(after.outcome))
    }

    func testW4_ItMayHaveEdgesOfItsOwn() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 4, isSuspended: true), root = HeldJob()
        let barrier = queue.addBarrierBlock {}, after = queue.addJob {}
        try barrier.addDependency(root)
        queue.isSuspended = false
        assertHeld(barrier)
        assertHeld(after)
        try WorkQueue(maxConcurrentJobCount: 1).addJob(root)
        within { root.begun.wait() }
        root.finish()
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(barrier.outcome))
    }
}

extension Job.QueuePriority {
    static let all: [Job.QueuePriority] = [.veryLow, .low, .normal, .high, .veryHigh]
}
