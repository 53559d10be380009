// A job leaves its queue in one step, then its waiters are released, then the queue turns idle (O1, steps 3 to 5).
import Dispatch
import Foundation
import WorkQueues
import XCTest

final class ReleaseOrderTests: XCTestCase {
    func testO1_TheJobIsListedAndItsEdgesHoldUntilItsCompletionsHaveRun() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let job = Probe(), dependent = Probe()
        try dependent.addDependency(job)
        let look: @Sendable () -> Void = {
            XCTAssertEqual(queue.jobs, [job, dependent])
            XCTAssertEqual(queue.jobCount, 2)
            XCTAssertEqual(dependent.phase, .waiting)
        }
        let observation = queue.observe { event in
            if event.jobID == job.id, EventLog.name(of: event) == .finished { look() }
        }
        job.addCompletion { _ in look() }
        job.completionBlock = look
        queue.isSuspended = true
        try queue.addJobs([job, dependent])
        queue.isSuspended = false
        assertDrained(queue)
        observation.invalidate()
    }

    func testO1_LeavingTheListAndResolvingTheEdgesAreOneStep() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(10_000), "the list against the edges",
            prepare: { _ -> (job: Probe, dependent: Probe) in
                let job = Probe(), dependent = Probe()
                link(dependent, to: job)
                return (job, dependent)
            },
            { pair in
                add(pair.job, to: queue)
                add(pair.dependent, to: queue)
            },
            { pair in
                let deadline = ContinuousClock.now + .seconds(30)
                var listed = queue.jobs
                while !pair.job.isFinished || listed.contains(pair.job), ContinuousClock.now < deadline { listed = queue.jobs }
                // Once out of the list, the edge of a dependent that is in the queue is resolved too.
                if listed.contains(pair.dependent) { XCTAssertNotEqual(pair.dependent.phase, .waiting) }
            },
            { pair in
                let deadline = ContinuousClock.now + .seconds(30)
                while [.created, .waiting].contains(pair.dependent.phase), ContinuousClock.now < deadline {}
                // And once the edge is resolved, its dependency is out of the list.
                XCTAssertFalse(queue.jobs.contains(pair.job))
            },
            check: { _, pair in pair.dependent.waitUntilFinished() })
        assertDrained(queue)
    }

    func testO1_TheNextJobFindsTheOneBeforeGone() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let jobs = (0..<200).map { number in
            Probe { job in
                // At width 1 everything before has left the list, everything after is still in it.
                XCTAssertEqual(queue.jobs.first, job)
                XCTAssertEqual(queue.jobCount, 200 - number)
            }
        }
        try queue.addJobs(jobs)
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testO1_WaitersComeAfterTheListAndAllDependents() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        let stalled = WorkQueue(maxConcurrentJobCount: 0), other = WorkQueue(maxConcurrentJobCount: 0)
        race(
            rounds: Rounds.scaled(5_000), "a wait against the end",
            prepare: { _ -> (job: ResultJob<Int>, dependents: [Probe]) in
                let job = ResultJob { 1 }
                let dependents = [Probe(), Probe()]
                for dependent in dependents { link(dependent, to: job) }
                add(dependents[0], to: stalled)
                add(dependents[1], to: other)
                return (job, dependents)
            },
            { round in add(round.job, to: queue) },
            { round in
                round.job.waitUntilFinished()
                XCTAssertFalse(queue.jobs.contains(round.job))
                XCTAssertEqual(round.dependents.map(\.phase), [.ready, .ready])
            },
            { round in
                XCTAssertEqual(try? round.job.waitForValue(), 1)
                XCTAssertFalse(queue.jobs.contains(round.job))
                XCTAssertEqual(round.dependents.map(\.phase), [.ready, .ready])
            },
            check: { _, round in for dependent in round.dependents { dependent.cancel() } })
        assertDrained(queue)
        assertDrained(stalled)
        assertDrained(other)
    }

    func testO1_SuspendedWaitersComeAfterTheListAndAllDependents() async throws {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        let other = WorkQueue(maxConcurrentJobCount: 0)
        for _ in 0..<Rounds.scaled(2_000) {
            let job = ResultJob { 1 }
            let dependent = Probe()
            link(dependent, to: job)
            add(dependent, to: other)
            async let value = job.value
            add(job, to: queue)
            let outcome = await job.waitUntilFinished()
            XCTAssertTrue(hasSucceeded(outcome))
            XCTAssertFalse(queue.jobs.contains(job))
            XCTAssertEqual(dependent.phase, .ready)
            let one = try await value
            XCTAssertEqual(one, 1)
            dependent.cancel()
        }
        await queue.waitUntilAllJobsAreFinished()
        await other.waitUntilAllJobsAreFinished()
    }

    func testO1_AWaitAskedDuringTheCompletionsEndsAfterThem() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let gate = Gate(), inside = Gate(), released = Gate()
        let log = Log<String>()
        let job = ResultJob { 5 }
        job.addCompletion { _ in
            inside.open()
            gate.wait()
            log.append("completion")
        }
        try queue.addJob(job)
        inside.wait()
        within {
            XCTAssertTrue(job.isFinished)
            XCTAssertFalse(job.waitUntilFinished(timeout: .milliseconds(50)), "the completion has not ended")
            XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(10)))
        }
        DispatchQueue.global().async {
            XCTAssertEqual(try? job.waitForValue(), 5)
            log.append("waiter")
            released.open()
        }
        gate.open()
        released.wait()
        assertDrained(queue)
        XCTAssertEqual(log.values, ["completion", "waiter"])
    }

    func testO1_AWaitInAJobsOwnCompletionOrObserverReturnsAtOnce() throws {
        let misuse = MisuseLog()
        defer { misuse.restore() }
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let waits = Meter()
        let job = ResultJob { 3 }
        let wait: @Sendable () -> Void = {
            job.waitUntilFinished()
            XCTAssertTrue(job.waitUntilFinished(timeout: .seconds(30)))
            XCTAssertEqual(try? job.waitForValue(), 3)
            XCTAssertEqual(try? job.result?.get(), 3)
            waits.enter()
        }
        let observation = queue.observe { event in
            if EventLog.name(of: event) == .finished { wait() }
        }
        job.addCompletion { _ in wait() }
        job.completionBlock = wait
        try queue.addJob(job)
        assertDrained(queue, 20)
        XCTAssertEqual(waits.total, 3)
        XCTAssertEqual(misuse.messages, [])
        observation.invalidate()
    }

    func testO1_AnEdgeAddedWhileCompletionsRunIsMetWhenTheyHaveRun() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let job = Probe(), other = WorkQueue(maxConcurrentJobCount: 1)
        let dependents = [queue, other].map { queue in (queue: queue, job: Probe()) }
        let log = Log<String>()
        job.addCompletion { _ in
            for dependent in dependents {
                link(dependent.job, to: job)
                add(dependent.job, to: dependent.queue)
                XCTAssertEqual(dependent.job.phase, .waiting)
            }
        }
        job.addCompletion { _ in log.append("last completion, runs: \(dependents.map(\.job.runs.total))") }
        try queue.addJob(job)
        assertDrained(queue)
        assertDrained(other)
        XCTAssertEqual(log.values, ["last completion, runs: [0, 0]"])
        XCTAssertEqual(dependents.map(\.job.runs.total), [1, 1])
    }

    func testO1_WhoWaitsForTheQueueIsHeldUntilTheIdleEventIsDelivered() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let told = Gate()
        let observation = queue.observe { event in
            guard EventLog.name(of: event) == .idle else { return }
            // In this time a waiter that was released too early gets through.
            Thread.sleep(forTimeInterval: 0.1)
            told.open()
        }
        queue.addJob { eventually("somebody waits") { queue.engine.idleWaiterCount == 1 } }
        within(patience, "the wait") {
            queue.waitUntilAllJobsAreFinished()
            XCTAssertTrue(told.isOpen)
        }
        observation.invalidate()
    }

    func testO1_IdleComesAfterTheEndAndBeforeWhoWaitsForTheQueue() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        let log = EventLog()
        queue.addObserver(log)
        for round in 1...Rounds.scaled(1_000) {
            let completed = Gate()
            let job = Probe()
            job.addCompletion { _ in
                XCTAssertEqual(log.count(.idle), round - 1)
                completed.open()
            }
            // One who comes between the leaving of the last job and the idle event finds an empty queue, and may go on at once.
            let gate = BlockJob { eventually("somebody waits") { queue.engine.idleWaiterCount == 1 } }
            link(job, to: gate)
            guard
                within(
                    patience, "idle",
                    {
                        try queue.addJobs([gate, job])
                        queue.waitUntilAllJobsAreFinished()
                    })
            else { return }
            XCTAssertTrue(completed.isOpen)
            XCTAssertEqual(log.count(.idle), round, "one idle event, before the waiter is released")
            let last = log.sequenced.suffix(2)
            XCTAssertEqual(last.map(EventLog.name(of:)), [.finished, .idle])
            XCTAssertNil(last.last?.jobID)
        }
    }
}
