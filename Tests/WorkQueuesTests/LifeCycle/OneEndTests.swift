// Whatever its road, a job ends exactly once, and of several ends the first wins (L3).
import WorkQueues
import XCTest

final class OneEndTests: XCTestCase {
    private var misuse: MisuseLog!

    override func setUp() {
        misuse = MisuseLog()
    }

    override func tearDown() {
        misuse.restore()
    }

    func testL3_SeveralFinishesTheFirstWins() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = HeldJob()
        let ends = counting(job)
        try queue.addJob(job)
        job.begun.wait()
        job.finish()
        job.finish(throwing: Trouble(1))
        job.finish()
        job.state = .finished
        assertDrained(queue)
        job.finish(throwing: Trouble(2))
        XCTAssertTrue(hasSucceeded(job.outcome))
        XCTAssertEqual(ends.total, 2)
        XCTAssertEqual(misuse.messages, [], "later ends are not errors")
    }

    func testL3_TheFirstFailureIsKeptAgainstALaterSuccess() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = HeldJob()
        let ends = counting(job)
        try queue.addJob(job)
        job.begun.wait()
        job.finish(throwing: Trouble(1))
        job.finish(throwing: Trouble(2))
        job.finish()
        assertDrained(queue)
        XCTAssertEqual(trouble(job.outcome), Trouble(1))
        XCTAssertEqual(ends.total, 2)
        XCTAssertEqual(misuse.messages, [])
    }

    func testL3_ACancelBeforeTheFinishWinsAndOneAfterItLoses() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let before = HeldJob(), after = HeldJob()
        try queue.addJobs([before, after])
        before.begun.wait()
        after.begun.wait()
        before.cancel(reason: .custom("first"))
        before.finish()
        after.finish()
        after.cancel()
        assertDrained(queue)
        XCTAssertEqual(cancellation(before.outcome), .custom("first"))
        XCTAssertTrue(hasSucceeded(after.outcome))
        XCTAssertFalse(after.isCancelled)
        XCTAssertEqual(misuse.messages, [])
    }

    func testL3_AFinishFixesTheEndBeforeItReturns() throws {
        let gate = Gate()
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = HeldJob()
        job.addCompletion { _ in gate.wait() }
        try queue.addJob(job)
        job.begun.wait()
        job.finish(throwing: Trouble(1))
        XCTAssertEqual(job.phase, .finished)
        XCTAssertTrue(job.isFinished)
        XCTAssertFalse(job.isExecuting)
        XCTAssertEqual(trouble(job.outcome), Trouble(1))
        gate.open()
        assertDrained(queue)
    }

    func testL3_OfACallbacksSeveralAnswersTheFirstWins() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job: ResultJob<Int> = queue.addJob(completing: { done in
            done.finish(returning: 1)
            done.finish(returning: 2)
            done.finish(throwing: Trouble())
        })
        assertDrained(queue)
        XCTAssertEqual(try job.result?.get(), 1)
        XCTAssertTrue(hasSucceeded(job.outcome))
        XCTAssertEqual(misuse.messages, [])
    }

    func testL3_SeveralPostsOfAnEndAreOneEnd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = PostingJob()
        let ends = counting(job)
        let next = Probe { _ in XCTAssertTrue(job.isFinished) }
        try queue.addJobs([job, next])
        job.begun.wait()
        job.end()
        job.end()
        assertDrained(queue)
        job.end()
        assertDrained(queue)
        XCTAssertEqual(ends.total, 2)
        XCTAssertEqual(next.runs.total, 1)
        XCTAssertEqual(misuse.messages, [])
    }

    func testL3_AFailureReportedAfterTheEndChangesNothing() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe()
        try queue.addJob(job)
        assertDrained(queue)
        job.fail(with: Trouble())
        XCTAssertTrue(hasSucceeded(job.outcome))
    }

    func testL3_AFailureReportedDuringTheWorkIsTheOutcome() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe { $0.fail(with: Trouble(3)) }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(trouble(job.outcome), Trouble(3))
    }

    /// A completion and a completion block, both counted by one meter.
    private func counting(_ job: Job) -> Meter {
        let meter = Meter()
        job.addCompletion { _ in meter.enter() }
        job.completionBlock = { meter.enter() }
        return meter
    }
}
