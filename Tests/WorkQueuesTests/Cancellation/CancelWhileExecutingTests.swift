// An executing job is told that it is cancelled and never interrupted; it cannot succeed any more (C4, S34).
import WorkQueues
import XCTest

final class CancelWhileExecutingTests: XCTestCase {
    func testC4_TheBodyGoesOnAndTheOutcomeIsCancelled() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let gate = Gate(), begun = Gate(), over = Gate()
        let job = Probe { job in
            begun.open()
            gate.wait()
            XCTAssertTrue(job.isCancelled)
            XCTAssertTrue(throwsCancellation { try Job.checkCancellation() })
            over.open()
        }
        try queue.addJob(job)
        begun.wait()
        job.cancel(reason: .custom("x"))
        XCTAssertTrue(job.isCancelled)
        XCTAssertEqual(job.phase, .executing)
        XCTAssertNil(job.outcome)
        gate.open()
        assertDrained(queue)
        XCTAssertTrue(over.isOpen, "never interrupted")
        XCTAssertEqual(cancellation(job.outcome), .custom("x"))
    }

    func testC4_AValueReturnedAllTheSameIsDropped() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let lives = Lives()
        let job = ResultJob { () throws -> Lives.Token in
            Job.current?.cancel(reason: .custom("x"))
            return lives.token()
        }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(cancellation(job.outcome), .custom("x"))
        XCTAssertThrowsError(try job.result?.get()) { XCTAssertTrue($0 is CancellationError) }
        within { XCTAssertThrowsError(try job.waitForValue()) { XCTAssertTrue($0 is CancellationError) } }
        eventually("the value is freed") { lives.alive == 0 }
        XCTAssertEqual(lives.total, 1)
    }

    func testC4_AValueIsDroppedThoughNobodyElseHasAPartInTheEnd() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let lives = Lives()
        let job = queue.addJob { () -> Lives.Token in
            // A reason of its own would be kept beside the job, which then has more to do at its end.
            Job.current?.cancel()
            return lives.token()
        }
        assertDrained(queue)
        XCTAssertEqual(cancellation(job.outcome), .requested)
        eventually("the value is freed") { lives.alive == 0 }
        XCTAssertEqual(lives.total, 1)
    }

    func testC4_AnotherErrorOfTheBodyIsTheOutcome() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let thrown = ResultJob<Int> {
            Job.current?.cancel()
            throw Trouble(1)
        }
        let failed = Probe { job in
            job.cancel()
            job.fail(with: Trouble(2))
        }
        try queue.addJobs([thrown, failed])
        assertDrained(queue)
        XCTAssertEqual(trouble(thrown.outcome), Trouble(1))
        XCTAssertEqual(trouble(failed.outcome), Trouble(2))
        XCTAssertTrue(thrown.isCancelled)
        XCTAssertTrue(failed.isCancelled)
    }

    func testC4_ACancellationErrorOfACancelledBodyIsACancellation() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let thrown = ResultJob<Int> {
            Job.current?.cancel(reason: .custom("x"))
            try Job.checkCancellation()
            return 1
        }
        let failed = Probe { job in
            job.cancel(reason: .custom("x"))
            job.fail(with: CancellationError())
        }
        try queue.addJobs([thrown, failed])
        assertDrained(queue)
        XCTAssertEqual(cancellation(thrown.outcome), .custom("x"))
        XCTAssertEqual(cancellation(failed.outcome), .custom("x"))
    }

    func testC4_AnAsynchronousJobThatFinishesAfterTheCancel() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 3)
        let finished = HeldJob(), failed = HeldJob(), obeyed = HeldJob()
        let jobs = [finished, failed, obeyed]
        try queue.addJobs(jobs)
        for job in jobs {
            job.begun.wait()
            job.cancel()
            XCTAssertEqual(job.phase, .executing)
        }
        finished.finish()
        failed.finish(throwing: Trouble(3))
        obeyed.finish(throwing: CancellationError())
        assertDrained(queue)
        XCTAssertEqual(cancellation(finished.outcome), .requested)
        XCTAssertEqual(trouble(failed.outcome), Trouble(3))
        XCTAssertEqual(cancellation(obeyed.outcome), .requested)
    }

    func testC4_TheTaskOfAnAsynchronousBodyIsCancelled() async throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let begun = Gate(), told = Gate()
        let job = queue.addJob { () async throws -> Int in
            await withTaskCancellationHandler {
                begun.open()
                await told.opened()
            } onCancel: {
                told.open()
            }
            XCTAssertTrue(Task.isCancelled)
            XCTAssertTrue(throwsCancellation { try Job.checkCancellation() })
            try Task.checkCancellation()
            return 1
        }
        await begun.opened()
        job.cancel(reason: .custom("x"))
        let outcome = await job.waitUntilFinished()
        XCTAssertEqual(cancellation(outcome), .custom("x"))
        do {
            _ = try await job.value
            XCTFail("a cancelled job has no value")
        } catch {
            XCTAssertTrue(error is CancellationError)
        }
    }

    func testC4_AnAsynchronousBodyThatReturnsAllTheSame() async throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let begun = Gate(), gate = Gate()
        let returning = queue.addJob { () async -> Int in
            begun.open()
            await gate.opened()
            return 1
        }
        await begun.opened()
        returning.cancel()
        XCTAssertEqual(returning.phase, .executing)
        gate.open()
        let outcome = await returning.waitUntilFinished()
        XCTAssertEqual(cancellation(outcome), .requested)
        XCTAssertThrowsError(try returning.result?.get())
        let throwing = queue.addJob { () async throws -> Int in
            Job.current?.cancel()
            throw Trouble(4)
        }
        let other = await throwing.waitUntilFinished()
        XCTAssertEqual(trouble(other), Trouble(4))
    }

    func testC4_OnlyACancelBeforeTheEndOfTheBodyCounts() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = ResultJob { 9 }
        job.addCompletion { _ in job.cancel() }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertTrue(hasSucceeded(job.outcome))
        XCTAssertEqual(try job.result?.get(), 9)
        XCTAssertFalse(job.isCancelled)
    }

    func testS34_TheRequestIsAnEventBeforeTheEndAndNeverAfter() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        let log = EventLog()
        queue.addObserver(log)
        let jobs = Log<Job>()
        race(
            rounds: Rounds.scaled(5_000), "a cancel against the end",
            prepare: { _ -> HeldJob in
                let job = HeldJob()
                add(job, to: queue)
                job.begun.wait()
                jobs.append(job)
                return job
            },
            { $0.cancel() }, { $0.finish() },
            check: { _, job in job.waitUntilFinished() })
        assertDrained(queue)
        var names: [Job.ID: [EventLog.Name]] = [:]
        for event in log.events { if let id = event.jobID { names[id, default: []].append(EventLog.name(of: event)) } }
        var sequenced: [Job.ID: [EventLog.Name]] = [:]
        for event in log.sequenced { if let id = event.jobID { sequenced[id, default: []].append(EventLog.name(of: event)) } }
        for job in jobs.values {
            let expected: [EventLog.Name] = job.isCancelled ? [.cancelRequested, .finished] : [.finished]
            XCTAssertEqual(Array((names[job.id] ?? []).dropFirst(3)), expected, "as delivered")
            XCTAssertEqual(Array((sequenced[job.id] ?? []).dropFirst(3)), expected, "by their numbers")
        }
    }

    func testS34_OneEndWithTheOutcome() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let log = EventLog()
        queue.addObserver(log)
        let job = HeldJob()
        try queue.addJob(job)
        job.begun.wait()
        job.cancel(reason: .custom("x"))
        eventually("the request is an event of its own, before the end") {
            log.names(of: job.id) == [.added, .ready, .started, .cancelRequested]
        }
        job.finish()
        assertDrained(queue)
        XCTAssertEqual(log.names(of: job.id), [.added, .ready, .started, .cancelRequested, .finished])
        XCTAssertEqual(log.outcomes(of: job.id).map(cancellation), [.custom("x")])
        XCTAssertEqual(log.reasons(of: job.id), [.custom("x")])
    }
}
