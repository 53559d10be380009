// S74, S75, S76: what cannot be added is refused with a typed error, and nothing else is harmed.
import Foundation
import WorkQueues
import XCTest

final class AddRefusalTests: XCTestCase {
    func testS74_ABatchWithAFinishedMemberAddsNothing() throws {
        let queue = WorkQueue(isSuspended: true), a = Probe(), c = Probe(), done = BlockJob {}, log = EventLog()
        try WorkQueue().addJob(done)
        waitForEnd(of: done)
        queue.addObserver(log)
        assertRefused(.alreadyFinished) { try queue.addJobs([a, done, c]) }
        assertUntouched([a, c], queue)
        XCTAssertEqual(log.events.count, 0)
        try queue.addJobs([a, c])
        XCTAssertEqual(queue.jobCount, 2)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual([a, c].map(\.runs.total), [1, 1])
    }

    func testS74_ABatchWithOneMemberTwiceAddsNothing() throws {
        let queue = WorkQueue(isSuspended: true), a = Probe()
        assertRefused(.alreadyAdded) { try queue.addJobs([a, a]) }
        assertUntouched([a], queue)
        try queue.addJobs([a])
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(a.runs.total, 1)
    }

    func testS74_ABatchWithAMemberOfAnotherQueueAddsNothing() throws {
        let queue = WorkQueue(isSuspended: true), other = WorkQueue(isSuspended: true), a = Probe(), b = Probe(), c = Probe()
        try other.addJob(b)
        assertRefused(.alreadyAdded) { try queue.addJobs([a, b, c]) }
        assertUntouched([a, c], queue)
        XCTAssertTrue(b.queue === other)
        XCTAssertEqual(other.jobCount, 1)
        other.isSuspended = false
        queue.isSuspended = false
        try queue.addJobs([a, c])
        assertDrained(queue)
        assertDrained(other)
        XCTAssertEqual([a, b, c].map(\.runs.total), [1, 1, 1])
    }

