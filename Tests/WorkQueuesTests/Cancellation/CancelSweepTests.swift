// Closures that are cancelled together end together: nobody may notice anything else of that (C2, C5).
import WorkQueues
import XCTest

final class CancelSweepTests: XCTestCase {
    /// Runs `body` when the last reference to it goes.
    private final class AtTheEnd: Sendable {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        deinit { body() }
    }

    private func held(_ queue: WorkQueue) -> Gate {
        let gate = Gate(), begun = Gate()
        queue.addJob {
            begun.open()
            gate.wait()
        }
        begun.wait()
        return gate
    }

    /// The job's body holds the last reference to `thing`.
    private func addJob(holding thing: AtTheEnd, to queue: WorkQueue) { queue.addJob { [thing] in withExtendedLifetime(thing) {} } }

    func testC5_TheQueueIsIdleOnlyWhenNothingOfTheCancelledOnesIsLeft() {
        for _ in 0..<Rounds.scaled(200) {
            let queue = WorkQueue(maxConcurrentJobCount: 1)
            // One job executes until all the others are cancelled, so that either end may be the last one.
            let gate = held(queue), lives = Lives()
            for _ in 0..<100 {
                let token = lives.token()
                queue.addJob { withExtendedLifetime(token) {} }
            }
            queue.cancelAllJobs()
            gate.open()
            assertDrained(queue)
            XCTAssertEqual(lives.alive, 0)
        }
    }

    func testC5_TheQueueIsNotIdleWhileABodyOfThemGoes() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let goes = Gate(), gone = Gate()
        addJob(
            holding: AtTheEnd {
                goes.open()
                eventually("somebody waits") { queue.engine.idleWaiterCount == 1 }
                gone.open()
            }, to: queue)
        queue.cancelAllJobs()
        goes.wait()
        XCTAssertEqual(queue.jobCount, 0)
        assertDrained(queue)
        XCTAssertTrue(gone.isOpen)
    }

    func testC5_ABodyThatBlocksAsItGoesHoldsUpNoEnd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let others = Log<Job>()
        let last = Gate()
        // The first body waits, as it goes, for all the jobs that were cancelled with it.
        addJob(
            holding: AtTheEnd {
                for job in others.values { job.waitUntilFinished() }
                last.open()
            }, to: queue)
        for _ in 0..<100 { others.append(queue.addJob {}) }
        queue.cancelAllJobs()
        last.wait()
        assertDrained(queue)
        XCTAssertTrue(others.values.allSatisfy { cancellation($0.outcome) == .requested })
    }

    func testC5_OnesWithCompletionsEdgesAndErrorsEndAsTheyMust() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), elsewhere = WorkQueue(maxConcurrentJobCount: 1)
        let completed = Meter(), ran = Meter()
        let jobs = (0..<200).map { _ in queue.addJob { ran.enter() } }
        let dependent = Probe()
        for (index, job) in jobs.enumerated() {
            switch index % 5 {
            case 1: job.addCompletion { if case .cancelled = $0 { completed.enter() } }
            case 2: try dependent.addDependency(job)
            case 3: job.fail(with: Trouble(1))
            case 4: job.cancel()
            default: break
            }
        }
        try elsewhere.addJob(dependent)
        queue.cancelAllJobs()
        assertDrained(queue)
        waitForEnd(of: dependent)
        XCTAssertEqual(dependent.runs.total, 1, "an ended dependency is one, however it ended")
        XCTAssertEqual(completed.total, 40)
        XCTAssertEqual(ran.total, 0)
        for (index, job) in jobs.enumerated() {
            XCTAssertTrue(job.isCancelled && job.isFinished)
            if index % 5 == 3 {
                guard case .failed = job.outcome else { return XCTFail("\(job) has an error, and a cancel does not take that away") }
            } else {
                XCTAssertEqual(cancellation(job.outcome), .requested)
            }
            XCTAssertNil(try? job.result?.get())
        }
    }

    /// A job that a closure was made of and one with a `start()` of its own, in turns: each subclass gets its call.
    func testC5_SubclassesAmongThemGetTheirStart() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let starts = Meter()
        final class Starter: Job, @unchecked Sendable {
            let starts: Meter

            init(_ starts: Meter) { self.starts = starts }

            override func start() {
                starts.enter()
                super.start()
            }
        }
        for _ in 0..<100 {
            queue.addJob {}
            try queue.addJob(Starter(starts))
        }
        queue.cancelAllJobs()
        assertDrained(queue)
        XCTAssertEqual(starts.total, 100)
    }
}
