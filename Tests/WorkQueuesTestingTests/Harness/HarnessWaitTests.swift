// Waits inside the harness: on the test's thread, in bodies, and those that can never end.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class HarnessWaitTests: XCTestCase {
    func testOfTwoBodiesThatWaitTheLaterOneGoesOnFirst() throws {
        for seed in 0..<20 as Range<UInt64> {
            let harness = QueueHarness(maxConcurrentJobCount: 2, seed: seed), log = HandLog()
            let other = harness.makeQueue(maxConcurrentJobCount: 2), begun = Shared<[HandEndedJob]>([])
            for name in ["a", "b"] {
                let gate = HandEndedJob()
                try other.addJob(gate)
                harness.queue.addJob {
                    log.note("\(name) waits")
                    begun.value.append(gate)
                    // What the earlier one waits for ends first.
                    if begun.value.count == 2 { harness.concurrently({ begun.value[0].finish() }, { begun.value[1].finish() }) }
                    gate.waitUntilFinished()
                    log.note("\(name) goes on")
                }
            }
            XCTAssertTrue(harness.drain().isComplete)
            let (first, second) = log.entries.first == "a waits" ? ("a", "b") : ("b", "a")
            XCTAssertEqual(log.entries, ["\(first) waits", "\(second) waits", "\(second) goes on", "\(first) goes on"], "seed \(seed)")
        }
    }

    func testAWaitThatCanNeverEndIsReportedAndReturns() throws {
        let harness = QueueHarness(), never = HandEndedJob()
        try harness.queue.addJob(never)
        let reports = reported { never.waitUntilFinished() }
        XCTAssertEqual(reports.count, 1)
        XCTAssertTrue(reports.first?.contains("can never end") ?? false, "\(reports)")
        XCTAssertFalse(never.isFinished)
        never.finish()
        XCTAssertTrue(harness.drain().isComplete)
    }

    /// The limit of one thread: the earlier body cannot go on while the later one is above it on the stack.
    func testABodyThatWaitsForOneBelowItOnTheStackIsReported() throws {
        let harness = QueueHarness(maxConcurrentJobCount: 2), gate = HandEndedJob()
        try harness.queue.addJob(gate)
        let other = harness.makeQueue(maxConcurrentJobCount: 2)
        let below = BlockJob { gate.waitUntilFinished() }
        let above = BlockJob {
            gate.finish()
            below.waitUntilFinished()
        }
        try other.addJob(below)
        while below.phase != .executing { harness.step() }
        try other.addJob(above)
        let reports = reported { harness.drain() }
        // Which of the two bodies begins first is the seed's choice; only if `above` is above is there anything to report.
        XCTAssertLessThanOrEqual(reports.count, 1)
        XCTAssertTrue(below.isFinished && above.isFinished)
        XCTAssertTrue(harness.drain().isComplete)
    }

    func testRunReturnsAndThrowsWhatTheBodyDoes() throws {
        let harness = QueueHarness()
        XCTAssertEqual(try harness.run { 42 }, 42)
        XCTAssertThrowsError(try harness.run { throw Trouble() }) { XCTAssertTrue($0 is Trouble) }
        let queue = harness.queue
        let value = try harness.run {
            async let one = queue.addJob { 1 }.value
            async let two = queue.run { 2 }
            return try await one + two
        }
        XCTAssertEqual(value, 3)
        try harness.expectQuiescent()
    }

    func testRunThatCanNeverReturnSaysWhatIsLeft() throws {
        let harness = QueueHarness(), never = HandEndedJob()
        never.name = "never"
        try harness.queue.addJob(never)
        let text = thrown { try harness.run { _ = await never.waitUntilFinished() } }
        XCTAssertTrue(text?.contains("nothing can happen any more") ?? false, text ?? "nothing")
        XCTAssertTrue(text?.contains("\"never\" (executing)") ?? false, text ?? "nothing")
        never.finish()
        harness.drain()
    }

    private func reported(_ body: () -> Void) -> [String] {
        let (log, old) = (HandLog(), WorkQueue.misuseHandler)
        WorkQueue.misuseHandler = { log.note($0) }
        body()
        WorkQueue.misuseHandler = old
        return log.entries
    }
}

/// Lines in the order in which they came.
final class HandLog: @unchecked Sendable {
    // Unchecked because one thread takes all steps.
    private(set) var entries: [String] = []

    func note(_ entry: String) { entries.append(entry) }
}
