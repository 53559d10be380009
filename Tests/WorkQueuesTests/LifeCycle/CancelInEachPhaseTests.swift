// A cancel at any point of a job's life leaves one end and one completion (L3, S24, S32).
import WorkQueues
import XCTest

final class CancelInEachPhaseTests: XCTestCase {
    func testS24_BeforeItIsAdded() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe()
        let ends = watch(job)
        job.cancel()
        try queue.addJob(job)
        assertDrained(queue)
        assertCancelled(job, ends, runs: 0)
    }

    func testS24_WhileTheQueueIsSuspended() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let job = Probe()
        let ends = watch(job)
        try queue.addJob(job)
        job.cancel()
        assertDrained(queue)
        assertCancelled(job, ends, runs: 0)
        queue.isSuspended = false
        assertDrained(queue)
        assertCancelled(job, ends, runs: 0)
    }

    func testS24_WhileItWaitsForAnEdge() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let dependency = Probe(), job = Probe()
        let ends = watch(job)
        try job.addDependency(dependency)
        try queue.addJob(job)
        job.cancel()
        assertDrained(queue)
        try queue.addJob(dependency)
        assertDrained(queue)
        assertCancelled(job, ends, runs: 0)
        XCTAssertEqual(dependency.runs.total, 1)
    }

    func testS24_WhileItIsBeingClaimed() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1), isSuspended: true)
        race(
            rounds: Rounds.scaled(40_000), "cancel against claim",
            prepare: { _ -> Round in
                queue.isSuspended = true
                let round = Round()
                round.job.addCompletion { round.ends.append($0) }
                add(round.job, to: queue)
                return round
            },
            { _ in queue.isSuspended = false }, { $0.job.cancel() },
            check: { _, round in
                round.job.waitUntilFinished()
                XCTAssertEqual(round.ends.count, 1)
                XCTAssertEqual(cancellation(round.ends.values.first), round.job.cancellationReason)
                XCTAssertEqual(hasSucceeded(round.job.outcome), !round.job.isCancelled)
                XCTAssertTrue(round.job.isCancelled || round.job.runs.total == 1)
            })
        assertDrained(queue)
    }

    func testS24_WhileItIsExecuting() throws {
        let gate = Gate(), begun = Gate()
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe { _ in
            begun.open()
            gate.wait()
        }
        let ends = watch(job)
        try queue.addJob(job)
        begun.wait()
        job.cancel()
        XCTAssertEqual(job.phase, .executing)
        gate.open()
        assertDrained(queue)
        assertCancelled(job, ends, runs: 1)
    }

    func testS24_InItsCompletion() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe()
        let ends = watch(job)
        job.addCompletion { _ in job.cancel() }
        try queue.addJob(job)
        assertDrained(queue)
        assertUntouched(job, ends)
    }

    func testS24_AfterItsEnd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe()
        let ends = watch(job)
        try queue.addJob(job)
        assertDrained(queue)
        job.cancel()
        assertDrained(queue)
        assertUntouched(job, ends)
    }

    func testS32_ABodyCancelsItself() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe { $0.cancel() }
        let ends = watch(job)
        try queue.addJob(job)
        assertDrained(queue)
        assertCancelled(job, ends, runs: 1)
        assertUsable(queue)
    }

    func testS32_ABodyCancelsTheWholeQueue() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let job = Probe { _ in queue.cancelAllJobs() }
        let next = Probe()
        let ends = watch(job), nextEnds = watch(next)
        try queue.addJobs([job, next])
        queue.isSuspended = false
        assertDrained(queue)
        assertCancelled(job, ends, runs: 1)
        assertCancelled(next, nextEnds, runs: 0)
        assertUsable(queue)
    }

    func testS32_ABodyDoesBothAndThenFinishes() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = ThoroughJob()
        let ends = watch(job)
        try queue.addJob(job)
        assertDrained(queue)
        assertCancelled(job, ends, runs: 1)
        assertUsable(queue)
    }

    private final class ThoroughJob: HeldJob, @unchecked Sendable {
        // Unchecked, as the superclass: nothing is added.
        override func main() {
            super.main()
            cancel()
            queue?.cancelAllJobs()
            finish()
        }
    }

    private struct Round: Sendable {
        let job = Probe()
        let ends = Log<Job.Outcome>()
    }

    private func watch(_ job: Job) -> Log<Job.Outcome> {
        let ends = Log<Job.Outcome>()
        job.addCompletion { ends.append($0) }
        return ends
    }

    private func assertCancelled(_ job: Job, _ ends: Log<Job.Outcome>, runs: Int, line: UInt = #line) {
        XCTAssertEqual(job.phase, .finished, line: line)
        XCTAssertTrue(job.isCancelled, line: line)
        XCTAssertEqual(cancellation(job.outcome), .requested, line: line)
        XCTAssertEqual(ends.values.map(cancellation), [.requested], "one completion", line: line)
        XCTAssertEqual((job as? Probe)?.runs.total ?? (job as? HeldJob)?.runs.total, runs, "bodies", line: line)
    }

    private func assertUntouched(_ job: Probe, _ ends: Log<Job.Outcome>, line: UInt = #line) {
        XCTAssertFalse(job.isCancelled, line: line)
        XCTAssertNil(job.cancellationReason, line: line)
        XCTAssertTrue(hasSucceeded(job.outcome), line: line)
        XCTAssertEqual(ends.values.map(hasSucceeded), [true], "one completion", line: line)
        XCTAssertEqual(job.runs.total, 1, line: line)
    }

    private func assertUsable(_ queue: WorkQueue, line: UInt = #line) {
        let last = queue.addJob { 7 }
        assertDrained(queue, line: line)
        XCTAssertEqual(try last.result?.get(), 7, line: line)
    }
}
