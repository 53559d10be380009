// S81: a `BlockJob` runs each of its blocks once, ends after all of them, and takes no late ones.
import Foundation
import WorkQueues
import XCTest

final class BlockJobTests: XCTestCase {
    func testS81_OneTwoAndFiveBlocksEachOnce() throws {
        for count in [0, 1, 2, 5] {
            let queue = WorkQueue(maxConcurrentJobCount: 4), runs = Log<Int>(), job = BlockJob()
            for index in 0..<count { try job.addExecutionBlock { runs.append(index) } }
            XCTAssertEqual(job.executionBlocks.count, count)
            try queue.addJob(job)
            assertDrained(queue)
            XCTAssertEqual(runs.values.sorted(), Array(0..<count))
            XCTAssertTrue(hasSucceeded(job.outcome))
        }
    }

    func testS81_TheInitializersBlockIsTheFirst() throws {
        let queue = WorkQueue(), runs = Meter(), job = BlockJob { runs.enter() }
        XCTAssertEqual(job.executionBlocks.count, 1)
        try job.addExecutionBlock { runs.enter() }
        XCTAssertEqual(job.executionBlocks.count, 2)
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(runs.total, 2)
    }

    func testS81_ItEndsAfterAllOfThem() throws {
        for last in 0..<3 {
            let queue = WorkQueue(maxConcurrentJobCount: 4), gates = (0..<3).map { _ in Gate() }, runs = Meter(), job = BlockJob()
            for gate in gates {
                try job.addExecutionBlock {
                    gate.wait()
                    runs.enter()
                }
            }
            let dependent = queue.addJob(dependencies: [job]) { runs.total }
            try queue.addJob(job)
            for (index, gate) in gates.enumerated() where index != last { gate.open() }
            assertUnfinished(job)
            assertHeld(dependent)
            gates[last].open()
            assertDrained(queue)
            XCTAssertEqual(try dependent.result?.get(), 3)
        }
    }

    func testS81_ABlockMayBeAddedWhileItWaits() throws {
        let queue = WorkQueue(isSuspended: true), runs = Meter(), job = BlockJob { runs.enter() }
        try queue.addJob(job)
        try job.addExecutionBlock { runs.enter() }
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(runs.total, 2)
    }

    func testS81_ALateBlockIsRefused() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate(), late = Meter(),
            job = BlockJob {
                begun.open()
                leave.wait()
            }
        try queue.addJob(job)
        within { begun.wait() }
        assertRefused(.alreadyStarted, "it runs") { try job.addExecutionBlock { late.enter() } }
        leave.open()
        assertDrained(queue)
        assertRefused(.alreadyFinished, "it has ended") { try job.addExecutionBlock { late.enter() } }
        XCTAssertEqual(late.total, 0)
        XCTAssertTrue(hasSucceeded(job.outcome))
    }

    func testS81_ABlockAddedByABlockIsRefused() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), late = Meter(), job = BlockJob()
        try job.addExecutionBlock { [weak job] in
            guard let job else { return }
            assertRefused(.alreadyStarted) { try job.addExecutionBlock { late.enter() } }
        }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(late.total, 0)
    }

    func testS81_RacingTheStartABlockIsRunOrRefused() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        race(
            rounds: Rounds.scaled(10_000), "run or refused",
            prepare: { _ in Late() },
            [
                { (late: Late) in add(late.job, to: queue) },
                { late in
                    let runs = late.runs
                    if refusal({ try late.job.addExecutionBlock { runs.enter() } }) != nil { late.refused.enter() }
                },
            ],
            check: { round, late in
                late.job.waitUntilFinished()
                XCTAssertEqual(late.runs.total + late.refused.total, 1, "round \(round)")
            })
        assertDrained(queue)
    }

    func testS81_ItTakesOneSlotWhateverTheNumberOfBlocks() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate(),
            job = BlockJob {
                begun.open()
                leave.wait()
            }
        for _ in 0..<4 { try job.addExecutionBlock {} }
        try queue.addJob(job)
        let next = queue.addJob {}
        within { begun.wait() }
        assertHeld(next)
        leave.open()
        assertDrained(queue)
        let meter = Meter()
        for _ in 0..<20 {
            queue.addJob {
                meter.enter()
                dawdle(500)
                meter.leave()
            }
        }
        assertDrained(queue)
        XCTAssertEqual(meter.peak, 1, "and gives back one")
    }

    func testS81_CancelledBeforeItsTurnItRunsNoBlock() throws {
        let queue = WorkQueue(isSuspended: true), runs = Meter(), job = BlockJob { runs.enter() }
        try job.addExecutionBlock { runs.enter() }
        try queue.addJob(job)
        job.cancel()
        waitForEnd(of: job)
        XCTAssertEqual(runs.total, 0)
        XCTAssertEqual(cancellation(job.outcome), .requested)
    }
}

private final class Late: Sendable {
    let job = BlockJob {}
    let runs = Meter()
    let refused = Meter()
}
