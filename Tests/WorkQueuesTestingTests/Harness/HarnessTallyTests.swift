// What the harness says became of the jobs; what it lets go of; that a seed is a schedule.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class HarnessTallyTests: XCTestCase {
    func testEndsAreCountedSinceTheLastTally() {
        let harness = QueueHarness()
        harness.queue.addJob {}
        harness.queue.addJob { throw Trouble() }
        harness.queue.addJob {}.cancel()
        let tally = harness.drain()
        XCTAssertEqual([tally.succeeded, tally.failed, tally.cancelled, tally.finished], [1, 1, 1, 3])
        XCTAssertEqual("\(tally)", "1 succeeded, 1 failed, 1 cancelled")
        harness.queue.addJob {}
        XCTAssertEqual("\(harness.drain())", "1 succeeded, 0 failed, 0 cancelled")
    }

    func testStuckJobsSayWhy() throws {
        let harness = QueueHarness(), never = BlockJob {}, job = BlockJob {}
        (never.name, job.name) = ("never", "waits")
        try job.addDependency(never)
        try harness.queue.addJob(job)
        let tally = harness.drain()
        XCTAssertEqual(tally.stuck.count, 1)
        XCTAssertFalse(tally.isComplete)
        XCTAssertTrue("\(tally)".contains("waits") && "\(tally)".contains("never"), "\(tally)")
        XCTAssertThrowsError(try harness.expectQuiescent()) { error in
            XCTAssertTrue("\(error)".contains("\"waits\" (waiting)"), "\(error)")
        }
        job.removeDependency(never)
        XCTAssertTrue(harness.drain().isComplete)
    }

    func testASleeperIsAsleepAndWhatLeftIsOutside() throws {
        let harness = QueueHarness(), clock = harness.clock
        harness.queue.addJob(name: "sleeper") { () async throws in try await clock.sleep(for: .seconds(1)) }
        let door = AsyncStream.makeStream(of: Int.self)
        let visitor = harness.queue.addJob(name: "visitor") { () async -> Int in
            for await value in door.stream { return value }
            return 0
        }
        let tally = harness.drain()
        XCTAssertEqual(tally.asleep.count, 1)
        XCTAssertEqual(tally.outside.count, 1)
        XCTAssertTrue("\(tally)".contains("1 asleep:") && "\(tally)".contains("1 outside:"), "\(tally)")
        door.continuation.yield(42)
        XCTAssertEqual(try visitor.waitForValue(), 42)
        harness.advance(by: .seconds(1))
        XCTAssertTrue(harness.drain().isComplete)
    }

    func testSeveralQueuesTakeStepsAmongEachOther() throws {
        let harness = QueueHarness(maxConcurrentJobCount: 1)
        let other = harness.makeQueue(name: "other", maxConcurrentJobCount: 1, isSuspended: true)
        let first = harness.queue.addJob(name: "first") { 1 }
        let second = other.addJob(name: "second", after: first) { $0 + 1 }
        let third = harness.queue.addJob(name: "third", after: second) { $0 + 1 }
        XCTAssertEqual(harness.drain().stuck.count, 2)
        other.isSuspended = false
        XCTAssertEqual(try third.waitForValue(), 3)
        try harness.recorder.expectOrder("first", "second", "third")
    }

    func testAQueueThatIsLetGoWorksOn() throws {
        let harness = QueueHarness()
        var other: WorkQueue? = harness.makeQueue()
        let job = other?.addJob { 42 }
        weak let alive = other
        other = nil
        XCTAssertNil(alive)
        XCTAssertEqual(harness.drain().succeeded, 1)
        XCTAssertEqual(try job?.result?.get(), 42)
        try harness.expectQuiescent()
    }

    func testAHarnessThatGoesLetsGoOfStuckJobs() throws {
        var harness: QueueHarness? = QueueHarness()
        let other = harness?.makeQueue(isSuspended: true)
        var jobs: [Job] = [BlockJob {}, BlockJob {}, HandEndedJob()]
        try jobs[0].addDependency(jobs[1])
        try harness?.queue.addJobs([jobs[0]])
        try other?.addJob(jobs[1])
        try harness?.queue.addJob(jobs[2])
        let clock = try XCTUnwrap(harness?.clock)
        harness?.queue.addJob { () async throws in try await clock.sleep(for: .seconds(1)) }
        harness?.drain()
        weak let (waiting, held) = (jobs[0], jobs[1])
        weak let (harnessBefore, queueBefore) = (harness, harness?.queue)
        jobs.removeFirst(2)
        harness = nil
        XCTAssertNil(harnessBefore)
        XCTAssertNil(waiting)
        XCTAssertNil(held)
        // One that executes elsewhere is cancelled, and ends when it says so.
        XCTAssertTrue(jobs[0].isCancelled)
        withExtendedLifetime((other, queueBefore)) {}
    }

    // MARK: Seeds

    private func diagram(seed: UInt64) -> String {
        let harness = QueueHarness(maxConcurrentJobCount: 3, seed: seed), queue = harness.queue
        let first = queue.addJob(name: "first") { () async in await Task.yield() }
        let second = queue.addJob(name: "second") { 1 }
        for index in 0..<5 {
            queue.addJob(name: "after \(index)", dependencies: index.isMultiple(of: 2) ? [first] : [second]) { () async in
                await Task.yield()
            }
        }
        harness.concurrently({ first.cancel() }, { queue.isSuspended = true }, { queue.isSuspended = false })
        harness.drain()
        return "\(harness.recorder.diagram)"
    }

    func testTheSameSeedIsTheSameSchedule() {
        let first = diagram(seed: 7)
        for _ in 0..<100 { XCTAssertEqual(diagram(seed: 7), first) }
    }

    func testOtherSeedsAreOtherSchedules() {
        let diagrams = Set((0..<100).map { diagram(seed: UInt64($0)) })
        XCTAssertGreaterThan(diagrams.count, 50)
    }
}
