// Cancelling costs what it takes to visit each job once, and a cancelled job leaves memory at once (C6, S29, S31).
import WorkQueues
import XCTest

final class CancelCostTests: XCTestCase {
    func testS29_ManyCancelledBehindARunningOne() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let gate = Gate(), begun = Gate()
        let lives = Lives()
        let running = queue.addJob {
            begun.open()
            gate.wait()
        }
        begun.wait()
        for _ in 0..<10_000 {
            queue.addJob { [token = lives.token()] in
                withExtendedLifetime(token) { XCTFail("a cancelled body ran") }
            }
        }
        queue.cancelAllJobs()
        let log = Log<String>()
        running.addCompletion { _ in log.append("running") }
        let next = queue.addJob { log.append("next") }
        eventually("freed while the first still runs") { lives.alive == 0 }
        XCTAssertEqual(lives.total, 10_000)
        eventually("out of the list") { queue.jobs == [running, next] }
        XCTAssertFalse(running.isFinished)
        gate.open()
        assertDrained(queue)
        XCTAssertEqual(log.values, ["running", "next"])
        XCTAssertTrue(hasSucceeded(next.outcome))
    }

    func testC6_CancelAllCostsTheSameForEachJob() {
        assertScales("cancelAllJobs", from: Rounds.scaled(15_000)) { count in
            let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
            for _ in 0..<count { queue.addJob {} }
            return ContinuousClock().measure {
                queue.cancelAllJobs()
                assertDrained(queue)
            }
        }
    }

    func testC6_CancellingOneByOneCostsTheSameForEachJob() {
        for order in ["forwards", "backwards", "at random"] {
            assertScales("cancelling \(order)", from: Rounds.scaled(10_000)) { count in
                let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
                var jobs: [Job] = (0..<count).map { _ in queue.addJob {} }
                var generator = SeededGenerator(seed: 6)
                switch order {
                case "backwards": jobs.reverse()
                case "at random": jobs.shuffle(using: &generator)
                default: break
                }
                return ContinuousClock().measure {
                    for job in jobs { job.cancel() }
                    assertDrained(queue)
                }
            }
        }
    }

    func testC6_CancellingDependentsCostsTheSameForEachJob() {
        assertScales("cancelling dependents of one job", from: Rounds.scaled(10_000)) { count in
            let queue = WorkQueue(maxConcurrentJobCount: 1)
            let root = Probe()
            let jobs: [Job] = (0..<count).map { _ in queue.addJob(dependencies: [root]) {} }
            let time = ContinuousClock().measure {
                for job in jobs.reversed() { job.cancel() }
                assertDrained(queue)
            }
            root.cancel()
            return time
        }
    }

    func testC6_ACancelledJobLeavesMemoryWhateverHoldsTheQueue() throws {
        let gate = Gate()
        let suspended = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), stalled = WorkQueue(maxConcurrentJobCount: 0)
        let full = WorkQueue(maxConcurrentJobCount: 1), barred = WorkQueue(maxConcurrentJobCount: 2)
        full.addJob { gate.wait() }
        barred.addJob { gate.wait() }
        let barrier = barred.addBarrierBlock {}
        for queue in [suspended, stalled, full, barred] {
            let isFreed = try cancelledJob(in: queue, dependency: nil)
            eventually("freed") { isFreed() }
        }
        XCTAssertFalse(barrier.isFinished)
        gate.open()
        assertDrained(full)
        assertDrained(barred)
    }

    func testC6_ADependencyDoesNotHoldItsCancelledDependent() throws {
        let gate = Gate()
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let running = Probe { _ in gate.wait() }, never = Probe()
        try queue.addJob(running)
        for dependency in [running, never] {
            let isFreed = try cancelledJob(in: queue, dependency: dependency)
            eventually("freed") { isFreed() }
        }
        XCTAssertFalse(running.isFinished)
        gate.open()
        assertDrained(queue)
    }

    func testC6_TheCancelledInTheMiddleAreFreedAndTheRestRuns() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let lives = Lives()
        let bodies = Meter()
        var cancelled: [Job] = []
        for number in 0..<1_000 {
            let job = queue.addJob { [token = lives.token()] in withExtendedLifetime(token) { bodies.enter() } }
            if number % 4 != 0 { cancelled.append(job) }
        }
        XCTAssertEqual(lives.alive, 1_000)
        for job in cancelled { job.cancel() }
        eventually("only the others are left") { lives.alive == 250 && queue.jobCount == 250 }
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(bodies.total, 250)
    }

    func testS31_ACancelledDependentIsGoneWhileItsDependencyRuns() throws {
        let gate = Gate(), begun = Gate()
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let first = Probe { _ in
            begun.open()
            gate.wait()
        }
        let second = Probe()
        let completions = Log<Job.Outcome>()
        second.addCompletion { completions.append($0) }
        try second.addDependency(first)
        try queue.addJobs([first, second])
        begun.wait()
        second.cancel()
        waitForEnd(of: second)
        XCTAssertEqual(first.phase, .executing)
        XCTAssertEqual(queue.jobs, [first])
        gate.open()
        assertDrained(queue)
        XCTAssertEqual(completions.values.map(cancellation), [.requested], "the end of the first does not touch it")
        XCTAssertEqual(second.runs.total, 0)
        XCTAssertEqual(first.runs.total, 1)
    }

    /// Nobody but the package holds the job when this returns.
    private func cancelledJob(in queue: WorkQueue, dependency: Job?) throws -> () -> Bool {
        let job = Probe()
        if let dependency { try job.addDependency(dependency) }
        try queue.addJob(job)
        job.cancel()
        return { [weak job] in job == nil }
    }
}
