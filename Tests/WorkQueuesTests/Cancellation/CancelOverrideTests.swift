// Every road to a cancel goes through `cancel()`, and the flag turns true inside its base (C5).
import Foundation
import WorkQueues
import XCTest

final class CancelOverrideTests: XCTestCase {
    func testC5_TheFlagTurnsTrueInTheBase() throws {
        for road in CancelRoad.allCases {
            let job = WatchedCancel()
            try road.walk(job)
            XCTAssertEqual(job.flags.values, [false, true], "before and after the base, \(road)")
            XCTAssertEqual(job.cancels.total, 1, "\(road)")
            XCTAssertEqual(job.runs.total, 0, "\(road)")
            XCTAssertNotNil(job.cancellationReason, "\(road)")
            XCTAssertEqual(job.phase, .finished, "\(road)")
        }
    }

    func testC5_AnOverrideThatKeepsTheBaseOutIsCancelledWhenItReturns() throws {
        // A plain `cancel()` is the override itself, so there nobody could do it for it.
        for road in CancelRoad.allCases where road != .request {
            let job = MuteCancel()
            let completions = Meter()
            job.addCompletion { _ in completions.enter() }
            try road.walk(job)
            XCTAssertEqual(job.flags.values, [false], "inside, \(road)")
            XCTAssertTrue(job.isCancelled, "\(road)")
            XCTAssertEqual(job.runs.total, 0, "\(road)")
            XCTAssertEqual(completions.total, 1, "\(road)")
        }
    }

    func testC5_InNoQueueTheFlagIsSetWhenAMuteOverrideHasReturned() {
        let job = MuteCancel()
        job.cancel(reason: .custom("x"))
        XCTAssertTrue(job.isCancelled)
        XCTAssertEqual(job.cancellationReason, .custom("x"))
        XCTAssertEqual(job.phase, .created)
    }

    func testC5_AnOverrideMayBeginWithAGuard() throws {
        for road in CancelRoad.allCases {
            let job = GuardedCancel()
            try road.walk(job)
            XCTAssertEqual(job.ends.total, 1, "the guard let it through once, \(road)")
            XCTAssertEqual(job.phase, .finished, "\(road)")
            XCTAssertTrue(job.isCancelled, "\(road)")
            XCTAssertEqual(job.runs.total, 0, "\(road)")
        }
    }

    func testC5_AReasonIsNotedBeforeTheOverrideRuns() throws {
        let job = WatchedCancel()
        job.cancel(reason: .custom("x"))
        XCTAssertEqual(job.cancellationReason, .custom("x"), "an override that calls the plain base loses no reason")
    }

    func testC5_TheOverrideOfAnExecutingJobRunsToo() throws {
        for all in [false, true] {
            let queue = WorkQueue(maxConcurrentJobCount: 1)
            let begun = Gate(), gate = Gate()
            let job = WatchedCancel(
                onCancelled: {},
                {
                    begun.open()
                    gate.wait()
                })
            try queue.addJob(job)
            begun.wait()
            if all { queue.cancelAllJobs() } else { job.cancel() }
            XCTAssertEqual(job.flags.values, [false, true])
            gate.open()
            assertDrained(queue)
            XCTAssertEqual(cancellation(job.outcome), .requested)
        }
    }

    func testC5_TheOverrideRunsOnTheCancellersThread() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let one = WatchedCancel(), another = WatchedCancel()
        try queue.addJobs([one, another])
        within {
            one.cancel()
            XCTAssertEqual(one.thread.current, ObjectIdentifier(Thread.current))
            queue.cancelAllJobs()
            XCTAssertEqual(another.thread.current, ObjectIdentifier(Thread.current))
        }
        assertDrained(queue)
    }

    func testC5_AnOverrideMayUseThePackage() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let other = Probe(), replacement = Probe()
        let job = WatchedCancel(onCancelled: { [unowned queue] in
            XCTAssertEqual(queue.jobCount, queue.jobs.count)
            add(replacement, to: queue)
            other.cancel()
            queue.isSuspended = false
        })
        try queue.addJobs([job, other])
        within { job.cancel() }
        assertDrained(queue)
        XCTAssertEqual([other, replacement].map(\.runs.total), [0, 1])
    }
}

/// The ways a job that has not begun comes to be cancelled.
private enum CancelRoad: CaseIterable {
    case request, reason, all, failedDependency, cancelledDependency, deadDependency, releasedQueue

    /// Returns when the job has ended.
    func walk(_ job: Job) throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        switch self {
        case .request, .reason, .all:
            queue.isSuspended = true
            try queue.addJob(job)
            switch self {
            case .request: job.cancel()
            case .reason: job.cancel(reason: .custom("x"))
            default: queue.cancelAllJobs()
            }
            waitForEnd(of: job)
        case .failedDependency, .cancelledDependency:
            let dependency = Probe { $0.fail(with: Trouble()) }
            try job.addDependency(dependency, requiring: .succeeded)
            try queue.addJob(job)
            if self == .cancelledDependency { dependency.cancel() }
            try queue.addJob(dependency)
        case .deadDependency:
            let dependency = Probe { $0.fail(with: Trouble()) }
            try queue.addJob(dependency)
            assertDrained(queue)
            try job.addDependency(dependency, requiring: .succeeded)
            // An override that ends the job has ended it in no queue.
            add(job, to: queue, unless: .alreadyFinished)
        case .releasedQueue:
            try WorkQueue(maxConcurrentJobCount: 1, isSuspended: true).addJob(job)
        }
        waitForEnd(of: job)
        assertDrained(queue)
    }
}

/// Notes what the flag says before and after the base.
private final class WatchedCancel: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let runs = Meter()
    let cancels = Meter()
    let flags = Log<Bool>()
    let thread = Guarded<ObjectIdentifier?>(nil)
    private let body: @Sendable () -> Void
    private let onCancelled: @Sendable () -> Void

    init(onCancelled: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable () -> Void = {}) {
        self.body = body
        self.onCancelled = onCancelled
        super.init()
    }

    override func main() {
        runs.enter()
        body()
    }

    override func cancel() {
        cancels.enter()
        thread.set(ObjectIdentifier(Thread.current))
        flags.append(isCancelled)
        super.cancel()
        flags.append(isCancelled)
        onCancelled()
    }
}

/// Never calls the base.
private final class MuteCancel: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let runs = Meter()
    let flags = Log<Bool>()

    override func main() {
        runs.enter()
    }

    override func cancel() {
        flags.append(isCancelled)
    }
}

/// Begins with a guard on its own flag, as many subclasses of Foundation's operations do.
private final class GuardedCancel: AsyncJob, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let runs = Meter()
    let ends = Meter()

    override func main() {
        runs.enter()
        finish()
    }

    override func cancel() {
        guard !isCancelled else { return }
        super.cancel()
        ends.enter()
        state = .finished
    }
}