    func testS74_ABatchWithARunningMemberAddsNothing() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), running = HeldJob(), a = Probe(), c = Probe()
        try queue.addJob(running)
        within { running.begun.wait() }
        for batch in [[a, running, c], [running, a, c], [a, c, running]] as [[Job]] {
            assertRefused(.alreadyAdded) { try queue.addJobs(batch) }
            XCTAssertEqual(queue.jobCount, 1)
        }
        XCTAssertEqual([a, c].map(\.phase), [.created, .created])
        running.finish()
        assertDrained(queue)
        try queue.addJobs([a, c], waitUntilFinished: false)
        assertDrained(queue)
        XCTAssertEqual([a, c].map(\.runs.total), [1, 1])
    }

    func testS74_TheWaitingFormRefusesTheSameAndDoesNotWait() {
        let queue = WorkQueue(isSuspended: true), a = Probe()
        within(20) {
            assertRefused(.alreadyAdded) { try queue.addJobs([a, a], waitUntilFinished: true) }
        }
        assertUntouched([a], queue)
    }

    func testS74_ARefusedMembersEdgesAreAsTheyWere() throws {
        let queue = WorkQueue(isSuspended: true), a = Probe(), b = Probe()
        try b.addDependency(a)
        assertRefused(.alreadyAdded) { try queue.addJobs([b, a, b]) }
        XCTAssertEqual(b.dependencies, [a])
        queue.isSuspended = false
        try queue.addJobs([b, a])
        assertDrained(queue)
        XCTAssertEqual([a, b].map(\.runs.total), [1, 1])
    }

    private func assertUntouched(_ jobs: [Job], _ queue: WorkQueue, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(queue.jobCount, 0, file: file, line: line)
        XCTAssertTrue(queue.jobs.isEmpty, file: file, line: line)
        for job in jobs {
            XCTAssertNil(job.queue, file: file, line: line)
            XCTAssertEqual(job.phase, .created, file: file, line: line)
        }
    }

    func testS75_AFinishedJob() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = Probe()
        try queue.addJob(job)
        assertDrained(queue)
        for target in [queue, WorkQueue()] {
            assertRefused(.alreadyFinished) { try target.addJob(job) }
            XCTAssertEqual(target.jobCount, 0)
            waitForEnd(of: target.addJob {})
        }
        XCTAssertEqual(job.runs.total, 1)
    }

    func testS75_ARunningJob() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), other = WorkQueue(), job = HeldJob()
        try queue.addJob(job)
        within { job.begun.wait() }
        for target in [queue, other] { assertRefused(.alreadyAdded) { try target.addJob(job) } }
        XCTAssertEqual(queue.jobCount, 1)
        XCTAssertEqual(other.jobCount, 0)
        XCTAssertEqual(job.phase, .executing)
        waitForEnd(of: [queue.addJob {}, other.addJob {}])
        job.finish()
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testS75_ACancelledAndFinishedJob() {
        let queue = WorkQueue(isSuspended: true), job = queue.addJob {}
        job.cancel()
        waitForEnd(of: job)
        for target in [queue, WorkQueue()] {
            assertRefused(.alreadyFinished) { try target.addJob(job) }
            XCTAssertEqual(target.jobCount, 0)
        }
        queue.isSuspended = false
        waitForEnd(of: queue.addJob {})
    }

    func testS75_AWaitingJobTwice() throws {
        let queue = WorkQueue(isSuspended: true), job = Probe()
        try queue.addJob(job)
        assertRefused(.alreadyAdded) { try queue.addJob(job) }
        assertRefused(.alreadyAdded) { try WorkQueue().addJob(job) }
        XCTAssertEqual(queue.jobCount, 1)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testS75_AJobThatRunsByHand() {
        let queue = WorkQueue(), begun = Gate(), leave = Gate(), done = Gate(), bodies = Meter()
        let job = BlockJob {
            bodies.enter()
            begun.open()
            leave.wait()
        }
        onNewThread {
            job.start()
            done.open()
        }
        within { begun.wait() }
        XCTAssertThrowsError(try queue.addJob(job)) { XCTAssertTrue($0 is JobError, "\($0)") }
        XCTAssertEqual(queue.jobCount, 0)
        leave.open()
        within { done.wait() }
        assertRefused(.alreadyFinished) { try queue.addJob(job) }
        XCTAssertEqual(bodies.total, 1)
    }

    private func adder(_ queue: WorkQueue) -> @Sendable (Contest) -> Void {
        { contest in
            if let error = refusal({ try queue.addJob(contest.job) }) {
                contest.lost.append(error.code)
            } else {
                contest.won.append(ObjectIdentifier(queue))
            }
        }
    }

    func testS76_TwoThreadsAddOneJobToTwoQueues() {
        let queues = [WorkQueue(maxConcurrentJobCount: Widths.raced(1)), WorkQueue(maxConcurrentJobCount: Widths.raced(1))]
        race(
            rounds: Rounds.scaled(10_000), "exactly one wins",
            prepare: { _ in Contest() },
            queues.map(adder),
            check: { round, contest in
                XCTAssertEqual(contest.won.count, 1, "round \(round)")
                XCTAssertEqual(contest.lost.count, 1, "round \(round)")
                XCTAssertTrue(contest.lost.values.allSatisfy { $0 == .alreadyAdded || $0 == .alreadyFinished })
                contest.job.waitUntilFinished()
                XCTAssertEqual(contest.job.runs.total, 1, "round \(round)")
            })
        for queue in queues {
            assertDrained(queue)
            XCTAssertEqual(queue.jobCount, 0)
        }
    }

    func testS76_OneQueueCountsIt() {
        let queues = [WorkQueue(isSuspended: true), WorkQueue(isSuspended: true)]
        race(
            rounds: Rounds.scaled(2_000), "one queue counts it",
            prepare: { _ in Contest() },
            queues.map(adder),
            check: { round, contest in
                XCTAssertEqual(queues.map(\.jobCount).reduce(0, +), 1, "round \(round)")
                XCTAssertEqual(queues.map { $0.jobs.count }.reduce(0, +), 1)
                XCTAssertTrue(queues.contains { $0 === contest.job.queue && $0.jobCount == 1 })
                contest.job.cancel()
                contest.job.waitUntilFinished()
                XCTAssertEqual(queues.map(\.jobCount), [0, 0])
            })
    }
}

private final class Contest: Sendable {
    let job = Probe()
    let won = Log<ObjectIdentifier>()
    let lost = Log<JobError.Code>()
}
