// `onCancel` and `checkCancellation`: how a job hears that it was cancelled.
import Foundation
import WorkQueues
import XCTest

final class CancelHandlerTests: XCTestCase {
    func testOnCancel_OnceWithTheFirstReason() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), reasons = Log<Job.CancellationReason>(), begun = Gate(), leave = Gate()
        let job = queue.addJob {
            begun.open()
            leave.wait()
        }
        job.onCancel { reasons.append($0) }
        within { begun.wait() }
        job.cancel(reason: .custom("first"))
        job.cancel(reason: .custom("second"))
        job.cancel()
        leave.open()
        assertDrained(queue)
        job.cancel()
        XCTAssertEqual(reasons.values, [.custom("first")])
        XCTAssertEqual(job.cancellationReason, .custom("first"))
    }

    func testOnCancel_AtOnceWhenItIsCancelledAlready() {
        let job = BlockJob {}, reasons = Log<Job.CancellationReason>(), marks = Log<ObjectIdentifier>()
        job.cancel(reason: .custom("before"))
        within {
            job.onCancel {
                reasons.append($0)
                marks.append(threadMark())
            }
            XCTAssertEqual(reasons.values, [.custom("before")])
            XCTAssertEqual(marks.values, [threadMark()])
        }
    }

    func testOnCancel_AtOnceAlsoAfterACancelledEnd() {
        let queue = WorkQueue(isSuspended: true), job = queue.addJob {}, reasons = Log<Job.CancellationReason>()
        job.cancel()
        waitForEnd(of: job)
        job.onCancel { reasons.append($0) }
        XCTAssertEqual(reasons.values, [.requested])
    }

    func testOnCancel_NeverForAJobThatWasNotCancelled() {
        let queue = WorkQueue(), job = queue.addJob {}, calls = Meter()
        job.onCancel { _ in calls.enter() }
        assertDrained(queue)
        job.onCancel { _ in calls.enter() }
        job.cancel()
        XCTAssertEqual(calls.total, 0, "a cancel after the end changes nothing")
        XCTAssertFalse(job.isCancelled)
    }

    func testOnCancel_SeveralHandlersEachOnce() {
        let queue = WorkQueue(isSuspended: true), job = queue.addJob {}, calls = Log<Int>()
        for index in 0..<5 { job.onCancel { _ in calls.append(index) } }
        job.cancel()
        waitForEnd(of: job)
        XCTAssertEqual(calls.values.sorted(), [0, 1, 2, 3, 4])
    }

    func testOnCancel_ForEveryRoad() throws {
        let queue = WorkQueue(isSuspended: true), reasons = Log<Job.CancellationReason>()
        let direct = queue.addJob {}
        direct.onCancel { reasons.append($0) }
        direct.cancel()
        let all = queue.addJob {}
        all.onCancel { reasons.append($0) }
        queue.cancelAllJobs(reason: .custom("all"))
        let root = queue.addJob {}, dependent = BlockJob {}
        try dependent.addDependency(root, requiring: .succeeded)
        dependent.onCancel { reasons.append($0) }
        try queue.addJob(dependent)
        root.cancel()
        waitForEnd(of: [direct, all, dependent])
        let released = Guarded<Job?>(nil)
        do {
            let lost = WorkQueue(isSuspended: true), job = lost.addJob {}
            job.onCancel { reasons.append($0) }
            released.set(job)
        }
        if let job = released.current { waitForEnd(of: job) }
        XCTAssertEqual(reasons.values, [.requested, .custom("all"), .dependency(root.id), .queueReleased])
    }

    func testOnCancel_RacingTheCancel() {
        race(
            rounds: Rounds.scaled(20_000), "registered while it is cancelled",
            prepare: { _ in Subject(job: BlockJob {}, calls: Meter()) },
            [
                { (subject: Subject) in subject.job.cancel() },
                { subject in
                    let calls = subject.calls
                    subject.job.onCancel { _ in calls.enter() }
                },
            ],
            check: { round, subject in XCTAssertEqual(subject.calls.total, 1, "round \(round)") })
    }

    func testOnCancel_RegisteredInTheBody() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), stopped = Gate()
        let job = queue.addJob {
            Job.current?.onCancel { _ in stopped.open() }
            begun.open()
            stopped.wait()
        }
        within { begun.wait() }
        job.cancel()
        assertDrained(queue)
        XCTAssertEqual(cancellation(job.outcome), .requested)
    }

    func testOnCancel_CancelledBySelf() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), marks = Log<ObjectIdentifier>()
        let job = queue.addJob { () -> ObjectIdentifier in
            Job.current?.onCancel { _ in marks.append(threadMark()) }
            Job.current?.cancel()
            XCTAssertEqual(marks.values, [threadMark()])
            return threadMark()
        }
        assertDrained(queue)
        XCTAssertEqual(cancellation(job.outcome), .requested)
        XCTAssertEqual(marks.count, 1)
    }

    func testOnCancel_AHandlerLivesNoLongerThanItIsNeeded() {
        let queue = WorkQueue(), lives = Lives()
        func add(_ token: Lives.Token) -> Job {
            let job = queue.addJob {}
            job.onCancel { _ in _ = token }
            return job
        }
        let job = add(lives.token())
        waitForEnd(of: job)
        eventually("let go at the end") { lives.alive == 0 }
        XCTAssertTrue(job.isFinished)
    }

    func testCheckCancellation_ThrowsOnceTheCurrentJobIsCancelled() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate(), passed = Log<String>()
        let job = queue.addJob {
            try Job.checkCancellation()
            passed.append("before")
            begun.open()
            leave.wait()
            do { try Job.checkCancellation() } catch {
                passed.append("\(error is CancellationError)")
                throw error
            }
            passed.append("never")
        }
        within { begun.wait() }
        job.cancel()
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(passed.values, ["before", "true"])
        XCTAssertEqual(cancellation(job.outcome), .requested)
    }

    func testCheckCancellation_InAnAsyncBodyAfterASuspension() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate(), passed = Log<Bool>()
        let job = queue.addJob { () async throws -> Void in
            begun.open()
            await leave.opened()
            await Task.yield()
            do { try Job.checkCancellation() } catch {
                passed.append(error is CancellationError && Task.isCancelled)
                throw error
            }
        }
        within { begun.wait() }
        job.cancel()
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(passed.values, [true])
        XCTAssertEqual(cancellation(job.outcome), .requested)
    }

    func testCheckCancellation_OutsideAnyJobItDoesNothing() {
        XCTAssertNoThrow(try Job.checkCancellation())
        within { XCTAssertNoThrow(try Job.checkCancellation()) }
        inTime { try Job.checkCancellation() }
    }

    func testCheckCancellation_IsAboutTheCurrentJobAlone() {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true), cancelled = queue.addJob {}
        cancelled.cancel()
        let job = queue.addJob { try Job.checkCancellation() }
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(job.outcome))
    }
}

private struct Subject: Sendable {
    let job: BlockJob
    let calls: Meter
}
