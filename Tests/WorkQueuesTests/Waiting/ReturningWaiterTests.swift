// O4: a waiter that returns is next for a slot, before any ready job, and goes on whatever the suspension.
import Foundation
import WorkQueues
import XCTest

final class ReturningWaiterTests: XCTestCase {
    func testO4_AReturningThreadIsNextBeforeAnyReadyJob() {
        returnsFirst { queue, awaited, order in
            queue.addJob {
                awaited.waitUntilFinished()
                order.append("waiter")
            }
        }
    }

    func testO4_AReturningCompletionIsNextBeforeAnyReadyJob() {
        returnsFirst { queue, awaited, order in
            let job = BlockJob {}
            job.addCompletion { _ in
                awaited.waitUntilFinished()
                order.append("waiter")
            }
            add(job, to: queue)
        }
    }

    func testO4_AReturningTaskIsNextBeforeAnyReadyJob() {
        returnsFirst { queue, awaited, order in
            queue.addJob { () async -> Void in
                await awaited.waitUntilFinished()
                order.append("waiter")
            }
        }
    }

    func testO4_ATaskThatAwaitedAQueueIsNextBeforeAnyReadyJob() {
        returnsFirst { queue, awaited, order in
            queue.addJob { () async -> Void in
                await awaited.queue?.waitUntilAllJobsAreFinished()
                order.append("waiter")
            }
        }
    }

    private func returnsFirst(
        file: StaticString = #filePath, line: UInt = #line, _ addWaiter: (WorkQueue, ResultJob<Void>, Log<String>) -> Void
    ) {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1), order = Log<String>()
        let release = Gate(), holding = Gate(), leave = Gate()
        let awaited = other.addJob { release.wait() }
        addWaiter(queue, awaited, order)
        queue.addJob {
            holding.open()
            leave.wait()
            order.append("holder")
        }
        within(file: file, line: line) { holding.wait() }
        // The waiter has lent its slot to the holder; two more stand in line.
        let urgent = queue.addJob(priority: .veryHigh) { order.append("urgent") }
        queue.addJob { order.append("next") }
        release.open()
        waitForEnd(of: awaited, file: file, line: line)
        assertDrained(other, file: file, line: line)
        assertHeld(urgent, for: .milliseconds(200), "meanwhile the waiter asks for its slot", file: file, line: line)
        XCTAssertEqual(order.values, [], "the slot is taken", file: file, line: line)
        leave.open()
        assertDrained(queue, file: file, line: line)
        XCTAssertEqual(order.values, ["holder", "waiter", "urgent", "next"], file: file, line: line)
    }

    func testO4_AReturningWaiterGoesOnWhateverTheSuspension() {
        for async in [false, true] {
            let scene = Scene(waiters: 1, async: async)
            scene.queue.isSuspended = true
            let ready = scene.queue.addJob {}
            scene.release.open()
            waitForEnd(of: scene.waiters)
            XCTAssertTrue(scene.waiters.allSatisfy { hasSucceeded($0.outcome) })
            assertHeld(ready, "a suspended queue starts nothing all the same")
            scene.queue.isSuspended = false
            assertDrained(scene.queue)
        }
    }

    func testO4_AtWidthZeroReturningWaitersGoOnOneByOne() {
        for async in [false, true] {
            let scene = Scene(waiters: 5, async: async)
            scene.queue.maxConcurrentJobCount = 0
            let ready = scene.queue.addJob {}
            scene.release.open()
            waitForEnd(of: scene.waiters)
            XCTAssertEqual(scene.returned.total, 5)
            XCTAssertEqual(scene.returned.peak, 1, "as if the width were 1")
            assertHeld(ready, "width 0 starts nothing all the same")
            scene.queue.maxConcurrentJobCount = 1
            assertDrained(scene.queue)
        }
    }

    func testO4_ReturningWaitersRespectTheWidth() {
        for async in [false, true] {
            let scene = Scene(waiters: 8, async: async)
            scene.queue.maxConcurrentJobCount = 2
            scene.release.open()
            assertDrained(scene.queue)
            XCTAssertEqual(scene.returned.total, 8)
            XCTAssertLessThanOrEqual(scene.returned.peak, 2)
        }
    }

    func testO4_ACancelledWaiterKeepsWaitingAndEndsCancelled() {
        let scene = Scene(waiters: 1, async: false)
        scene.waiters[0].cancel()
        assertUnfinished(scene.waiters[0])
        scene.release.open()
        assertDrained(scene.queue)
        XCTAssertEqual(cancellation(scene.waiters[0].outcome), .requested)
    }

    func testO4_ACancelledBodyThatAwaitsAValueReturnsAtOnceAndGetsItsSlotBack() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1), release = Gate(), caught = Log<Bool>()
        let awaited = other.addJob { release.wait() }
        let waiter = queue.addJob { () async throws -> Void in
            do { try await awaited.value } catch {
                caught.append(error is CancellationError)
                throw error
            }
        }
        waitForEnd(of: queue.addJob {})
        waiter.cancel()
        waitForEnd(of: waiter)
        XCTAssertEqual(caught.values, [true])
        XCTAssertFalse(awaited.isFinished)
        waitForEnd(of: queue.addJob {})
        release.open()
        assertDrained(other)
    }
}

/// Waiters on a queue of width 1 that have all lent their slots when `init` returns, and return when `release` opens.
private final class Scene: Sendable {
    let queue = WorkQueue(maxConcurrentJobCount: 1)
    let release = Gate()
    let returned = Meter()
    let waiters: [ResultJob<Void>]

    init(waiters count: Int, async: Bool) {
        let queue = queue, release = release, returned = returned
        let awaited = WorkQueue(maxConcurrentJobCount: 1).addJob { release.wait() }
        waiters = (0..<count).map { _ in
            if async {
                queue.addJob { () async -> Void in
                    await awaited.waitUntilFinished()
                    returned.enter()
                    burn(milliseconds: 5)
                    returned.leave()
                }
            } else {
                queue.addJob {
                    awaited.waitUntilFinished()
                    returned.enter()
                    burn(milliseconds: 5)
                    returned.leave()
                }
            }
        }
        // It can only run when every waiter before it has lent the one slot.
        let probe = queue.addJob {}
        within { probe.waitUntilFinished() }
    }
}
