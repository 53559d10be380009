// R2 and S97: any number of tasks await a value; a cancelled one leaves at once, and nobody else notices.
import Foundation
import WorkQueues
import XCTest

final class AwaitValueTests: XCTestCase {
    func testS97_TheValueOfAJobThatHasFinishedAlready() {
        let queue = WorkQueue(), job = queue.addJob { "late" }
        waitForEnd(of: job)
        inTime {
            let value = try await job.value
            XCTAssertEqual(value, "late")
            let again = try await job.value
            XCTAssertEqual(again, "late")
        }
        XCTAssertEqual(try job.waitForValue(), "late")
        XCTAssertEqual(try job.result?.get(), "late")
    }

    func testS97_AHundredTasksAwaitOneJobAndSomeAreCancelled() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), asleep = Meter()
        let job = queue.addJob { () -> Int in
            leave.wait()
            return 77
        }
        let tasks = (0..<100).map { _ in
            Task.detached { () -> Int? in
                asleep.enter()
                do { return try await job.value } catch {
                    XCTAssertTrue(error is CancellationError, "\(error)")
                    return nil
                }
            }
        }
        eventually("all await") { asleep.total == 100 }
        for index in stride(from: 0, to: 100, by: 3) { tasks[index].cancel() }
        inTime(20, "the cancelled ones get their error while the job still runs") {
            for index in stride(from: 0, to: 100, by: 3) {
                let value = await tasks[index].value
                XCTAssertNil(value)
            }
        }
        XCTAssertFalse(job.isFinished)
        XCTAssertFalse(job.isCancelled, "the job does not notice")
        leave.open()
        inTime {
            for index in 0..<100 where index % 3 != 0 {
                let value = await tasks[index].value
                XCTAssertEqual(value, 77)
            }
        }
        XCTAssertTrue(hasSucceeded(job.outcome))
    }

    func testR2_ATaskThatIsCancelledAlreadyDoesNotWait() {
        let queue = WorkQueue(isSuspended: true), job = queue.addJob { 1 }, go = Gate()
        let task = Task.detached {
            await go.opened()
            return try await job.value
        }
        task.cancel()
        go.open()
        inTime(20) {
            let result = await task.result
            XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        }
        XCTAssertFalse(job.isCancelled)
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testR2_CancelledWaitersOfEveryPhase() throws {
        let suspended = WorkQueue(isSuspended: true), queue = WorkQueue(), root = BlockJob {}, leave = Gate()
        let created = ResultJob { 1 }, waiting = queue.addJob(dependencies: [root]) { 1 }, ready = suspended.addJob { 1 }
        let executing = queue.addJob { () -> Int in
            leave.wait()
            return 1
        }
        for job in [created, waiting, ready, executing] {
            let asleep = Gate(),
                task = Task.detached {
                    asleep.open()
                    return try await job.value
                }
            within { asleep.wait() }
            assertUnfinished(job)
            task.cancel()
            inTime(20) {
                let result = await task.result
                XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
            }
            XCTAssertFalse(job.isCancelled)
        }
        leave.open()
        suspended.isSuspended = false
        try queue.addJobs([root, created])
        for job in [created, waiting, ready, executing] { XCTAssertEqual(try job.waitForValue(), 1) }
    }

    func testR2_TheErrorOfAJobReachesEachWaiter() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), asleep = Meter()
        let job = queue.addJob { () -> Int in
            leave.wait()
            throw Trouble(3)
        }
        let tasks = (0..<10).map { _ in
            Task.detached {
                asleep.enter()
                return try await job.value
            }
        }
        eventually("all await") { asleep.total == 10 }
        leave.open()
        inTime {
            for task in tasks {
                let result = await task.result
                XCTAssertThrowsError(try result.get()) { XCTAssertEqual($0 as? Trouble, Trouble(3)) }
            }
        }
        XCTAssertThrowsError(try job.waitForValue()) { XCTAssertEqual($0 as? Trouble, Trouble(3)) }
        XCTAssertThrowsError(try job.result?.get()) { XCTAssertEqual($0 as? Trouble, Trouble(3)) }
    }

    func testR2_TheValueOfACancelledJobIsACancellationError() {
        let queue = WorkQueue(isSuspended: true), job = queue.addJob { 1 }, asleep = Gate()
        let task = Task.detached {
            asleep.open()
            return try await job.value
        }
        within { asleep.wait() }
        job.cancel()
        inTime {
            let result = await task.result
            XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        }
        XCTAssertThrowsError(try job.waitForValue()) { XCTAssertTrue($0 is CancellationError) }
        XCTAssertFalse(task.isCancelled, "the waiter itself was not cancelled")
    }

    func testR2_CancellingWaitersRacingTheEnd() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1)), live = Meter(), dead = Meter(), rounds = Rounds.scaled(5_000)
        for round in 0..<rounds {
            let job = queue.addJob { round }
            let task = Task.detached { () -> Void in
                do {
                    let value = try await job.value
                    XCTAssertEqual(value, round)
                    live.enter()
                } catch {
                    XCTAssertTrue(error is CancellationError)
                    dead.enter()
                }
            }
            dawdle(round % 53 * 40)
            task.cancel()
            guard inTime(30, "round \(round)", { await task.value }) else { return }
        }
        assertDrained(queue)
        XCTAssertEqual(live.total + dead.total, rounds)
    }

    func testR2_OnlyRunTiesTheCallerAndItsJobTogether() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate(), seen = Log<Bool>()
        let job = queue.addJob { () async -> Int in
            begun.open()
            await leave.opened()
            seen.append(Task.isCancelled)
            return 4
        }
        let caller = Task.detached { try await job.value }
        within { begun.wait() }
        caller.cancel()
        inTime {
            let result = await caller.result
            XCTAssertThrowsError(try result.get())
        }
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(seen.values, [false])
        XCTAssertEqual(try job.result?.get(), 4)
    }

    func testR2_ATaskCannotCancelAJobByBeingTheOneThatAddedIt() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate(), added = Guarded<ResultJob<Bool>?>(nil)
        let adder = Task.detached {
            added.set(
                queue.addJob { () async -> Bool in
                    begun.open()
                    await leave.opened()
                    return Task.isCancelled
                })
            await leave.opened()
        }
        within { begun.wait() }
        adder.cancel()
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(try added.current?.result?.get(), false)
    }

    func testR2_ResultIsNilUntilTheEnd() {
        let queue = WorkQueue(isSuspended: true), job = queue.addJob { 1 }
        XCTAssertNil(job.result)
        queue.isSuspended = false
        waitForEnd(of: job)
        XCTAssertEqual(try job.result?.get(), 1)
    }
}
