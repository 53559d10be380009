// A barrier waits for all before it and holds all behind it, so rings go through it too (D2).
import WorkQueues
import XCTest

final class BarrierCycleTests: XCTestCase {
    func testD2_AJobBehindABarrierThatAJobBeforeItWaitsFor() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let before = Probe(), behind = Probe()
        try before.addDependency(behind)
        try queue.addJob(before)
        let barrier = queue.addBarrierBlock {}
        let error = assertRefused(.dependencyCycle) { try queue.addJob(behind) }
        assertRing(error, of: behind, to: barrier, length: 3, barriers: [barrier])
        XCTAssertTrue(error?.cyclePath.contains(before) == true)
        // No trace: neither in the queue nor marked as added.
        XCTAssertEqual(queue.jobs, [before, barrier])
        XCTAssertEqual(queue.jobCount, 2)
        XCTAssertEqual(behind.phase, .created)
        XCTAssertNil(behind.queue)
        before.removeDependency(behind)
        try queue.addJob(behind)
        assertDrained(queue)
        XCTAssertEqual([before, behind].map(\.runs.total), [1, 1])
    }

    func testD2_AlsoThroughAJobInNoQueueAndOneInAnother() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), other = WorkQueue(maxConcurrentJobCount: 2)
        let before = Probe(), foreign = Probe(), nowhere = Probe(), behind = Probe()
        try before.addDependency(foreign)
        try foreign.addDependency(nowhere)
        try nowhere.addDependency(behind)
        try other.addJob(foreign)
        try queue.addJob(before)
        let barrier = queue.addBarrierBlock {}
        let error = assertRefused(.dependencyCycle) { try queue.addJob(behind) }
        assertRing(error, of: behind, to: barrier, length: 5, barriers: [barrier])
        // Elsewhere it is behind no barrier.
        try other.addJob(behind)
        try other.addJob(nowhere)
        assertDrained(queue)
        assertDrained(other)
        XCTAssertEqual([before, foreign, nowhere, behind].map(\.runs.total), [1, 1, 1, 1])
    }

    func testD2_ThroughTwoBarriersOfOneQueue() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let before = Probe(), between = Probe(), behind = Probe()
        try before.addDependency(behind)
        try queue.addJob(before)
        let first = queue.addBarrierBlock {}
        try queue.addJob(between)
        let second = queue.addBarrierBlock {}
        let error = assertRefused(.dependencyCycle) { try queue.addJob(behind) }
        XCTAssertIdentical(error?.cyclePath.first, behind)
        XCTAssertIdentical(error?.cyclePath.last, behind)
        XCTAssertTrue(error?.cyclePath.contains { $0 === first || $0 === second } == true, "a barrier is in the path")
        XCTAssertTrue(error?.cyclePath.contains(before) == true)
        XCTAssertEqual(queue.jobs, [before, first, between, second])
        before.removeDependency(behind)
        try queue.addJob(behind)
        assertDrained(queue)
        XCTAssertEqual([before, between, behind].map(\.runs.total), [1, 1, 1])
    }

    func testD2_ThroughTheBarriersOfTwoQueues() throws {
        let one = WorkQueue(maxConcurrentJobCount: 2), two = WorkQueue(maxConcurrentJobCount: 2)
        let beforeOne = Probe(), behindOne = Probe(), beforeTwo = Probe(), behindTwo = Probe()
        try beforeOne.addDependency(behindTwo)
        try beforeTwo.addDependency(behindOne)
        try one.addJob(beforeOne)
        try two.addJob(beforeTwo)
        let barrierOne = one.addBarrierBlock {}, barrierTwo = two.addBarrierBlock {}
        try one.addJob(behindOne)
        let error = assertRefused(.dependencyCycle) { try two.addJob(behindTwo) }
        assertRing(error, of: behindTwo, to: barrierTwo, length: 6, barriers: [barrierOne, barrierTwo])
        beforeOne.removeDependency(behindTwo)
        try two.addJob(behindTwo)
        assertDrained(one)
        assertDrained(two)
        XCTAssertEqual([beforeOne, behindOne, beforeTwo, behindTwo].map(\.runs.total), [1, 1, 1, 1])
    }

    func testD2_AnEdgeFromBeforeABarrierToBehindIt() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
        let before = Probe(), behind = Probe()
        try queue.addJob(before)
        let barrier = queue.addBarrierBlock {}
        try queue.addJob(behind)
        let error = assertRefused(.dependencyCycle) { try before.addDependency(behind) }
        assertRing(error, of: before, to: behind, length: 3, barriers: [barrier])
        XCTAssertEqual(before.dependencies, [])
        try behind.addDependency(before)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual([before, behind].map(\.runs.total), [1, 1])
    }

    func testD2_AnEdgeToTheBarrierItself() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
        let before = Probe(), behind = Probe(), outside = Probe()
        try queue.addJob(before)
        let barrier = queue.addBarrierBlock {}
        assertRing(
            assertRefused(.dependencyCycle) { try before.addDependency(barrier) }, of: before, to: barrier, length: 2, barriers: [barrier])
        try behind.addDependency(barrier)
        try queue.addJob(behind)
        assertRing(assertRefused(.dependencyCycle) { try barrier.addDependency(behind) }, of: barrier, to: behind, length: 2)
        try barrier.addDependency(outside)
        let error = assertRefused(.dependencyCycle) { try queue.addJob(outside) }
        assertRing(error, of: outside, to: barrier, length: 2)
        queue.isSuspended = false
        let other = WorkQueue(maxConcurrentJobCount: 1)
        try other.addJob(outside)
        assertDrained(queue)
        assertDrained(other)
        XCTAssertEqual([before, behind, outside].map(\.runs.total), [1, 1, 1])
        XCTAssertTrue(hasSucceeded(barrier.outcome))
    }

    func testD2_ABatchBehindABarrierIsRefusedAsAWhole() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let before = Probe(), behind = Probe(), good = Probe()
        try before.addDependency(behind)
        try queue.addJob(before)
        let barrier = queue.addBarrierBlock {}
        let error = assertRefused(.dependencyCycle) { try queue.addJobs([good, behind]) }
        XCTAssertTrue(error?.cyclePath.contains(barrier) == true)
        XCTAssertEqual(queue.jobs, [before, barrier])
        XCTAssertEqual([good, behind].map(\.phase), [.created, .created])
        before.removeDependency(behind)
        try queue.addJobs([good, behind])
        assertDrained(queue)
        XCTAssertEqual([before, good, behind].map(\.runs.total), [1, 1, 1])
    }

    func testD2_BarriersThatAreGoneCloseNoRing() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let before = Probe(), behind = Probe()
        try before.addDependency(behind)
        try queue.addJob(before)
        let barrier = queue.addBarrierBlock {}
        barrier.cancel()
        waitForEnd(of: barrier)
        try queue.addJob(behind)
        assertDrained(queue)
        XCTAssertEqual([before, behind].map(\.runs.total), [1, 1])
    }

    func testD2_AJobAddedBeforeTheBarrierIsBehindNothing() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
        let first = Probe(), second = Probe()
        try first.addDependency(second)
        try queue.addJobs([first, second])
        let barrier = queue.addBarrierBlock {
            XCTAssertTrue(first.isFinished)
            XCTAssertTrue(second.isFinished)
        }
        let behind = Probe()
        try behind.addDependency(first)
        try queue.addJob(behind)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(barrier.outcome))
        XCTAssertEqual([first, second, behind].map(\.runs.total), [1, 1, 1])
    }

    func testD2_TwoThreadsThatCloseARingThroughABarrier() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(10_000), "an edge against an add",
            prepare: { _ -> (before: Probe, behind: Probe, refusals: Meter) in
                let before = Probe()
                queue.isSuspended = true
                add(before, to: queue)
                queue.addBarrierBlock {}
                return (before, Probe(), Meter())
            },
            { round in if !link(round.before, to: round.behind, unless: .dependencyCycle) { round.refusals.enter() } },
            { round in if !add(round.behind, to: queue, unless: .dependencyCycle) { round.refusals.enter() } },
            check: { _, round in
                XCTAssertEqual(round.refusals.total, 1)
                queue.isSuspended = false
                if round.behind.phase == .created {
                    round.before.removeDependency(round.behind)
                    add(round.behind, to: queue)
                }
                queue.waitUntilAllJobsAreFinished()
                XCTAssertEqual([round.before, round.behind].map(\.runs.total), [1, 1])
            })
        assertDrained(queue)
    }

    func testD2_ManyAddsBehindALargeQueueStayCheap() throws {
        assertScales("adding behind a barrier", from: Rounds.scaled(5_000)) { count in
            let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
            let counters = Link.Counters()
            var previous: Job?
            for _ in 0..<count { previous = queue.addJob(dependencies: previous.map { [$0] } ?? []) {} }
            queue.addBarrierBlock {}
            // Each has a dependent already, so that the search for a ring has to look.
            let pairs = (0..<count / 10).map { _ in (job: Link(counters), dependent: Link(counters)) }
            for pair in pairs { link(pair.dependent, to: pair.job) }
            let time = ContinuousClock().measure {
                for pair in pairs { add(pair.job, to: queue) }
            }
            queue.cancelAllJobs()
            assertDrained(queue)
            return time
        }
    }
}
