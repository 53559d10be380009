// A completion runs before any dependent starts and, at width 1, before the next job starts (O1).
import WorkQueues
import XCTest

final class CompletionBeforeSuccessorTests: XCTestCase {
    func testO1_ACompletionRunsBeforeAnyDependentStarts() throws {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(4)), other = WorkQueue(maxConcurrentJobCount: Widths.raced(4))
        for _ in 0..<Rounds.scaled(2_000) {
            let completed = Gate()
            let job = Probe()
            job.addCompletion { _ in completed.open() }
            let dependents = (0..<4).map { _ in Probe { _ in XCTAssertTrue(completed.isOpen) } }
            for dependent in dependents { try dependent.addDependency(job) }
            try queue.addJobs([job, dependents[0], dependents[1]])
            try other.addJobs([dependents[2], dependents[3]])
        }
        assertDrained(queue)
        assertDrained(other)
    }

    func testO1_AtWidth1ACompletionRunsBeforeTheNextJobStarts() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = Log<Int>()
        for number in 0..<500 {
            let job = Probe { _ in log.append(2 * number) }
            job.addCompletion { _ in log.append(2 * number + 1) }
            try queue.addJob(job)
        }
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(log.values, Array(0..<1_000))
    }

    func testO1_TheCompletionOfAnAsynchronousJobRunsBeforeTheNextJobStartsToo() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = Log<String>()
        let job = HeldJob()
        job.addCompletion { _ in log.append("completion") }
        job.completionBlock = { log.append("block") }
        try queue.addJobs([job, Probe { _ in log.append("next") }])
        queue.isSuspended = false
        job.begun.wait()
        job.finish()
        assertDrained(queue)
        XCTAssertEqual(log.values, ["completion", "block", "next"])
    }

    func testO1_CancellingTheRestFromACompletionAlwaysWorks() throws {
        for _ in 0..<Rounds.scaled(1_000) {
            let queue = WorkQueue(maxConcurrentJobCount: 1)
            let first = Probe()
            first.addCompletion { _ in queue.cancelAllJobs() }
            let rest = (0..<5).map { _ in Probe() }
            try queue.addJobs([first] + rest)
            assertDrained(queue)
            XCTAssertTrue(hasSucceeded(first.outcome))
            XCTAssertEqual(rest.map(\.runs.total), [0, 0, 0, 0, 0])
        }
    }

    func testO1_CancellingADependentFromACompletionAlwaysWorks() throws {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(4)), other = WorkQueue(maxConcurrentJobCount: Widths.raced(4))
        for _ in 0..<Rounds.scaled(2_000) {
            let job = Probe(), near = Probe(), far = Probe()
            try near.addDependency(job)
            try far.addDependency(job)
            job.addCompletion { _ in
                near.cancel()
                far.cancel()
            }
            try other.addJob(far)
            try queue.addJobs([near, job])
            waitForEnd(of: [near, far])
            XCTAssertEqual([near, far].map(\.runs.total), [0, 0])
        }
        assertDrained(queue)
        assertDrained(other)
    }

    func testO1_CancellingTheRestFromAnObserverOfTheEndWorksToo() throws {
        for _ in 0..<Rounds.scaled(1_000) {
            let queue = WorkQueue(maxConcurrentJobCount: 1)
            let first = Probe()
            let rest = (0..<5).map { _ in Probe() }
            let observation = queue.observe { event in
                if event.jobID == first.id, EventLog.name(of: event) == .finished { queue.cancelAllJobs() }
            }
            try queue.addJobs([first] + rest)
            assertDrained(queue)
            XCTAssertEqual(rest.map(\.runs.total), [0, 0, 0, 0, 0])
            observation.invalidate()
        }
    }

    func testO1_ACompletionThatBlocksHoldsTheSlot() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let gate = Gate(), inside = Gate()
        let blocked = Probe(), next = Probe()
        blocked.addCompletion { _ in
            inside.open()
            gate.wait()
        }
        try queue.addJobs([blocked, next])
        inside.wait()
        // A wait with a limit is how long one looks: the next job cannot begin meanwhile, whatever the scheduler does.
        within { XCTAssertFalse(next.waitUntilFinished(timeout: .milliseconds(50))) }
        XCTAssertEqual(next.runs.total, 0)
        gate.open()
        assertDrained(queue)
        XCTAssertEqual(next.runs.total, 1)
    }

    func testO1_ABlockedCompletionHoldsOneSlotAndNoMore() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let gate = Gate(), inside = Gate()
        let blocked = Probe()
        blocked.addCompletion { _ in
            inside.open()
            gate.wait()
        }
        try queue.addJob(blocked)
        inside.wait()
        let bodies = Meter()
        for _ in 0..<500 {
            queue.addJob {
                bodies.enter()
                bodies.leave()
            }
        }
        eventually("only the blocked one is left") { queue.jobs == [blocked] }
        XCTAssertEqual(bodies.total, 500)
        XCTAssertEqual(bodies.peak, 1)
        gate.open()
        assertDrained(queue)
    }
}
