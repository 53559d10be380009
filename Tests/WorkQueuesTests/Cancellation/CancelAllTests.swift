// `cancelAllJobs` marks everything in one step, and then cancels each (C5).
import WorkQueues
import XCTest

final class CancelAllTests: XCTestCase {
    func testC5_AllThatWasAddedAndNotBegunIsMarkedInOneStep() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let gate = Gate(), begun = Gate(), returned = Gate()
        let running = Probe { _ in
            begun.open()
            gate.wait()
        }
        let waiting = (0..<8).map { _ in SlowCancelJob() }
        try queue.addJob(running)
        begun.wait()
        for job in waiting { try queue.addJob(job) }
        let release = Gate()
        for job in waiting { job.release.set(release) }
        let canceller = WorkQueue(maxConcurrentJobCount: 1)
        canceller.addJob {
            queue.cancelAllJobs(reason: .custom("all"))
            returned.open()
        }
        // The canceller stands inside the first `cancel()`; most of the others have not been called yet.
        eventually("inside a cancel") { waiting.contains { $0.inside.isOpen } }
        XCTAssertTrue(waiting.allSatisfy { !$0.isCancelled }, "the mark is not the flag")
        let late = Probe()
        try queue.addJob(late)
        gate.open()
        waitForEnd(of: [running, late])
        XCTAssertEqual(late.runs.total, 1, "what is added after the step is not touched")
        XCTAssertEqual(waiting.map(\.runs.total), Array(repeating: 0, count: 8))
        XCTAssertFalse(returned.isOpen)
        release.open()
        returned.wait()
        assertDrained(canceller)
        assertDrained(queue)
        XCTAssertEqual(waiting.map(\.runs.total), Array(repeating: 0, count: 8), "never to run their bodies")
        XCTAssertTrue(waiting.allSatisfy { cancellation($0.outcome) == .custom("all") && $0.cancels.total == 1 })
        XCTAssertFalse(late.isCancelled)
    }

    func testC5_EveryJobIsCancelledAndTheExecutingOnesToo() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let running = [HeldJob(), HeldJob()]
        let waiting = (0..<5).map { _ in Probe() }, blocked = Probe()
        try blocked.addDependency(Probe())
        try queue.addJobs(running)
        for job in running { job.begun.wait() }
        try queue.addJobs(waiting + [blocked])
        let barrier = queue.addBarrierBlock {}
        queue.cancelAllJobs(reason: .custom("all"))
        let jobs: [Job] = running + waiting + [blocked, barrier]
        for job in jobs {
            XCTAssertTrue(job.isCancelled)
            XCTAssertEqual(job.cancellationReason, .custom("all"))
        }
        for job in running { job.finish() }
        assertDrained(queue)
        XCTAssertTrue(jobs.allSatisfy { cancellation($0.outcome) == .custom("all") })
        XCTAssertEqual((waiting + [blocked]).map(\.runs.total), Array(repeating: 0, count: 6))
    }

    func testC5_ThePlainCallIsARequest() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let job = Probe()
        try queue.addJob(job)
        queue.cancelAllJobs()
        assertDrained(queue)
        XCTAssertEqual(cancellation(job.outcome), .requested)
    }

    func testC5_OtherQueuesAndLaterJobsAreNotTouched() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), other = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe(), foreign = Probe(), later = Probe()
        try foreign.addDependency(job)
        try other.addJob(foreign)
        try queue.addJob(job)
        queue.cancelAllJobs()
        try queue.addJob(later)
        queue.isSuspended = false
        assertDrained(queue)
        assertDrained(other)
        XCTAssertEqual([job, foreign, later].map(\.runs.total), [0, 1, 1])
    }

    func testC5_OnAnEmptyQueueNothingHappens() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let log = EventLog()
        queue.addObserver(log)
        queue.cancelAllJobs()
        XCTAssertEqual(log.events.count, 0)
        let job = Probe()
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testC5_DependentsOfTheMarkedDoNotSlipThrough() throws {
        // Each end frees the next of the chain, while the canceller is still on its way through the list.
        for _ in 0..<Rounds.scaled(500) {
            let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2), isSuspended: true)
            let jobs = (0..<40).map { _ in Probe() }
            for number in 1..<40 { try jobs[number].addDependency(jobs[number - 1]) }
            try queue.addJobs(jobs)
            jobs[0].onCancel { _ in queue.isSuspended = false }
            queue.cancelAllJobs()
            queue.isSuspended = false
            assertDrained(queue)
            XCTAssertTrue(jobs.allSatisfy { $0.runs.total == 0 })
        }
    }

    func testC5_RacingAddsAreEitherCancelledOrRun() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(5_000), "cancel all against adds", prepare: { _ in (0..<10).map { _ in Probe() } },
            { jobs in for job in jobs { add(job, to: queue) } },
            { _ in queue.cancelAllJobs() },
            check: { _, jobs in
                queue.waitUntilAllJobsAreFinished()
                for job in jobs {
                    XCTAssertEqual(job.phase, .finished)
                    XCTAssertEqual(hasSucceeded(job.outcome), !job.isCancelled)
                    XCTAssertTrue(job.isCancelled || job.runs.total == 1)
                }
            })
        assertDrained(queue)
    }
}

/// Its `cancel()` stands before a gate before it calls the base.
private final class SlowCancelJob: Job, @unchecked Sendable {
    // Unchecked, as the superclass: what varies is guarded.
    let runs = Meter()
    let cancels = Meter()
    let inside = Gate()
    let release = Guarded<Gate?>(nil)

    override func main() {
        runs.enter()
    }

    override func cancel() {
        cancels.enter()
        inside.open()
        release.current?.wait()
        super.cancel()
    }
}
