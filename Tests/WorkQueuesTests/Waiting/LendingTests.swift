// O4: a job that waits without a time limit lends its slot, so that it may wait for another job of its own queue.
import Foundation
import WorkQueues
import XCTest

final class LendingTests: XCTestCase {
    func testO4_ABlockingWaitForAJobOfTheOwnQueue() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), order = Log<String>()
        queue.addJob {
            let inner = queue.addJob { order.append("inner") }
            inner.waitUntilFinished()
            order.append("outer")
        }
        assertDrained(queue)
        XCTAssertEqual(order.values, ["inner", "outer"])
    }

    func testO4_WaitForValue() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let outer = queue.addJob { try queue.addJob { 20 }.waitForValue() + queue.addJob { 22 }.waitForValue() }
        assertDrained(queue)
        XCTAssertEqual(try outer.result?.get(), 42)
    }

    func testO4_AddingABatchAndWaitingForIt() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), runs = Meter()
        let outer = queue.addJob { () throws -> Int in
            try queue.addJobs((0..<5).map { _ in BlockJob { runs.enter() } }, waitUntilFinished: true)
            return runs.total
        }
        assertDrained(queue)
        XCTAssertEqual(try outer.result?.get(), 5)
    }

    func testO4_ABlockingWaitForAnotherQueueThatNeedsThisOne() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1), order = Log<String>()
        queue.addJob {
            other.addJob {
                queue.addJob { order.append("needs the first queue's slot") }.waitUntilFinished()
                order.append("other")
            }
            other.waitUntilAllJobsAreFinished()
            order.append("outer")
        }
        assertDrained(queue)
        XCTAssertEqual(order.values, ["needs the first queue's slot", "other", "outer"])
    }

    func testO4_ABlockingWaitInACompletion() {
        for last in [false, true] {
            let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), order = Log<String>()
            let job = queue.addJob {}
            let wait: @Sendable () -> Void = {
                queue.addJob { order.append("inner") }.waitUntilFinished()
                order.append("completion")
            }
            if last { job.completionBlock = wait } else { job.addCompletion { _ in wait() } }
            queue.addJob(dependencies: [job]) { order.append("dependent") }
            queue.isSuspended = false
            assertDrained(queue)
            XCTAssertEqual(order.values, ["inner", "completion", "dependent"])
        }
    }

    func testO4_AnAwaitOfAJobByItsOwnTask() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let value = queue.addJob { () async throws -> Int in try await queue.addJob { 7 }.value }
        assertDrained(queue)
        XCTAssertEqual(try value.result?.get(), 7)
        let outcome = queue.addJob { () async -> Bool in hasSucceeded(await queue.addJob {}.waitUntilFinished()) }
        assertDrained(queue)
        XCTAssertEqual(try outcome.result?.get(), true)
    }

    func testO4_AnAwaitInAnAsyncResultJob() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = Relay(queue)
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(try job.result?.get(), 10)
    }

    func testO4_AnAwaitOfAnotherQueueThatNeedsThisOne() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1), order = Log<String>()
        queue.addJob { () async -> Void in
            other.addJob { () async -> Void in
                await queue.addJob { order.append("needs the first queue's slot") }.waitUntilFinished()
                order.append("other")
            }
            await other.waitUntilAllJobsAreFinished()
            order.append("outer")
        }
        assertDrained(queue)
        XCTAssertEqual(order.values, ["needs the first queue's slot", "other", "outer"])
    }

    func testO4_AnAwaitOfRunOnTheOwnQueue() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = queue.addJob { () async throws -> Int in
            try await queue.run { try await queue.run { 1 } + 1 } + 1
        }
        assertDrained(queue)
        XCTAssertEqual(try job.result?.get(), 3)
    }

    func testO4_AnAwaitInTheBodyOfRun() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        inTime {
            let value = try await queue.run { try await queue.addJob { 5 }.value }
            XCTAssertEqual(value, 5)
        }
    }

    func testO4_ChainsOfWaitsAtWidthOne() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let blocking = queue.addJob { try descend(queue, 20) }
        let async = queue.addJob { () async throws -> Int in try await descendAsync(queue, 100) }
        assertDrained(queue)
        XCTAssertEqual(try blocking.result?.get(), 20)
        XCTAssertEqual(try async.result?.get(), 100)
    }

    func testO4_ABarrierMayWaitForAJobOfAnotherQueueAndStaysABarrier() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), other = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate()
        let awaited = other.addJob {
            begun.open()
            leave.wait()
        }
        within { begun.wait() }
        let barrier = queue.addBarrierBlock { awaited.waitUntilFinished() }
        let after = queue.addJob {}
        assertHeld(after, "what lends its slot has not finished")
        XCTAssertFalse(barrier.isFinished)
        leave.open()
        assertDrained(queue)
    }

    func testW1_AJobThatLentItsSlotIsNotCounted() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), seen = Log<Int>()
        let awaited = other.addJob { leave.wait() }
        let waiters = (0..<3).map { _ in queue.addJob { awaited.waitUntilFinished() } }
        let asyncs = (0..<3).map { _ in queue.addJob { () async -> Void in await awaited.waitUntilFinished() } }
        let last = queue.addJob { seen.append((waiters + asyncs).count { $0.phase == .executing }) }
        waitForEnd(of: last)
        XCTAssertEqual(seen.values, [6], "all six are executing, and have lent their slots")
        leave.open()
        assertDrained(queue)
    }

    func testW1_AWaiterThatHasReturnedIsCountedAgain() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), meter = Meter()
        for round in 0..<40 {
            if round % 2 == 0 {
                queue.addJob {
                    meter.enter()
                    dawdle(5_000)
                    meter.leave()
                    queue.addJob {
                        meter.enter()
                        dawdle(5_000)
                        meter.leave()
                    }.waitUntilFinished()
                    meter.enter()
                    dawdle(5_000)
                    meter.leave()
                }
            } else {
                queue.addJob { () async -> Void in
                    meter.enter()
                    dawdle(5_000)
                    meter.leave()
                    await queue.addJob {
                        meter.enter()
                        dawdle(5_000)
                        meter.leave()
                    }.waitUntilFinished()
                    meter.enter()
                    dawdle(5_000)
                    meter.leave()
                }
            }
        }
        assertDrained(queue)
        XCTAssertLessThanOrEqual(meter.peak, 2)
        XCTAssertEqual(meter.total, 120)
    }

    func testO4_ASlotThatIsLentIsGivenBackOnce() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), meter = Meter(), leave = Gate()
        for _ in 0..<50 { queue.addJob { queue.addJob {}.waitUntilFinished() } }
        assertDrained(queue)
        for _ in 0..<10 {
            queue.addJob {
                meter.enter()
                leave.wait()
                meter.leave()
            }
        }
        eventually("the width is what it was") { meter.current == 2 }
        XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(30)))
        XCTAssertEqual(meter.peak, 2)
        leave.open()
        assertDrained(queue)
    }
}

private final class Relay: AsyncResultJob<Int>, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    private let target: WorkQueue

    init(_ target: WorkQueue) {
        self.target = target
        super.init()
    }

    override func run() async throws -> Int {
        try await target.addJob { 4 }.value + target.addJob { 6 }.value
    }
}

private func descend(_ queue: WorkQueue, _ depth: Int) throws -> Int {
    guard depth > 0 else { return 0 }
    return try queue.addJob { try descend(queue, depth - 1) }.waitForValue() + 1
}

private func descendAsync(_ queue: WorkQueue, _ depth: Int) async throws -> Int {
    guard depth > 0 else { return 0 }
    return try await queue.addJob { () async throws -> Int in try await descendAsync(queue, depth - 1) }.value + 1
}
