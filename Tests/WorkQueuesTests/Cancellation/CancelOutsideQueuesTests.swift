// A job in no queue only gets the flag when it is cancelled, and ends when it is added (C3).
import WorkQueues
import XCTest

final class CancelOutsideQueuesTests: XCTestCase {
    func testC3_ItOnlyGetsTheFlag() {
        let job = Probe()
        let completions = Meter(), handlers = Meter()
        job.addCompletion { _ in completions.enter() }
        job.onCancel { _ in handlers.enter() }
        job.cancel(reason: .custom("early"))
        XCTAssertTrue(job.isCancelled)
        XCTAssertEqual(job.cancellationReason, .custom("early"))
        XCTAssertEqual(job.phase, .created)
        XCTAssertFalse(job.isFinished)
        XCTAssertNil(job.outcome)
        XCTAssertEqual(handlers.total, 1)
        XCTAssertEqual(completions.total, 0)
        within { XCTAssertFalse(job.waitUntilFinished(timeout: .milliseconds(20))) }
    }

    func testC3_ItEndsWhenItIsAdded() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe()
        let completions = Meter()
        job.addCompletion { _ in completions.enter() }
        job.cancel(reason: .custom("early"))
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(cancellation(job.outcome), .custom("early"))
        XCTAssertEqual(job.runs.total, 0)
        XCTAssertEqual(completions.total, 1)
    }

    func testC3_ItEndsWhereverItIsAdded() throws {
        let gate = Gate()
        let suspended = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), stalled = WorkQueue(maxConcurrentJobCount: 0)
        let full = WorkQueue(maxConcurrentJobCount: 1), barred = WorkQueue(maxConcurrentJobCount: 2)
        full.addJob { gate.wait() }
        barred.addJob { gate.wait() }
        barred.addBarrierBlock {}
        let never = Probe()
        for queue in [suspended, stalled, full, barred] {
            let plain = Probe(), bound = Probe()
            try bound.addDependency(never)
            for job in [plain, bound] {
                job.cancel()
                try queue.addJob(job)
                waitForEnd(of: job)
                XCTAssertEqual(cancellation(job.outcome), .requested)
                XCTAssertEqual(job.runs.total, 0)
                XCTAssertFalse(queue.jobs.contains(job))
            }
        }
        XCTAssertEqual([suspended, stalled, full, barred].map(\.jobCount), [0, 0, 1, 2])
        gate.open()
        assertDrained(full)
        assertDrained(barred)
    }

    func testC3_InABatchItEndsAndTheOthersRun() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let jobs = (0..<10).map { _ in Probe() }
        for job in jobs.prefix(5) { job.cancel() }
        for number in 1..<10 { try jobs[number].addDependency(jobs[number - 1]) }
        try queue.addJobs(jobs)
        assertDrained(queue)
        XCTAssertEqual(jobs.map(\.runs.total), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    }

    func testC3_ItsDependentsWaitUntilItIsAdded() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe(), dependent = Probe()
        try dependent.addDependency(job)
        job.cancel()
        try queue.addJob(dependent)
        XCTAssertEqual(dependent.phase, .waiting)
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(dependent.runs.total, 1)
    }

    func testC3_ACancelledJobSaysThatItIsReady() throws {
        let job = Probe()
        try job.addDependency(Probe())
        XCTAssertFalse(job.isReady)
        job.cancel()
        XCTAssertTrue(job.isReady)
    }

    func testC3_ACancelThatRacesTheAdding() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1), isSuspended: true)
        race(
            rounds: Rounds.scaled(40_000), "cancel against add", prepare: { _ in (job: Probe(), completions: Meter()) },
            { round in
                round.job.addCompletion { _ in round.completions.enter() }
                add(round.job, to: queue)
            },
            { round in round.job.cancel() },
            check: { _, round in
                round.job.waitUntilFinished()
                XCTAssertEqual(round.job.runs.total, 0)
                XCTAssertEqual(round.completions.total, 1)
                XCTAssertEqual(queue.jobCount, 0)
            })
        assertDrained(queue)
    }
}
