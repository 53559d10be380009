// The harness: nothing runs until told, the same seed is the same schedule, and waits take steps.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class QueueHarnessTests: XCTestCase {
    func testNothingRunsUntilTold() {
        let harness = QueueHarness()
        let job = harness.queue.addJob { 42 }
        XCTAssertFalse(job.isFinished)
        XCTAssertEqual(job.phase, .ready)
        XCTAssertTrue(harness.step())
        XCTAssertEqual(job.phase, .executing, "the claim")
        XCTAssertTrue(harness.step())
        let tally = harness.drain()
        XCTAssertEqual(try job.result?.get(), 42)
        XCTAssertEqual(tally.succeeded, 1)
        XCTAssertTrue(tally.isComplete, "\(tally)")
        XCTAssertFalse(harness.step())
    }

    func testTwoJobsAndADependency() throws {
        let harness = QueueHarness()
        let fetch = harness.queue.addJob(name: "fetch") { 20 }
        let parse = harness.queue.addJob(name: "parse", after: fetch) { $0 + 22 }
        harness.drain()
        try harness.recorder.expectOrder("fetch", "parse")
        XCTAssertEqual(try parse.waitForValue(), 42)
        try harness.expectQuiescent()
    }

    func testABlockingWaitOnTheTestsThreadTakesSteps() throws {
        let harness = QueueHarness()
        let job = harness.queue.addJob { 42 }
        XCTAssertEqual(try job.waitForValue(), 42)
        harness.queue.addJob { 1 }
        harness.queue.waitUntilAllJobsAreFinished()
        try harness.expectQuiescent()
    }

    func testABlockingWaitInABodyTakesSteps() throws {
        let harness = QueueHarness(maxConcurrentJobCount: 1)
        let queue = harness.queue
        let outer = queue.addJob { try queue.addJob { 20 }.waitForValue() + 22 }
        harness.drain()
        XCTAssertEqual(try outer.waitForValue(), 42)
    }

    func testRunAwaitsValues() throws {
        let harness = QueueHarness()
        let job = harness.queue.addJob { () async in 42 }
        XCTAssertEqual(try harness.run { try await job.value }, 42)
    }

    func testAJobThatSleepsOnTheClock() throws {
        let harness = QueueHarness()
        let clock = harness.clock
        let job = harness.queue.addJob { () async throws -> Int in
            try await clock.sleep(for: .seconds(30))
            return 42
        }
        XCTAssertEqual(harness.drain().asleep.count, 1)
        harness.advance(by: .seconds(29))
        XCTAssertFalse(job.isFinished)
        harness.advance(by: .seconds(1))
        XCTAssertEqual(try job.result?.get(), 42)
        XCTAssertEqual(clock.now.offset, .seconds(30))
        try harness.expectQuiescent()
    }
}
