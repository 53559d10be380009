// S80: `start()` called by hand runs a body once; the rest is reported and ignored.
import Foundation
import WorkQueues
import XCTest

final class StartByHandTests: XCTestCase {
    private func reports(_ count: Int, file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void) rethrows {
        try MisuseLog.capturing { misuse in
            try body()
            XCTAssertEqual(misuse.messages.count, count, "\(misuse.messages)", file: file, line: line)
            XCTAssertTrue(misuse.messages.allSatisfy { !$0.isEmpty }, file: file, line: line)
        }
    }

    func testS80_Once() {
        reports(0) {
            let job = Probe(), completions = Meter()
            job.addCompletion { _ in completions.enter() }
            within { job.start() }
            XCTAssertEqual(job.runs.total, 1)
            XCTAssertEqual(completions.total, 1)
            XCTAssertEqual(job.phase, .finished)
            XCTAssertTrue(hasSucceeded(job.outcome))
            XCTAssertNil(job.queue)
        }
    }

    func testS80_Twice() {
        reports(1) {
            let job = Probe(), completions = Meter()
            job.addCompletion { _ in completions.enter() }
            within {
                job.start()
                job.start()
            }
            XCTAssertEqual(job.runs.total, 1)
            XCTAssertEqual(completions.total, 1)
        }
    }

    func testS80_TwiceWhileItRuns() {
        reports(1) {
            let job = Probe { $0.start() }
            within { job.start() }
            XCTAssertEqual(job.runs.total, 1)
            XCTAssertEqual(job.runs.peak, 1)
            XCTAssertTrue(job.isFinished)
        }
    }

    func testS80_WithAnUnmetEdge() throws {
        try reports(1) {
            let root = Probe(), job = Probe()
            try job.addDependency(root)
            within { job.start() }
            XCTAssertEqual(job.runs.total, 0)
            XCTAssertFalse(job.isFinished)
            within { root.start() }
            XCTAssertEqual(root.runs.total, 1)
            within { job.start() }
            XCTAssertEqual(job.runs.total, 1, "now the edge is met")
            XCTAssertTrue(job.isFinished)
        }
    }

    func testS80_AfterARefusedStartItMayBeAdded() throws {
        try reports(1) {
            let root = Probe(), job = Probe(), queue = WorkQueue()
            try job.addDependency(root)
            within { job.start() }
            try queue.addJobs([job, root])
            assertDrained(queue)
            XCTAssertEqual(job.runs.total, 1)
        }
    }

    func testS80_FromTwoThreads() {
        let rounds = Rounds.scaled(5_000)
        reports(rounds) {
            race(
                rounds: rounds, "two starts",
                prepare: { _ in Probe() },
                [{ $0.start() }, { $0.start() }],
                check: { round, job in
                    XCTAssertEqual(job.runs.total, 1, "round \(round)")
                    XCTAssertTrue(job.isFinished)
                })
        }
    }

    func testS80_AQueuedJob() throws {
        try reports(1) {
            let queue = WorkQueue(isSuspended: true), job = Probe()
            try queue.addJob(job)
            within { job.start() }
            XCTAssertEqual(job.runs.total, 0)
            assertHeld(job)
            queue.isSuspended = false
            assertDrained(queue)
            XCTAssertEqual(job.runs.total, 1, "its queue ran it")
        }
    }

    func testS80_ARunningJobOfAQueue() throws {
        try reports(1) {
            let queue = WorkQueue(maxConcurrentJobCount: 1), job = HeldJob()
            try queue.addJob(job)
            within { job.begun.wait() }
            within { job.start() }
            XCTAssertEqual(job.runs.total, 1)
            XCTAssertFalse(job.isFinished)
            job.finish()
            assertDrained(queue)
        }
    }

    func testS80_AFinishedJobOfAQueue() throws {
        try reports(1) {
            let queue = WorkQueue(), job = Probe()
            try queue.addJob(job)
            assertDrained(queue)
            within { job.start() }
            XCTAssertEqual(job.runs.total, 1)
        }
    }

    func testS80_RacingTheQueue() {
        MisuseLog.capturing { misuse in
            let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1)), rounds = Rounds.scaled(5_000), refused = Meter()
            race(
                rounds: rounds, "a start by hand against an add",
                prepare: { _ in Probe() },
                [
                    { (job: Probe) in job.start() },
                    { job in
                        if refusal({ try queue.addJob(job) }) != nil { refused.enter() }
                    },
                ],
                check: { round, job in
                    job.waitUntilFinished()
                    XCTAssertEqual(job.runs.total, 1, "round \(round)")
                })
            assertDrained(queue)
            XCTAssertEqual(misuse.messages.count + refused.total, rounds, "one of the two was told so in each round")
        }
    }

    func testS80_ABlockJobByHand() throws {
        try reports(0) {
            let blocks = Meter(), job = BlockJob { blocks.enter() }
            try job.addExecutionBlock { blocks.enter() }
            within { job.start() }
            XCTAssertEqual(blocks.total, 2)
            XCTAssertTrue(job.isFinished)
        }
    }

    func testS80_AnAsyncJobByHand() {
        reports(0) {
            let job = HeldJob()
            within { job.start() }
            XCTAssertEqual(job.runs.total, 1)
            XCTAssertEqual(job.phase, .executing)
            XCTAssertFalse(job.isFinished)
            job.finish()
            waitForEnd(of: job)
            XCTAssertTrue(hasSucceeded(job.outcome))
        }
    }

    func testS80_AHandMadeJobByHand() {
        reports(0) {
            let job = HandMadeJob(), completions = Meter()
            job.addCompletion { _ in completions.enter() }
            within { job.start() }
            XCTAssertEqual(job.starts.total, 1)
            XCTAssertFalse(job.phase == .finished)
            job.end()
            waitForEnd(of: job)
            XCTAssertEqual(completions.total, 1)
        }
    }

    func testS80_ADependencyStartedByHandMeetsItsEdges() throws {
        try reports(0) {
            let queue = WorkQueue(), root = Probe(), dependent = Probe()
            try dependent.addDependency(root)
            try queue.addJob(dependent)
            assertHeld(dependent)
            within { root.start() }
            assertDrained(queue)
            XCTAssertEqual(dependent.runs.total, 1)
        }
    }
}
