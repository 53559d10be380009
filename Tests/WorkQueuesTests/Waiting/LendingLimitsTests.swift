// O4: which waits keep the slot, who is an ordinary caller, and what happens where no slot can be lent.
import Dispatch
import Foundation
import WorkQueues
import XCTest

final class LendingLimitsTests: XCTestCase {
    func testO4_AWaitWithATimeLimitKeepsTheSlot() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), answers = Log<Bool>()
        queue.addJob {
            let inner = queue.addJob {}
            answers.append(inner.waitUntilFinished(timeout: .milliseconds(50)))
            answers.append(inner.phase != .executing)
        }
        assertDrained(queue)
        XCTAssertEqual(answers.values, [false, true])
    }

    func testO4_AnAwaitWithATimeLimitKeepsTheSlot() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), answers = Log<Bool>()
        queue.addJob { () async -> Void in
            let inner = queue.addJob {}
            answers.append(await inner.waitUntilFinished(timeout: .milliseconds(50)))
            answers.append(inner.phase != .executing)
        }
        assertDrained(queue)
        XCTAssertEqual(answers.values, [false, true])
    }

    func testO4_AWaitForAQueueWithATimeLimitKeepsTheSlot() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), answers = Log<Bool>()
        other.addJob { leave.wait() }
        queue.addJob {
            let next = queue.addJob {}
            answers.append(other.waitUntilAllJobsAreFinished(timeout: .milliseconds(50)))
            answers.append(next.phase != .executing)
        }
        queue.addJob { () async -> Void in
            let next = queue.addJob {}
            answers.append(await other.waitUntilAllJobsAreFinished(timeout: .milliseconds(50)))
            answers.append(next.phase != .executing)
        }
        assertDrained(queue)
        leave.open()
        assertDrained(other)
        XCTAssertEqual(answers.values, [false, true, false, true])
    }

    func testO4_AThreadOfTheBodysOwnIsAnOrdinaryCaller() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), asleep = Gate(), awake = Gate()
        queue.addJob {
            let inner = queue.addJob {}
            onNewThread {
                asleep.open()
                inner.waitUntilFinished()
                awake.open()
            }
            asleep.wait()
            assertHeld(inner, for: .milliseconds(50), "the body did not wait, so it lends nothing")
        }
        assertDrained(queue)
        within { awake.wait() }
    }

    func testO4_TasksThatDescendFromABodyAreOrdinaryCallers() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), answers = Log<Bool>()
        let outer = queue.addJob { () async throws -> Int in
            let inner = queue.addJob { 3 }, asleep = Gate(), alsoAsleep = Gate()
            let task = Task {
                asleep.open()
                return try await inner.value
            }
            async let child: Job.Outcome = {
                alsoAsleep.open()
                return await inner.waitUntilFinished()
            }()
            await asleep.opened()
            await alsoAsleep.opened()
            answers.append(await inner.waitUntilFinished(timeout: .milliseconds(50)))
            answers.append(inner.phase != .executing)
            // The one wait of the body's own task, which lends the slot that both others need.
            await inner.waitUntilFinished()
            _ = await child
            return try await task.value
        }
        assertDrained(queue)
        XCTAssertEqual(answers.values, [false, true])
        XCTAssertEqual(try outer.result?.get(), 3)
    }

    func testO4_Beyond64BlockedWaitersAWaiterRunsTheAwaitedJobItself() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), misuse = MisuseLog(), places = Guarded<[Int: Place]>([:])
        defer { misuse.restore() }
        let jobs = Guarded<[Int: Job.ID]>([:])
        @Sendable func descend(_ depth: Int) throws -> Int {
            places.with { $0[depth] = .here }
            guard depth < 120 else { return depth }
            let next = queue.addJob { try descend(depth + 1) }
            jobs.with { $0[depth + 1] = next.id }
            let bottom = try next.waitForValue()
            XCTAssertEqual(Place.here, places.current[depth], "what it was before the awaited job ran here")
            return bottom
        }
        let first = queue.addJob { try descend(0) }
        assertDrained(queue)
        XCTAssertEqual(try first.result?.get(), 120)
        XCTAssertEqual(misuse.messages, [])
        let seen = places.current, ids = jobs.current
        XCTAssertEqual(seen.count, 121)
        for depth in 1...120 {
            XCTAssertEqual(seen[depth]?.job, ids[depth])
            XCTAssertEqual(seen[depth]?.queue, ObjectIdentifier(queue))
        }
        XCTAssertEqual(Set((0...60).compactMap { seen[$0]?.thread }).count, 61, "those that lend block one thread each")
        XCTAssertEqual(Set((70...120).compactMap { seen[$0]?.thread }).count, 1, "those beyond share the last one")
    }

    func testO4_Beyond64BlockedWaitersAWaitForWhatIsNotReadyKeepsTheSlotAndIsReported() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), begun = Gate()
        let misuse = MisuseLog(), blocked = Meter()
        defer { misuse.restore() }
        let awaited = other.addJob {
            begun.open()
            leave.wait()
        }
        within { begun.wait() }
        let waiters = (0..<70).map { _ in
            queue.addJob {
                blocked.enter()
                awaited.waitUntilFinished()
            }
        }
        eventually("the 65th waits") { blocked.current >= 65 && !misuse.messages.isEmpty }
        assertHeld(waiters[65], "the slot is kept")
        XCTAssertEqual(blocked.total, 65)
        XCTAssertEqual(misuse.messages.count, 1)
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(blocked.total, 70)
    }

    func testO4_AwaitingTasksAreNotBlockedWaiters() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), begun = Gate()
        let misuse = MisuseLog(), asleep = Meter()
        defer { misuse.restore() }
        let awaited = other.addJob {
            begun.open()
            leave.wait()
        }
        within { begun.wait() }
        for _ in 0..<500 {
            queue.addJob { () async -> Void in
                asleep.enter()
                await awaited.waitUntilFinished()
            }
        }
        eventually("all 500 wait") { asleep.total == 500 }
        waitForEnd(of: queue.addJob {})
        XCTAssertEqual(misuse.messages, [])
        leave.open()
        assertDrained(queue)
    }

    func testO4_OnASerialUnderlyingQueueAWaiterRunsTheAwaitedJobItself() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, underlyingQueue: DispatchQueue(label: "serial"))
        let misuse = MisuseLog(), places = Log<Place>()
        defer { misuse.restore() }
        let outer = queue.addJob { () throws -> Job.ID in
            let inner = queue.addJob { places.append(.here) }
            inner.waitUntilFinished()
            places.append(.here)
            return inner.id
        }
        assertDrained(queue)
        XCTAssertEqual(places.count, 2)
        XCTAssertEqual(places.values.first?.thread, places.values.last?.thread)
        XCTAssertEqual(places.values.first?.job, try outer.result?.get())
        XCTAssertEqual(places.values.last?.job, outer.id)
        XCTAssertEqual(misuse.messages, [])
    }

    func testO4_OnASerialUnderlyingQueueAWaitForWhatIsNotReadyKeepsTheSlotAndIsReported() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, underlyingQueue: DispatchQueue(label: "serial"))
        let other = WorkQueue(maxConcurrentJobCount: 1), misuse = MisuseLog(), begun = Gate(), leave = Gate()
        defer { misuse.restore() }
        let awaited = other.addJob {
            begun.open()
            leave.wait()
        }
        within { begun.wait() }
        let waiter = queue.addJob { awaited.waitUntilFinished() }, next = queue.addJob {}
        eventually("it is reported") { misuse.messages.count == 1 }
        assertHeld(next, "the slot is kept")
        leave.open()
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(waiter.outcome))
        XCTAssertEqual(misuse.messages.count, 1)
    }
}
