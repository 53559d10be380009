// `run` alone ties the caller and its job together: each one's cancellation is the other's.
import Foundation
import WorkQueues
import XCTest

final class RunCancellationTests: XCTestCase {
    func testR2_ACallerThatIsCancelledInLineLeavesAtOnceAndItsBodyNeverRuns() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), bodies = Meter(), log = EventLog()
        queue.addObserver(log)
        let first = queue.addJob { leave.wait() }
        let caller = Task.detached { try await queue.run { bodies.enter() } }
        eventually("it stands in line") { queue.jobCount == 2 }
        caller.cancel()
        inTime(20) {
            let result = await caller.result
            XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
        }
        XCTAssertFalse(first.isFinished)
        XCTAssertFalse(first.isCancelled)
        eventually("its job has left the queue") { queue.jobCount == 1 }
        let ids = log.events(.added).compactMap(\.jobID).filter { $0 != first.id }
        XCTAssertEqual(ids.count, 1)
        XCTAssertEqual(ids.flatMap(log.outcomes(of:)).compactMap(cancellation).count, 1)
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(bodies.total, 0)
    }

    func testR2_ACallerThatIsCancelledAlreadyRunsNoBody() {
        let queue = WorkQueue(), bodies = Meter(), go = Gate()
        let caller = Task.detached {
            await go.opened()
            return try await queue.run { bodies.enter() }
        }
        caller.cancel()
        go.open()
        inTime {
            let result = await caller.result
            XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        }
        assertDrained(queue)
        XCTAssertEqual(bodies.total, 0)
    }

    func testR2_ACallerThatIsCancelledInTheBodyCancelsItsJob() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate(), job = Guarded<Job?>(nil), seen = Log<Bool>()
        let caller = Task.detached {
            try await queue.run {
                job.set(Job.current)
                begun.open()
                await leave.opened()
                seen.append(Task.isCancelled)
                seen.append(Job.current?.isCancelled ?? false)
                seen.append((try? Job.checkCancellation()) == nil)
            }
        }
        within { begun.wait() }
        caller.cancel()
        XCTAssertEqual(job.current?.isCancelled, true)
        leave.open()
        inTime { _ = await caller.result }
        assertDrained(queue)
        XCTAssertEqual(seen.values, [true, true, true])
        XCTAssertNotNil(cancellation(job.current?.outcome), "cancelled before its body ended, so it never counts as succeeded")
    }

    func testC4_R2_TheValueOfACancelledRunIsDropped() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate()
        let caller = Task.detached {
            try await queue.run { () async -> Int in
                begun.open()
                await leave.opened()
                return 1
            }
        }
        within { begun.wait() }
        caller.cancel()
        leave.open()
        inTime {
            let result = await caller.result
            XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        }
        assertDrained(queue)
    }

    func testC4_R2_TheErrorOfACancelledRunIsKept() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate()
        let caller = Task.detached {
            try await queue.run {
                begun.open()
                await leave.opened()
                throw Trouble(4)
            }
        }
        within { begun.wait() }
        caller.cancel()
        leave.open()
        inTime {
            let result = await caller.result
            XCTAssertThrowsError(try result.get()) { XCTAssertEqual($0 as? Trouble, Trouble(4)) }
        }
        assertDrained(queue)
    }

    func testR2_CancellingTheJobInLineEndsTheCallersWait() {
        let queue = WorkQueue(isSuspended: true), bodies = Meter(), caller = Task.detached { try await queue.run { bodies.enter() } }
        eventually("it stands in line") { queue.jobCount == 1 }
        queue.cancelAllJobs()
        inTime(20) {
            let result = await caller.result
            XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        }
        XCTAssertEqual(bodies.total, 0)
        XCTAssertTrue(queue.isSuspended)
    }

    func testR2_CancellingTheJobInItsBodyIsSeenByTheBody() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate(), heard = Log<Job.CancellationReason>(),
            seen = Log<Bool>()
        let caller = Task.detached {
            try await queue.run {
                Job.current?.onCancel { heard.append($0) }
                begun.open()
                await leave.opened()
                seen.append((try? Job.checkCancellation()) == nil)
            }
        }
        within { begun.wait() }
        queue.cancelAllJobs(reason: .custom("maintenance"))
        XCTAssertEqual(heard.values, [.custom("maintenance")])
        leave.open()
        inTime {
            let result = await caller.result
            XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        }
        assertDrained(queue)
        XCTAssertEqual(seen.values, [true])
    }

    func testR2_CancellingTheJobRacesTheCallersCancel() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        for round in 0..<Rounds.scaled(2_000) {
            let caller = Task.detached {
                try await queue.run {
                    await Task.yield()
                    return round
                }
            }
            dawdle(round % 61 * 50)
            caller.cancel()
            if round % 2 == 0 { queue.cancelAllJobs() }
            guard
                inTime(
                    30, "round \(round)",
                    {
                        let result = await caller.result
                        if case .success(let value) = result { XCTAssertEqual(value, round) }
                        if case .failure(let error) = result { XCTAssertTrue(error is CancellationError) }
                    })
            else { return }
        }
        assertDrained(queue)
        XCTAssertEqual(queue.jobCount, 0)
    }

    func testR2_OneCallersCancelIsNoOtherCallersBusiness() {
        let queue = WorkQueue(isSuspended: true)
        let callers = (0..<10).map { index in Task.detached { try await queue.run { index } } }
        eventually("all stand in line") { queue.jobCount == 10 }
        for index in stride(from: 0, to: 10, by: 2) { callers[index].cancel() }
        eventually("five have left") { queue.jobCount == 5 }
        queue.isSuspended = false
        inTime {
            for index in stride(from: 1, to: 10, by: 2) {
                let value = try await callers[index].value
                XCTAssertEqual(value, index)
            }
        }
    }
}
