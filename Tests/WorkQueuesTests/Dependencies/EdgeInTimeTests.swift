// An edge may be added until the job starts; it is honoured in full or refused (D1, S44).
import WorkQueues
import XCTest

final class EdgeInTimeTests: XCTestCase {
    func testS44_EdgeToAReadyJobIsHonoured() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
        let dependency = Probe()
        let job = Probe { _ in XCTAssertTrue(dependency.isFinished) }
        try queue.addJob(job)
        eventually("ready") { job.phase == .ready }
        try job.addDependency(dependency)
        queue.isSuspended = false
        waitForEnd(of: queue.addJob {})
        XCTAssertEqual(job.phase, .waiting)
        XCTAssertEqual(job.dependencies, [dependency])
        try queue.addJob(dependency)
        assertDrained(queue)
        XCTAssertEqual([dependency, job].map(\.runs.total), [1, 1])
    }

    func testS44_EdgeToAJobThatIsReadyBehindAFullWidthIsHonoured() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let log = Log<String>()
        let running = HeldJob()
        let job = Probe { _ in log.append("job") }, other = Probe { _ in log.append("other") }
        try queue.addJobs([running, job, other])
        running.begun.wait()
        try job.addDependency(other)
        running.finish()
        assertDrained(queue)
        XCTAssertEqual(log.values, ["other", "job"])
    }

    func testS44_EdgeToAnExecutingJobIsRefused() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = HeldJob(), late = Probe()
        try queue.addJob(job)
        job.begun.wait()
        let error = assertRefused(.alreadyStarted) { try job.addDependency(late) }
        XCTAssertEqual(error?.cyclePath, [])
        XCTAssertEqual(job.dependencies, [])
        XCTAssertEqual(job.phase, .executing)
        job.finish()
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(job.outcome), "it ends normally")
        try queue.addJob(late)
        assertDrained(queue)
        XCTAssertEqual(late.runs.total, 1)
    }

    func testS44_EdgeToAFinishedJobIsRefused() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe(), failed = Probe { $0.fail(with: Trouble()) }, cancelled = Probe()
        cancelled.cancel()
        try queue.addJobs([job, failed, cancelled])
        assertDrained(queue)
        for job in [job, failed, cancelled] {
            let error = assertRefused(.alreadyFinished) { try job.addDependency(Probe()) }
            XCTAssertEqual(error?.cyclePath, [])
            XCTAssertEqual(job.dependencies, [])
        }
    }

    func testD1_InItsOwnBodyAJobHasStartedAndInItsCompletionItHasFinished() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let late = Probe()
        let codes = Log<JobError.Code>()
        let attempt: @Sendable (Job) -> Void = { job in
            do throws(JobError) { try job.addDependency(late) } catch { codes.append(error.code) }
        }
        let job = Probe { attempt($0) }
        job.addCompletion { _ in attempt(job) }
        job.completionBlock = { attempt(job) }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(codes.values, [.alreadyStarted, .alreadyFinished, .alreadyFinished])
        XCTAssertTrue(hasSucceeded(job.outcome))
    }

    func testD1_AnEdgeToAWaitingJobIsOneMoreToWaitFor() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let first = HeldJob(), second = HeldJob()
        let job = Probe()
        try job.addDependency(first)
        try queue.addJobs([job, first, second])
        first.begun.wait()
        second.begun.wait()
        try job.addDependency(second)
        first.finish()
        waitForEnd(of: first)
        XCTAssertEqual(job.phase, .waiting)
        second.finish()
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testD1_AnEdgeToAJobThatHasEndedIsMetAtOnce() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let dependency = Probe()
        try queue.addJob(dependency)
        assertDrained(queue)
        let job = Probe()
        try job.addDependency(dependency)
        XCTAssertTrue(job.isReady)
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testD1_AnEdgeIsNeverRecordedAndIgnored() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        let honoured = Meter(), refused = Meter()
        race(
            rounds: Rounds.scaled(40_000), "an edge against the start", prepare: { _ in (job: Probe(), dependency: Probe()) },
            { round in add(round.job, to: queue) },
            { round in
                do throws(JobError) {
                    try round.job.addDependency(round.dependency)
                    honoured.enter()
                    // Nobody has added the dependency: a job that runs now has ignored the edge.
                    XCTAssertEqual(round.job.runs.total, 0)
                    XCTAssertFalse(round.job.isFinished)
                } catch {
                    refused.enter()
                    XCTAssertTrue(error.code == .alreadyStarted || error.code == .alreadyFinished)
                }
            },
            check: { _, round in
                if round.job.dependencies == [round.dependency] {
                    XCTAssertEqual(round.job.runs.total, 0)
                    add(round.dependency, to: queue)
                }
                round.job.waitUntilFinished()
                XCTAssertEqual(round.job.runs.total, 1)
            })
        assertDrained(queue)
        XCTAssertGreaterThan(honoured.total + refused.total, 0)
    }

    func testD1_AnEdgeThatRacesItsDependencysEndIsMet() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(40_000), "an edge against the dependency's end", prepare: { _ in (job: Probe(), dependency: Probe()) },
            { round in add(round.dependency, to: queue) },
            { round in
                link(round.job, to: round.dependency)
                add(round.job, to: queue)
            },
            check: { _, round in
                round.job.waitUntilFinished()
                XCTAssertEqual([round.dependency, round.job].map(\.runs.total), [1, 1])
            })
        assertDrained(queue)
    }

    func testD1_ADuplicateOfAnEdgeIsRefusedTooOnceTheJobHasStarted() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let dependency = Probe(), job = HeldJob()
        try job.addDependency(dependency)
        try queue.addJobs([dependency, job])
        job.begun.wait()
        assertRefused(.alreadyStarted) { try job.addDependency(dependency) }
        job.finish()
        assertDrained(queue)
    }
}
