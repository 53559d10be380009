// Waits, loans of slots and visits, in every order that steps can have.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class ExploredWaitsTests: XCTestCase {
    func testLendAndReturn_O4_TheWaiterIsNextForASlot() {
        for width in 1...2 {
            assertInEveryOrder(width: width) { harness in
                let queue = harness.queue, log = Shared<[String]>([])
                let outer = ResultJob(name: "outer") { () async throws -> Int in
                    let inner = queue.addJob(name: "inner", priority: .high) { log.value.append("inner") }
                    _ = try await inner.value
                    log.value.append("outer goes on")
                    return 1
                }
                let later = BlockJob { log.value.append("later") }
                later.name = "later"
                try queue.addJobs([outer, later])
                try harness.requireEnd(of: outer, later)
                try require(outer.hasSucceeded && later.hasSucceeded, "\(log.value)")
                try require(harness.recorder.peakConcurrency <= width + 1, "the loan aside, \(harness.recorder.peakConcurrency) executed")
                if width == 1 { try require(log.value == ["inner", "outer goes on", "later"], "\(log.value)") }
            }
        }
    }

    func testLendAndSuspend_O4_TheWaiterGoesOnWhateverTheSuspension() {
        assertInEveryOrder(width: 1) { harness in
            let queue = harness.queue, log = Shared<[String]>([])
            let outer = ResultJob { () async throws -> Int in
                let inner = queue.addJob { () async in await Task.yield() }
                await inner.waitUntilFinished()
                log.value.append("on")
                return 1
            }
            try queue.addJob(outer)
            harness.concurrently(
                {
                    queue.isSuspended = true
                    queue.maxConcurrentJobCount = 0
                },
                {
                    queue.isSuspended = false
                    queue.maxConcurrentJobCount = 1
                })
            try harness.requireEnd(of: outer)
            try require(outer.hasSucceeded && log.value == ["on"], "\(log.value)")
        }
    }

    func testLendBlocking_O4_AWaiterInABodyGetsItsSlotBack() {
        for width in 1...2 {
            assertInEveryOrder(width: width) { harness in
                let queue = harness.queue
                let outer = queue.addJob { try queue.addJob { 20 }.waitForValue() + 22 }
                let later = queue.addJob {}
                try harness.requireEnd(of: outer, later)
                try require((try? outer.result?.get()) == 42, "\(String(describing: outer.result))")
            }
        }
    }

    func testReturnAndClaim_O4_AWaiterInLineComesBeforeEveryReadyJob() {
        assertInEveryOrder(bound: 1, width: 2) { harness in
            let queue = harness.queue, log = Shared<[String]>([]), mustBeFirst = Shared(false)
            let held = HandEndedJob(), last = BlockJob { log.value.append("last") }
            let outer = ResultJob { () async throws -> Int in
                // From then on there is one slot, and `held` has it.
                let inner = queue.addJob(priority: .high) { queue.maxConcurrentJobCount = 1 }
                inner.addCompletion { _ in mustBeFirst.value = !last.hasBegun && held.phase == .executing }
                await inner.waitUntilFinished()
                log.value.append("outer")
                return 1
            }
            try queue.addJobs([outer, held, last])
            harness.concurrently({ held.finish() })
            try harness.requireEnd(of: outer, held, last)
            if mustBeFirst.value { try require(log.value == ["outer", "last"], "\(log.value)") }
        }
    }

    func testTwoWaits_O4_OneOfThoseThatCloseARingIsRefused() {
        for width in 1...2 {
            assertInEveryOrder(width: width, atLeast: 1) { harness in
                let other = Shared<ResultJob<Int>?>(nil), codes = Shared<[JobError.Code]>([])
                let wait: @Sendable (ResultJob<Int>?) async -> Int = { job in
                    do { return try await (job?.value ?? 0) + 1 } catch {
                        if let error = error as? JobError { codes.value.append(error.code) }
                        return 100
                    }
                }
                let one = ResultJob { () async -> Int in await wait(other.value) }
                other.value = ResultJob { () async -> Int in await wait(one) }
                defer { other.value = nil }
                guard let second = other.value else { return }
                try harness.queue.addJobs([one, second])
                try harness.requireEnd(of: one, second)
                try require(codes.value == [.wouldDeadlock], "\(codes.value)")
            }
        }
    }

    func testRunAndCancel_R2_ItRunsOrThrows() {
        assertInEveryOrder(bound: 1, width: 1) { harness in
            let queue = harness.queue, runs = Shared(0)
            let threw = try harness.run {
                await withTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        do {
                            try await queue.run { runs.value += 1 }
                            return false
                        } catch { return true }
                    }
                    await Task.yield()
                    group.cancelAll()
                    return await group.next() ?? false
                }
            }
            try harness.requireEnd()
            try require(runs.value == 1 || threw, "it neither ran nor threw")
        }
    }
}
