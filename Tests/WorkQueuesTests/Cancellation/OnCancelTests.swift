// Handlers of a cancellation run once, with its reason, and at once when it has come already (C4).
import Foundation
import WorkQueues
import XCTest

final class OnCancelTests: XCTestCase {
    func testC4_HandlersRunOnceWithTheReasonInsideTheCancel() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = HeldJob()
        let reasons = Log<Job.CancellationReason>()
        for _ in 0..<3 { job.onCancel { reasons.append($0) } }
        try queue.addJob(job)
        job.begun.wait()
        job.onCancel { reasons.append($0) }
        XCTAssertEqual(reasons.count, 0)
        job.cancel(reason: .custom("x"))
        XCTAssertEqual(reasons.values, Array(repeating: .custom("x"), count: 4), "before the cancel has returned")
        job.cancel()
        job.finish()
        assertDrained(queue)
        XCTAssertEqual(reasons.count, 4)
    }

    func testC4_HandlersRunOnTheCancellersThread() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = HeldJob()
        let thread = Guarded<ObjectIdentifier?>(nil)
        job.onCancel { _ in thread.set(ObjectIdentifier(Thread.current)) }
        try queue.addJob(job)
        job.begun.wait()
        within {
            job.cancel()
            XCTAssertEqual(thread.current, ObjectIdentifier(Thread.current))
        }
        job.finish()
        assertDrained(queue)
    }

    func testC4_AHandlerThatComesLateRunsAtOnce() {
        let job = Job()
        job.cancel(reason: .custom("x"))
        let reasons = Log<Job.CancellationReason>()
        job.onCancel { reasons.append($0) }
        XCTAssertEqual(reasons.values, [.custom("x")])
    }

    func testC4_WithoutACancelNoHandlerRuns() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let lives = Lives()
        let calls = Meter()
        let job = Probe()
        job.onCancel { [token = lives.token()] _ in withExtendedLifetime(token) { calls.enter() } }
        try queue.addJob(job)
        assertDrained(queue)
        job.cancel()
        job.onCancel { _ in calls.enter() }
        XCTAssertEqual(calls.total, 0)
        eventually("the handler is freed") { lives.alive == 0 }
    }

    func testC4_HandlersOfAJobThatHasNotStarted() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let job = Probe()
        let reasons = Log<Job.CancellationReason>()
        job.onCancel { reasons.append($0) }
        try queue.addJob(job)
        queue.cancelAllJobs(reason: .custom("all"))
        XCTAssertEqual(reasons.values, [.custom("all")])
        assertDrained(queue)
        XCTAssertEqual(reasons.count, 1)
    }

    func testC4_AHandlerAddedWhileTheCancelComesRunsOnce() {
        race(
            rounds: Rounds.scaled(40_000), "a handler against a cancel", prepare: { _ in (job: Job(), calls: Meter()) },
            { round in round.job.cancel() },
            { round in round.job.onCancel { _ in round.calls.enter() } },
            check: { _, round in XCTAssertEqual(round.calls.total, 1) })
    }

    func testC4_AHandlerMayUseThePackage() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let job = Probe(), other = Probe(), replacement = Probe()
        job.onCancel { _ in
            XCTAssertTrue(job.isCancelled)
            other.cancel()
            add(replacement, to: queue)
            queue.isSuspended = false
        }
        try queue.addJobs([job, other])
        within { job.cancel() }
        assertDrained(queue)
        XCTAssertEqual([job, other, replacement].map(\.runs.total), [0, 0, 1])
    }
}
