// A job that ends itself before it was started never runs its body and does no harm (L4).
import WorkQueues
import XCTest

final class SelfEndedTests: XCTestCase {
    private var misuse: MisuseLog!

    override func setUp() {
        misuse = MisuseLog()
    }

    override func tearDown() {
        XCTAssertEqual(misuse.messages, [], "a job may end itself")
        misuse.restore()
    }

    func testL4_EndedByItsCancelOnASuspendedQueue() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let job = SelfEndingJob(), next = Probe()
        let completions = counting(job)
        try queue.addJobs([job, next])
        job.cancel()
        waitForEnd(of: job)
        XCTAssertFalse(queue.jobs.contains(job))
        queue.isSuspended = false
        assertDrained(queue)
        assertNeverRan(job, completions)
        XCTAssertEqual(next.runs.total, 1)
    }

    func testL4_EndedByItsCancelBehindAFullWidth() throws {
        let gate = Gate()
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let running = queue.addJob { gate.wait() }
        let job = SelfEndingJob(), next = Probe()
        let completions = counting(job)
        try queue.addJobs([job, next])
        job.cancel()
        waitForEnd(of: job)
        XCTAssertFalse(running.isFinished)
        gate.open()
        assertDrained(queue)
        assertNeverRan(job, completions)
        XCTAssertEqual(next.runs.total, 1)
    }

    func testL4_EndedByItsCancelWithAnUnmetEdge() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let dependency = Probe(), job = SelfEndingJob(), dependent = Probe()
        let completions = counting(job)
        try job.addDependency(dependency)
        try dependent.addDependency(job)
        try queue.addJobs([job, dependent])
        job.cancel()
        assertDrained(queue)
        assertNeverRan(job, completions)
        XCTAssertEqual(dependent.runs.total, 1)
        try queue.addJob(dependency)
        assertDrained(queue)
        assertNeverRan(job, completions)
    }

    func testL4_EndedByAFinishOfItsOwnWhileWaiting() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let ready = HeldJob(), waiting = HeldJob(), next = Probe()
        try waiting.addDependency(next)
        let completions = [counting(ready), counting(waiting)]
        try queue.addJobs([ready, waiting, next])
        ready.finish()
        waiting.finish()
        XCTAssertTrue(ready.isFinished)
        XCTAssertTrue(waiting.isFinished)
        waitForEnd(of: [ready, waiting])
        queue.isSuspended = false
        assertDrained(queue)
        assertNeverRan(ready, completions[0])
        assertNeverRan(waiting, completions[1])
        XCTAssertEqual(next.runs.total, 1)
    }

    func testL4_EndedByAPostOfItsOwnWhileWaiting() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let job = PostingJob(), next = Probe()
        let completions = counting(job)
        try queue.addJobs([job, next])
        job.end()
        waitForEnd(of: job)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(job.phase, .finished)
        XCTAssertFalse(job.begun.isOpen)
        XCTAssertEqual(completions.total, 1)
        XCTAssertEqual(next.runs.total, 1)
    }

    func testL4_EndedInNoQueueItIsFinishedAndCannotBeAdded() {
        let cancelled = SelfEndingJob(), finished = HeldJob(), failed = HeldJob(), posted = PostingJob()
        let jobs: [Job] = [cancelled, finished, failed, posted]
        let completions = jobs.map(counting)
        cancelled.cancel()
        finished.state = .finished
        failed.finish(throwing: Trouble())
        posted.end()
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        for job in jobs {
            XCTAssertTrue(job.isFinished)
            XCTAssertEqual(job.phase, .finished)
            XCTAssertNotNil(job.outcome)
            assertRefused(.alreadyFinished) { try queue.addJob(job) }
        }
        XCTAssertEqual(queue.jobCount, 0)
        waitForEnd(of: jobs)
        assertDrained(queue)
        XCTAssertEqual(cancellation(cancelled.outcome), .requested)
        XCTAssertEqual(trouble(failed.outcome), Trouble())
        XCTAssertEqual([cancelled, finished, failed].map(\.runs.total), [0, 0, 0])
        for (job, completions) in zip(jobs, completions) {
            eventually("the completion of \(type(of: job))") { completions.total == 1 }
        }
    }

    func testL4_EndedInNoQueueItMeetsTheEdgesOfItsDependents() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = HeldJob(), dependent = Probe()
        try dependent.addDependency(job)
        try queue.addJob(dependent)
        job.finish()
        assertDrained(queue)
        XCTAssertEqual(dependent.runs.total, 1)
        XCTAssertEqual(job.runs.total, 0)
    }

    func testL4_EndedByItselfWhileTheStartRacesIt() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(40_000), "finish against start", prepare: { _ in HeldJob() },
            // A finish that comes first leaves nothing to add, which is the refusal below.
            { job in add(job, to: queue, unless: .alreadyFinished) },
            { job in job.finish() },
            check: { _, job in
                job.waitUntilFinished()
                XCTAssertEqual(job.phase, .finished)
                XCTAssertTrue(hasSucceeded(job.outcome) || job.runs.total == 0)
            })
        assertDrained(queue)
    }

    private func counting(_ job: Job) -> Meter {
        let meter = Meter()
        job.addCompletion { _ in meter.enter() }
        return meter
    }

    private func assertNeverRan(_ job: HeldJob, _ completions: Meter, line: UInt = #line) {
        XCTAssertEqual(job.phase, .finished, line: line)
        XCTAssertEqual(job.runs.total, 0, "the body", line: line)
        XCTAssertEqual(completions.total, 1, "completions", line: line)
    }
}
