// W3, S65, S66, S69, S127: a suspended queue starts nothing, and loses nothing.
import Foundation
import WorkQueues
import XCTest

final class SuspensionTests: XCTestCase {
    func testW3_AfterTheSetterNoPhaseBecomesExecuting() {
        var random = SeededGenerator(seed: 3)
        for round in 0..<Rounds.scaled(1_000) {
            let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1 + round % 3)), bodies = Meter()
            let jobs = (0..<12).map { _ in
                queue.addJob {
                    bodies.enter()
                    dawdle(200)
                }
            }
            dawdle(Int.random(in: 0..<20_000, using: &random))
            queue.isSuspended = true
            // Read after the setter has returned: what is not executing now must stay put.
            let begun = jobs.filter { $0.phase == .executing || $0.phase == .finished }
            guard waitForEnd(of: begun) else { return }
            XCTAssertEqual(bodies.total, begun.count, "round \(round)")
            let others = jobs.filter { job in !begun.contains { $0 === job } }
            XCTAssertTrue(others.allSatisfy { $0.phase != .executing && $0.phase != .finished }, "round \(round)")
            XCTAssertEqual(queue.jobCount, others.count)
            queue.isSuspended = false
            guard assertDrained(queue) else { return }
            XCTAssertEqual(bodies.total, 12)
        }
    }

    func testW3_NothingStartsWhenARunningJobEndsOrAJobIsAdded() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate()
        let running = queue.addJob {
            begun.open()
            leave.wait()
        }
        let waiting = queue.addJob {}
        within { begun.wait() }
        queue.isSuspended = true
        let late = queue.addJob(priority: .veryHigh) {}
        leave.open()
        waitForEnd(of: running)
        XCTAssertTrue(hasSucceeded(running.outcome), "suspension does not touch what runs")
        assertHeld(waiting)
        assertHeld(late)
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testW3_NeitherAnEdgeNorTheWidthNorAPostStartsAJob() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), elsewhere = WorkQueue(maxConcurrentJobCount: 1)
        let root = BlockJob {}, late = LateJob()
        let dependent = queue.addJob(dependencies: [root]) {}
        try queue.addJob(late)
        try elsewhere.addJob(root)
        waitForEnd(of: root)
        late.allow()
        queue.maxConcurrentJobCount = 8
        assertHeld(dependent)
        assertHeld(late)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(late.runs.total, 1)
    }

    func testW3_ARunningAsyncBodyGoesOnThroughItsSuspensionPoints() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate()
        let running = queue.addJob { () async -> Int in
            begun.open()
            await leave.opened()
            for _ in 0..<10 { await Task.yield() }
            return 7
        }
        within { begun.wait() }
        queue.isSuspended = true
        leave.open()
        waitForEnd(of: running)
        XCTAssertEqual(try running.result?.get(), 7)
        XCTAssertTrue(queue.isSuspended)
        queue.isSuspended = false
    }

    func testW3_ItIsAFlagAndNotACounter() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        for _ in 0..<3 { queue.isSuspended = true }
        XCTAssertTrue(queue.isSuspended)
        let job = queue.addJob {}
        assertHeld(job)
        queue.isSuspended = false
        XCTAssertFalse(queue.isSuspended)
        waitForEnd(of: job)
        for _ in 0..<3 { queue.isSuspended = false }
        queue.isSuspended = true
        assertHeld(queue.addJob {}, "three resumes do not outweigh one suspension")
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testW3_SuspendAndResumeAllTheTimeLosesNothing() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), runs = Meter(), stop = Gate(), stopped = Gate()
        onNewThread {
            while !stop.isOpen {
                queue.isSuspended = true
                dawdle(500)
                queue.isSuspended = false
            }
            stopped.open()
        }
        let total = Rounds.scaled(20_000)
        for _ in 0..<total { queue.addJob { runs.enter() } }
        stop.open()
        within { stopped.wait() }
        assertDrained(queue)
        XCTAssertEqual(runs.total, total)
    }

    func testW3_BothChangesAreEvents() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), log = EventLog()
        queue.addObserver(log)
        queue.isSuspended = true
        queue.isSuspended = false
        eventually("both events") { log.count(.suspended) == 1 && log.count(.resumed) == 1 }
        XCTAssertEqual(log.sequenced.map(EventLog.name(of:)).filter { $0 == .suspended || $0 == .resumed }, [.suspended, .resumed])
        XCTAssertTrue(log.events.filter { EventLog.name(of: $0) != .idle }.allSatisfy { $0.jobID == nil })
    }

    func testS65_TwoQueuesOnOneDispatchQueueAreSuspendedOneByOne() {
        let shared = DispatchQueue(label: "shared", attributes: .concurrent)
        let first = WorkQueue(maxConcurrentJobCount: 2, underlyingQueue: shared)
        let second = WorkQueue(maxConcurrentJobCount: 2, underlyingQueue: shared)
        first.isSuspended = true
        let held = first.addJob {}
        waitForEnd(of: (0..<20).map { _ in second.addJob {} })
        let block = Gate()
        shared.async { block.open() }
        within { block.wait() }
        assertHeld(held)
        XCTAssertFalse(second.isSuspended)
        first.isSuspended = false
        waitForEnd(of: held)

        for _ in 0..<3 { first.isSuspended = true }
        let again = first.addJob {}
        assertHeld(again)
        waitForEnd(of: second.addJob {})
        first.isSuspended = false
        waitForEnd(of: again)
    }

    func testS65_OnASerialDispatchQueueToo() {
        let shared = DispatchQueue(label: "shared and serial")
        let first = WorkQueue(maxConcurrentJobCount: 1, underlyingQueue: shared)
        let second = WorkQueue(maxConcurrentJobCount: 1, underlyingQueue: shared)
        first.isSuspended = true
        let held = (0..<5).map { _ in first.addJob {} }
        waitForEnd(of: (0..<5).map { _ in second.addJob {} })
        for job in held { assertHeld(job, for: .milliseconds(5)) }
        first.isSuspended = false
        waitForEnd(of: held)
    }

    func testS66_NoneBeforeFiveAfter() {
        let queue = WorkQueue(), runs = Meter()
        queue.isSuspended = true
        let jobs = (0..<5).map { _ in queue.addJob { runs.enter() } }
        XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(50)))
        XCTAssertEqual(runs.total, 0)
        XCTAssertTrue(jobs.allSatisfy { $0.phase != .executing && $0.phase != .finished })
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(runs.total, 5)
    }

    func testS66_AQueueMadeSuspendedIsSuspended() {
        let queue = WorkQueue(isSuspended: true)
        XCTAssertTrue(queue.isSuspended)
        assertHeld(queue.addJob {})
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertFalse(WorkQueue().isSuspended)
    }

    func testS69_CancellingAllOnASuspendedQueueReleasesBothKindsOfWaiters() {
        let queue = WorkQueue(isSuspended: true), runs = Meter(), asleep = Meter(), awake = Log<String>()
        let jobs = (0..<3).map { _ in queue.addJob { runs.enter() } }
        let done = (Gate(), Gate())
        Task.detached {
            asleep.enter()
            await queue.waitUntilAllJobsAreFinished()
            awake.append("task")
            done.0.open()
        }
        onNewThread {
            asleep.enter()
            queue.waitUntilAllJobsAreFinished()
            awake.append("thread")
            done.1.open()
        }
        eventually("both wait") { asleep.total == 2 }
        XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(30)))
        XCTAssertEqual(awake.count, 0)
        queue.cancelAllJobs()
        within {
            done.0.wait()
            done.1.wait()
        }
        XCTAssertTrue(queue.isSuspended, "still suspended")
        XCTAssertEqual(runs.total, 0)
        XCTAssertEqual(jobs.compactMap { cancellation($0.outcome) }, [.requested, .requested, .requested])
        XCTAssertEqual(queue.jobCount, 0)
    }

    func testS127_TheCountOfABatchOfSeven() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 7, isSuspended: true), jobs = (0..<7).map { _ in HeldJob() }
        try queue.addJobs(jobs)
        XCTAssertEqual(queue.jobCount, 7)
        XCTAssertEqual(queue.jobs.map(\.id), jobs.map(\.id), "in the order added")
        queue.isSuspended = false
        within { for job in jobs { job.begun.wait() } }
        XCTAssertEqual(queue.jobCount, 7, "running ones count")
        for job in jobs { job.finish() }
        assertDrained(queue)
        XCTAssertEqual(queue.jobCount, 0)
        XCTAssertTrue(queue.jobs.isEmpty)
    }

    func testS127_TheCountFollowsEachEnd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 7, isSuspended: true), jobs = (0..<7).map { _ in HeldJob() }
        try queue.addJobs(jobs)
        queue.isSuspended = false
        within { for job in jobs { job.begun.wait() } }
        for (index, job) in jobs.enumerated() {
            job.finish()
            waitForEnd(of: job)
            XCTAssertEqual(queue.jobCount, 6 - index)
            XCTAssertFalse(queue.jobs.contains(job))
        }
    }
}
