// A job in a queue that has not started ends at once, without its body and without a slot (C2).
import WorkQueues
import XCTest

final class CancelBeforeStartTests: XCTestCase {
    func testC2_WhileTheQueueIsSuspended() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let job = Probe()
        try queue.addJob(job)
        assertEndsAtOnce(job, in: queue)
        XCTAssertTrue(queue.isSuspended)
        XCTAssertEqual(queue.jobCount, 0)
    }

    func testC2_WhileTheWidthIsZero() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 0)
        let job = Probe()
        try queue.addJob(job)
        assertEndsAtOnce(job, in: queue)
        XCTAssertEqual(queue.jobCount, 0)
    }

    func testC2_WhileTheQueueIsFull() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let gate = Gate(), begun = Meeting(parties: 3)
        for _ in 0..<2 {
            queue.addJob {
                _ = begun.meet()
                gate.wait()
            }
        }
        within { _ = begun.meet() }
        let job = Probe()
        try queue.addJob(job)
        assertEndsAtOnce(job, in: queue)
        XCTAssertEqual(queue.jobCount, 2)
        gate.open()
        assertDrained(queue)
    }

    func testC2_BehindABarrier() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let gate = Gate()
        queue.addJob { gate.wait() }
        let barrier = queue.addBarrierBlock {}
        let job = Probe()
        try queue.addJob(job)
        assertEndsAtOnce(job, in: queue)
        XCTAssertFalse(barrier.isFinished)
        gate.open()
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(barrier.outcome))
    }

    func testC2_BehindABarrierOfASuspendedQueue() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
        let barrier = queue.addBarrierBlock {}
        let job = Probe()
        try queue.addJob(job)
        assertEndsAtOnce(job, in: queue)
        XCTAssertEqual(queue.jobs, [barrier])
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testC2_ABarrierItself() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let gate = Gate()
        queue.addJob { gate.wait() }
        let bodies = Meter()
        let barrier = queue.addBarrierBlock { bodies.enter() }
        let behind = Probe()
        try queue.addJob(behind)
        barrier.cancel()
        waitForEnd(of: [barrier, behind])
        XCTAssertEqual(bodies.total, 0)
        XCTAssertEqual(behind.runs.total, 1)
        gate.open()
        assertDrained(queue)
    }

    func testC2_WhateverItsDependencies() throws {
        let gate = Gate()
        let queue = WorkQueue(maxConcurrentJobCount: 2), other = WorkQueue(maxConcurrentJobCount: 0)
        let running = Probe { _ in gate.wait() }, foreign = Probe(), nowhere = Probe()
        try queue.addJob(running)
        try other.addJob(foreign)
        for dependency in [running, foreign, nowhere] {
            let job = Probe()
            try job.addDependency(dependency)
            try queue.addJob(job)
            assertEndsAtOnce(job, in: queue)
        }
        gate.open()
        assertDrained(queue)
        foreign.cancel()
        assertDrained(other)
    }

    func testC2_WhateverItsReadinessSays() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = UnreadyJob()
        try queue.addJob(job)
        waitForEnd(of: queue.addJob {})
        XCTAssertEqual(queue.jobs, [job])
        assertEndsAtOnce(job, in: queue)
        XCTAssertEqual(job.runs.total, 0)
    }

    func testC2_AnAsynchronousBodyDoesNotRunEither() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let bodies = Meter()
        let job = queue.addJob { () async -> Int in
            bodies.enter()
            return 1
        }
        assertEndsAtOnce(job, in: queue)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(bodies.total, 0)
        assertHasNoValue(job)
    }

    func testC2_ItsDependentsAreFree() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1)
        let never = Probe(), job = Probe(), near = Probe(), far = Probe()
        try job.addDependency(never)
        try near.addDependency(job)
        try far.addDependency(job)
        try queue.addJobs([job, near])
        try other.addJob(far)
        job.cancel()
        assertDrained(queue)
        assertDrained(other)
        XCTAssertEqual([job, near, far].map(\.runs.total), [0, 1, 1])
    }

    func testC2_CancelledWhileTheBarrierWaitsNothingHangs() throws {
        // A cancelled job added while a barrier waits blocks Foundation's queue for ever.
        let gate = Gate()
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        queue.addJob { gate.wait() }
        let barrier = queue.addBarrierBlock {}
        let job = Probe(), last = Probe()
        job.cancel()
        try queue.addJobs([job, last])
        waitForEnd(of: job)
        XCTAssertFalse(barrier.isFinished)
        XCTAssertFalse(last.isFinished)
        gate.open()
        assertDrained(queue)
        XCTAssertEqual([job, last].map(\.runs.total), [0, 1])
    }

    private func assertEndsAtOnce(_ job: Job, in queue: WorkQueue, line: UInt = #line) {
        let completions = Meter()
        job.addCompletion { _ in completions.enter() }
        job.cancel()
        waitForEnd(of: job, 20, line: line)
        XCTAssertEqual(job.phase, .finished, line: line)
        XCTAssertTrue(job.isCancelled, line: line)
        XCTAssertEqual(cancellation(job.outcome), .requested, line: line)
        XCTAssertFalse(queue.jobs.contains(job), line: line)
        XCTAssertEqual(completions.total, 1, line: line)
        if let probe = job as? Probe { XCTAssertEqual(probe.runs.total, 0, line: line) }
    }

    private func assertHasNoValue(_ job: ResultJob<Int>, line: UInt = #line) {
        XCTAssertThrowsError(try job.result?.get(), line: line) { XCTAssertTrue($0 is CancellationError, line: line) }
    }
}

/// Would never become ready of its own.
private final class UnreadyJob: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let runs = Meter()

    override var isReady: Bool { false }

    override func main() {
        runs.enter()
    }
}
