// State may be read by anyone at any time, and reading it does nothing (L5).
import WorkQueues
import XCTest

final class StateReadingTests: XCTestCase {
    func testL5_ANewJobsState() {
        let job = Job()
        for _ in 0..<3 {
            XCTAssertEqual(job.phase, .created)
            XCTAssertTrue(job.isReady)
            XCTAssertFalse(job.isExecuting)
            XCTAssertFalse(job.isFinished)
            XCTAssertFalse(job.isCancelled)
            XCTAssertFalse(job.isAsynchronous)
            XCTAssertNil(job.cancellationReason)
            XCTAssertNil(job.outcome)
            XCTAssertNil(job.queue)
            XCTAssertNil(job.completionBlock)
            XCTAssertEqual(job.dependencies, [])
        }
    }

    func testL5_StateInsideTheBodyAndAfterTheEnd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe { job in
            XCTAssertEqual(job.phase, .executing)
            XCTAssertTrue(job.isExecuting)
            XCTAssertFalse(job.isFinished)
            XCTAssertNil(job.outcome)
            XCTAssertIdentical(job.queue, queue)
        }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(job.phase, .finished)
        XCTAssertTrue(job.isFinished)
        XCTAssertFalse(job.isExecuting)
        XCTAssertTrue(hasSucceeded(job.outcome))
        XCTAssertEqual(job.runs.total, 1)
    }

    func testL5_ReadingAJobThatNobodyAddedMovesNothing() throws {
        let dependency = Probe(), job = Probe()
        try job.addDependency(dependency)
        StateReadingTests.read(job)
        XCTAssertEqual(job.phase, .created)
        XCTAssertEqual(job.dependencies, [dependency])
        XCTAssertFalse(job.isReady)
        dependency.cancel()
        StateReadingTests.read(dependency)
        XCTAssertEqual(dependency.phase, .created)
    }

    func testL5_ReadingMakesNoEvents() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = EventLog()
        queue.addObserver(log)
        let job = Probe()
        try queue.addJob(job)
        eventually("ready") { job.phase == .ready }
        drainEvents(log, of: job, until: 2)
        for _ in 0..<100 { StateReadingTests.read(job) }
        _ = (queue.jobs, queue.jobCount, queue.isSuspended, queue.maxConcurrentJobCount, queue.name)
        XCTAssertEqual(log.names(of: job.id), [.added, .ready])
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(log.names(of: job.id), [.added, .ready, .started, .finished])
    }

    func testL5_ManyReadersDisturbNothing() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let readers = WorkQueue(maxConcurrentJobCount: 2)
        let ends = Meter()
        let jobs: [Probe] = (0..<Rounds.scaled(5_000)).map { _ in Probe() }
        for (index, job) in jobs.enumerated() {
            if index > 0, index % 3 != 0 { try job.addDependency(jobs[index - 1]) }
            job.addCompletion { _ in ends.enter() }
        }
        let stop = Gate()
        for _ in 0..<2 {
            readers.addJob {
                var index = 0
                while !stop.isOpen {
                    StateReadingTests.read(jobs[index % jobs.count])
                    _ = queue.jobCount
                    index += 1
                    if index % 500 == 0 { _ = queue.jobs }
                }
            }
        }
        within { for job in jobs { try queue.addJob(job) } }
        assertDrained(queue)
        stop.open()
        assertDrained(readers)
        XCTAssertTrue(jobs.allSatisfy { $0.runs.total == 1 })
        XCTAssertEqual(ends.total, jobs.count)
    }

    func testL5_AFinishedJobIsSeenWithItsOutcome() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        race(
            rounds: Rounds.scaled(20_000), "a reader against the end", prepare: { _ in Probe() },
            { job in add(job, to: queue) },
            { job in
                let deadline = ContinuousClock.now + .seconds(30)
                while !job.isFinished, ContinuousClock.now < deadline {}
                XCTAssertEqual(job.phase, .finished)
                XCTAssertFalse(job.isExecuting)
                XCTAssertTrue(hasSucceeded(job.outcome))
            })
        assertDrained(queue)
    }

    private static func read(_ job: Job) {
        _ = (job.phase, job.isReady, job.isExecuting, job.isFinished, job.isCancelled, job.isAsynchronous, job.cancellationReason)
        _ = (job.outcome, job.queue, job.dependencies, job.name, job.queuePriority, job.qualityOfService, job.completionBlock, job.id)
        _ = job.description
    }

    private func drainEvents(_ log: EventLog, of job: Job, until count: Int) {
        eventually("\(count) events") { log.names(of: job.id).count == count }
    }
}
