// `run`: waits for a slot like any job, then runs the body in the caller's own task.
import Foundation
import WorkQueues
import XCTest

final class RunTests: XCTestCase {
    func testRun_TheValueAndTheErrorOfTheBody() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        inTime {
            let value = try await queue.run { "value" }
            XCTAssertEqual(value, "value")
            do {
                try await queue.run { throw Trouble(1) }
                XCTFail("the body threw")
            } catch {
                XCTAssertEqual(error as? Trouble, Trouble(1))
            }
            await queue.waitUntilAllJobsAreFinished()
        }
    }

    func testRun_TheBodyIsNeitherEscapingNorSendable() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        inTime {
            var local = 1
            for _ in 0..<3 {
                try await queue.run {
                    local += 1
                    await Task.yield()
                    local += 1
                }
            }
            XCTAssertEqual(local, 7)
        }
    }

    func testRun_TheBodyHasTheCallersTaskLocalsAndPriority() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, qualityOfService: .background)
        let done = Gate()
        Task.detached(priority: .high) {
            let priority = Task.currentPriority
            await Mark.$text.withValue("the caller's") {
                let seen = try? await queue.run { (Mark.text, Task.currentPriority) }
                XCTAssertEqual(seen?.0, "the caller's")
                XCTAssertEqual(seen?.1, priority)
            }
            done.open()
        }
        within { done.wait() }
    }

    func testRun_TheBodyStaysInTheCallersActor() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), counter = Counter()
        inTime {
            try await counter.addTwice(on: queue)
            let count = await counter.count
            XCTAssertEqual(count, 2)
        }
    }

    func testRun_ItWaitsForASlotLikeAnyJob() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate(), ran = Gate()
        let first = queue.addJob {
            begun.open()
            leave.wait()
        }
        within { begun.wait() }
        let caller = Task.detached { try await queue.run { ran.open() } }
        eventually("it stands in line") { queue.jobCount == 2 }
        assertUnfinished(first)
        XCTAssertFalse(ran.isOpen)
        leave.open()
        inTime { try await caller.value }
        assertDrained(queue)
    }

    func testRun_ItHoldsTheSlotWhileTheBodyRuns() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate()
        let caller = Task.detached {
            try await queue.run {
                begun.open()
                await leave.opened()
            }
        }
        within { begun.wait() }
        let next = queue.addJob {}
        assertHeld(next)
        leave.open()
        inTime { try await caller.value }
        assertDrained(queue)
    }

    func testRun_NeverMoreThanTheWidth() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), meter = Meter()
        inTime {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await queue.run {
                            meter.enter()
                            await Task.yield()
                            meter.leave()
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        XCTAssertLessThanOrEqual(meter.peak, 2)
        XCTAssertEqual(meter.total, 200)
    }

    func testRun_ItHonoursSuspensionWidthZeroAndBarriers() {
        let queues = [WorkQueue(isSuspended: true), WorkQueue(maxConcurrentJobCount: 0), WorkQueue(maxConcurrentJobCount: 4)]
        let leave = Gate(), ran = Meter()
        queues[2].addBarrierBlock { leave.wait() }
        let callers = queues.map { queue in Task.detached { try await queue.run { ran.enter() } } }
        eventually("all stand in line") { queues[0].jobCount == 1 && queues[1].jobCount == 1 && queues[2].jobCount == 2 }
        XCTAssertFalse(queues[0].waitUntilAllJobsAreFinished(timeout: .milliseconds(50)))
        XCTAssertEqual(ran.total, 0)
        queues[0].isSuspended = false
        queues[1].maxConcurrentJobCount = 1
        leave.open()
        inTime { for caller in callers { try await caller.value } }
        XCTAssertEqual(ran.total, 3)
    }

    func testRun_ABarrierWaitsForIt() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), begun = Gate(), leave = Gate()
        let caller = Task.detached {
            try await queue.run {
                begun.open()
                await leave.opened()
            }
        }
        within { begun.wait() }
        let barrier = queue.addBarrierBlock {}
        assertHeld(barrier)
        leave.open()
        inTime { try await caller.value }
        assertDrained(queue)
    }

    func testRun_TheBodyIsAJobOfTheQueue() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), log = EventLog(), seen = Log<Bool>()
        queue.addObserver(log)
        inTime {
            try await queue.run {
                let job = Job.current
                seen.append(job != nil && job?.queue === queue && job?.phase == .executing)
                seen.append(WorkQueue.current === queue && queue.jobs.map(\.id) == [job?.id].compactMap { $0 })
                await Task.yield()
                seen.append(Job.current === job && WorkQueue.current === queue)
            }
            XCTAssertNil(Job.current)
            XCTAssertNil(WorkQueue.current)
        }
        assertDrained(queue)
        XCTAssertEqual(seen.values, [true, true, true])
        guard let id = log.events(.added).first?.jobID else { return XCTFail("never added") }
        XCTAssertEqual(log.names(of: id), [.added, .ready, .started, .finished])
        XCTAssertTrue(hasSucceeded(log.outcomes(of: id).first))
    }

    func testRun_OnASuspendedQueueItNeedsNoThread() throws {
        guard processThreadCount() != nil else { throw XCTSkip("the system does not count threads") }
        let queue = WorkQueue(isSuspended: true), ran = Meter()
        inTime { await Task.yield() }
        let before = processThreadCount() ?? 0
        for _ in 0..<1_000 { Task.detached { try await queue.run { ran.enter() } } }
        eventually("all stand in line") { queue.jobCount == 1_000 }
        XCTAssertLessThan((processThreadCount() ?? 0) - before, 16)
        queue.isSuspended = false
        assertDrained(queue)
        eventually("all ran") { ran.total == 1_000 }
    }
}

private enum Mark {
    @TaskLocal static var text = "nobody's"
}

private actor Counter {
    private(set) var count = 0

    func addTwice(on queue: WorkQueue) async throws {
        try await queue.run { count += 1 }
        try await queue.run {
            await Task.yield()
            count += 1
        }
    }
}
