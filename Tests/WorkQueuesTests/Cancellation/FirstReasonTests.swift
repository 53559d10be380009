// The first reason wins, and a cancel after the end changes nothing (C1).
import WorkQueues
import XCTest

final class FirstReasonTests: XCTestCase {
    func testC1_ThePlainCancelIsARequest() {
        let job = Job()
        XCTAssertNil(job.cancellationReason)
        job.cancel()
        XCTAssertTrue(job.isCancelled)
        XCTAssertEqual(job.cancellationReason, .requested)
    }

    func testC1_InNoQueueTheFirstReasonWins() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe()
        let reasons = Log<Job.CancellationReason>()
        job.onCancel { reasons.append($0) }
        job.cancel(reason: .custom("first"))
        job.cancel(reason: .custom("second"))
        job.cancel()
        XCTAssertEqual(job.cancellationReason, .custom("first"))
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(cancellation(job.outcome), .custom("first"))
        XCTAssertEqual(reasons.values, [.custom("first")])
    }

    func testC1_InAQueueTheFirstReasonWins() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = EventLog()
        queue.addObserver(log)
        let job = Probe()
        try queue.addJob(job)
        job.cancel()
        job.cancel(reason: .custom("late"))
        queue.cancelAllJobs(reason: .custom("later"))
        assertDrained(queue)
        XCTAssertEqual(cancellation(job.outcome), .requested)
        XCTAssertEqual(job.cancellationReason, .requested)
        XCTAssertEqual(log.reasons(of: job.id), [.requested], "a second cancel changes nothing")
    }

    func testC1_OfAnExecutingJobTheFirstReasonWins() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let log = EventLog()
        queue.addObserver(log)
        let job = HeldJob()
        let reasons = Log<Job.CancellationReason>()
        job.onCancel { reasons.append($0) }
        try queue.addJob(job)
        job.begun.wait()
        queue.cancelAllJobs(reason: .custom("all"))
        job.cancel(reason: .custom("one"))
        job.cancel()
        XCTAssertEqual(job.cancellationReason, .custom("all"))
        job.finish()
        assertDrained(queue)
        XCTAssertEqual(cancellation(job.outcome), .custom("all"))
        XCTAssertEqual(reasons.values, [.custom("all")])
        XCTAssertEqual(log.reasons(of: job.id), [.custom("all")])
    }

    func testC1_ACancelAfterTheEndChangesNothing() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let log = EventLog()
        queue.addObserver(log)
        let succeeding = Probe(), failing = Probe { $0.fail(with: Trouble(1)) }
        let handlers = Meter()
        for job in [succeeding, failing] {
            job.onCancel { _ in handlers.enter() }
            try queue.addJob(job)
        }
        assertDrained(queue)
        for job in [succeeding, failing] {
            job.cancel()
            job.cancel(reason: .custom("late"))
            XCTAssertFalse(job.isCancelled)
            XCTAssertNil(job.cancellationReason)
        }
        queue.cancelAllJobs()
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(succeeding.outcome))
        XCTAssertEqual(trouble(failing.outcome), Trouble(1))
        XCTAssertEqual(handlers.total, 0)
        XCTAssertEqual(log.count(.cancelRequested), 0)
        XCTAssertEqual(log.count(.finished), 2)
    }

    func testC1_ACancelAfterACancelledEndKeepsTheReason() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let job = Probe()
        try queue.addJob(job)
        job.cancel(reason: .custom("first"))
        waitForEnd(of: job)
        job.cancel(reason: .custom("second"))
        XCTAssertTrue(job.isCancelled)
        XCTAssertEqual(job.cancellationReason, .custom("first"))
        XCTAssertEqual(cancellation(job.outcome), .custom("first"))
        assertDrained(queue)
    }

    func testC1_OfRacingReasonsOneIsFirst() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1), isSuspended: true)
        race(
            rounds: Rounds.scaled(20_000), "reasons",
            prepare: { _ -> (job: Job, reasons: Log<Job.CancellationReason>) in
                let job = Job()
                let reasons = Log<Job.CancellationReason>()
                job.onCancel { reasons.append($0) }
                add(job, to: queue)
                return (job, reasons)
            },
            { $0.job.cancel(reason: .custom("a")) },
            { $0.job.cancel(reason: .custom("b")) },
            check: { _, round in
                round.job.waitUntilFinished()
                let reason = round.job.cancellationReason
                XCTAssertTrue(reason == .custom("a") || reason == .custom("b"))
                XCTAssertEqual(cancellation(round.job.outcome), reason)
                XCTAssertEqual(round.reasons.values, [reason].compactMap { $0 })
            })
        assertDrained(queue)
    }
}
