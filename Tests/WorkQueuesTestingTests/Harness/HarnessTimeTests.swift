// Virtual time in the harness: instants, limits, the automatic width.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class HarnessTimeTests: XCTestCase {
    func testAdvanceGoesInstantByInstant() {
        let harness = QueueHarness(maxConcurrentJobCount: 4), clock = harness.clock
        let log = HandLog()
        for (name, seconds) in [("late", 3), ("early", 1), ("alsoEarly", 1)] {
            harness.queue.addJob(name: name) { () async throws in
                try await clock.sleep(for: .seconds(seconds))
                log.note("\(name) at \(clock.now.offset)")
                if name == "early" {
                    // Comes between the two instants.
                    try await clock.sleep(for: .seconds(1))
                    log.note("again at \(clock.now.offset)")
                }
            }
        }
        XCTAssertEqual(harness.drain().asleep.count, 3)
        harness.advance(by: .milliseconds(999))
        XCTAssertEqual(log.entries, [])
        harness.advance(by: .seconds(5))
        XCTAssertEqual(Set(log.entries.prefix(2)), ["early at 1.0 seconds", "alsoEarly at 1.0 seconds"])
        XCTAssertEqual(log.entries.suffix(2), ["again at 2.0 seconds", "late at 3.0 seconds"])
        XCTAssertEqual(clock.now.offset, .milliseconds(5_999))
    }

    func testTheTimeOfEventsIsThatOfTheClock() throws {
        let harness = QueueHarness(), clock = harness.clock
        harness.queue.addJob(name: "nap") { () async throws in try await clock.sleep(for: .seconds(7)) }
        harness.drain()
        harness.advance(by: .seconds(7))
        let span = try XCTUnwrap(harness.recorder.span(of: "nap"))
        let length = span.lowerBound.duration(to: span.upperBound)
        // Events of one instant are a nanosecond apart.
        XCTAssertTrue(length > .milliseconds(6_999) && length < .milliseconds(7_001), "\(length)")
    }

    func testAWaitWithALimitMovesTheClockToItsLimitAndNoFurther() throws {
        let harness = QueueHarness(), job = HandEndedJob()
        try harness.queue.addJob(job)
        XCTAssertFalse(job.waitUntilFinished(timeout: .seconds(5)))
        XCTAssertEqual(harness.clock.now.offset, .seconds(5))
        XCTAssertFalse(harness.queue.waitUntilAllJobsAreFinished(timeout: .seconds(5)))
        XCTAssertEqual(harness.clock.now.offset, .seconds(10))
        let isOver = try harness.run { await job.waitUntilFinished(timeout: .seconds(5)) }
        XCTAssertFalse(isOver)
        XCTAssertEqual(harness.clock.now.offset, .seconds(15))
        harness.concurrently({ job.finish() })
        XCTAssertTrue(job.waitUntilFinished(timeout: .seconds(5)))
        XCTAssertEqual(harness.clock.now.offset, .seconds(15), "what can happen at once happens before the clock moves")
    }

    /// A wait that nothing could end moved the clock to the end of all numbers, and the next event ended the process.
    func testTheClockSurvivesWaitsWithoutEnd() throws {
        let harness = QueueHarness(), job = HandEndedJob()
        try harness.queue.addJob(job)
        XCTAssertNotNil(thrown { try harness.run { _ = await job.waitUntilFinished() } })
        XCTAssertEqual(harness.clock.now.offset, .zero)
        XCTAssertFalse(job.waitUntilFinished(timeout: .seconds(Int64.max)))
        harness.advance(by: .seconds(Int64.max))
        job.finish()
        harness.queue.addJob {}
        XCTAssertTrue(harness.drain().isComplete)
    }

    func testABlockingWaitForASleeperMovesTheClock() {
        let harness = QueueHarness(), clock = harness.clock
        let job = harness.queue.addJob { () async throws -> Int in
            try await clock.sleep(for: .seconds(3_600))
            return 42
        }
        XCTAssertEqual(try job.waitForValue(), 42)
        XCTAssertEqual(clock.now.offset, .seconds(3_600))
    }

    /// A queue of automatic width looks at itself as long as its jobs are stuck; that is no reason to wait for ever.
    func testAStuckWaitForAQueueOfAutomaticWidthReturns() throws {
        let harness = QueueHarness(), queue = harness.makeQueue(maxConcurrentJobCount: WorkQueue.defaultMaxConcurrentJobCount)
        let jobs = (0..<80).map { _ in HandEndedJob() }
        try queue.addJobs(jobs)
        XCTAssertNotNil(thrown { try harness.run { _ = await jobs[79].waitUntilFinished() } })
        XCTAssertEqual(jobs.count { $0.phase == .executing }, 64)
        XCTAssertEqual(harness.clock.timerCount, 0)
        for job in jobs { job.finish() }
        XCTAssertTrue(harness.drain().isComplete)
        try harness.expectQuiescent()
    }

    func testTheAutomaticWidthGrowsTheSameWayEveryTime() throws {
        func widths() throws -> [Int] {
            let harness = QueueHarness(), queue = harness.makeQueue(maxConcurrentJobCount: WorkQueue.defaultMaxConcurrentJobCount)
            let jobs = (0..<64).map { _ in HandEndedJob() }
            try queue.addJobs(jobs)
            var widths: [Int] = []
            for _ in 0..<8 {
                harness.advance(by: .milliseconds(20))
                widths.append(jobs.count { $0.phase == .executing })
            }
            for job in jobs { job.finish() }
            harness.drain()
            return widths
        }
        let first = try widths()
        XCTAssertEqual(first, first.sorted())
        XCTAssertGreaterThan(first.last ?? 0, first.first ?? 0, "\(first)")
        for _ in 0..<5 { XCTAssertEqual(try widths(), first) }
    }
}
