// A finished job lets go of its body, its edges and its producers' values; its own result lives as long as itself (D5).
import WorkQueues
import XCTest

final class LettingGoTests: XCTestCase {
    func testD5_TheBodyOfEveryKindOfClosureJob() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let lives = Lives()
        let jobs: [Job] = [
            queue.addJob { [token = lives.token()] in withExtendedLifetime(token) {} },
            queue.addJob { [token = lives.token()] () async in
                await Task.yield()
                withExtendedLifetime(token) {}
            },
            queue.addJob { [token = lives.token()] () throws -> Int in try withExtendedLifetime(token) { throw Trouble() } },
            queue.addBarrierBlock { [token = lives.token()] in withExtendedLifetime(token) {} },
            queue.addJob(completing: { [token = lives.token()] (done: JobCompletion<Int>) in
                withExtendedLifetime(token) { done.finish(returning: 1) }
            }),
            BlockJob { [token = lives.token()] in withExtendedLifetime(token) {} },
            ResultJob { [token = lives.token()] in withExtendedLifetime(token) { 1 } },
        ]
        for job in jobs.suffix(2) { try queue.addJob(job) }
        assertDrained(queue)
        eventually("all bodies are freed") { lives.alive == 0 }
        XCTAssertEqual(lives.total, 7)
        XCTAssertTrue(jobs.allSatisfy(\.isFinished))
    }

    func testD5_TheBodyOfAJobThatWasCancelled() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let lives = Lives()
        let jobs: [Job] = [
            queue.addJob { [token = lives.token()] in withExtendedLifetime(token) {} },
            BlockJob { [token = lives.token()] in withExtendedLifetime(token) {} },
        ]
        try queue.addJob(jobs[1])
        queue.cancelAllJobs()
        assertDrained(queue)
        eventually("both bodies are freed") { lives.alive == 0 }
        XCTAssertTrue(jobs.allSatisfy(\.isFinished))
    }

    func testD5_CompletionsAndHandlers() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let lives = Lives()
        let calls = Meter()
        let job = Probe()
        // Each holds the job that holds it, until it has run.
        job.addCompletion { [token = lives.token()] _ in withExtendedLifetime((token, job)) { calls.enter() } }
        job.completionBlock = { [token = lives.token()] in withExtendedLifetime((token, job)) { calls.enter() } }
        job.onCancel { [token = lives.token()] _ in withExtendedLifetime((token, job)) {} }
        try queue.addJob(job)
        assertDrained(queue)
        eventually("all three are freed") { lives.alive == 0 }
        XCTAssertEqual(lives.total, 3)
        XCTAssertEqual(calls.total, 2)
    }

    func testD5_TheEdgesAfterTheCompletionsAndNotBefore() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let first = Probe(), second = Probe()
        let job = Probe { XCTAssertEqual(Set($0.dependencies), [first, second]) }
        let seen = Log<Set<Job>>()
        job.addCompletion { _ in seen.append(Set(job.dependencies)) }
        job.completionBlock = { seen.append(Set(job.dependencies)) }
        try job.addDependency(first)
        try job.addDependency(second)
        try queue.addJobs([job, first, second])
        assertDrained(queue)
        XCTAssertEqual(seen.values, [[first, second], [first, second]])
        XCTAssertEqual(job.dependencies, [])
    }

    func testD5_ACancelledAndAFailedJobHaveNoEdgesEither() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let never = Probe(), failing = Probe { $0.fail(with: Trouble()) }
        let cancelled = Probe(), ended = Probe()
        try cancelled.addDependency(never)
        try ended.addDependency(never)
        try ended.addDependency(failing, requiring: .succeeded)
        try queue.addJobs([cancelled, ended, failing])
        cancelled.cancel()
        assertDrained(queue)
        XCTAssertEqual(cancelled.dependencies, [])
        XCTAssertEqual(ended.dependencies, [])
    }

    func testD5_AFinishedJobHoldsNoneOfItsDependencies() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let counters = Link.Counters()
        let last = Link(counters)
        try tree(under: last, counters, queue)
        assertDrained(queue)
        eventually("only the last is left") { counters.lives.current == 1 }
        XCTAssertEqual(counters.runs.total, 4)
        XCTAssertTrue(last.isFinished)
    }

    func testD5_AFinishedDependencyHoldsNoneOfItsDependents() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let counters = Link.Counters()
        let first = Link(counters)
        try dependents(of: first, counters, queue)
        assertDrained(queue)
        eventually("only the first is left") { counters.lives.current == 1 }
        XCTAssertEqual(counters.runs.total, 4)
        XCTAssertTrue(first.isFinished)
    }

    func testD5_TheProducersValuesAndNotItsOwnResult() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let lives = Lives(), results = Lives()
        let consumer = consume(lives, results, queue)
        assertDrained(queue)
        eventually("the producers' values are freed") { lives.alive == 0 }
        XCTAssertEqual(lives.total, 2)
        XCTAssertEqual(results.alive, 1, "the own result lives as long as the job")
        for _ in 0..<3 {
            XCTAssertNotNil(try? consumer.result?.get())
            within { XCTAssertNoThrow(try consumer.waitForValue()) }
        }
    }

    func testD5_TheResultGoesWithTheJob() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let results = Lives()
        queue.addJob { results.token() }
        assertDrained(queue)
        eventually("nobody holds the job") { results.alive == 0 }
        XCTAssertEqual(results.total, 1)
    }

    func testD5_JobsAreNeverReleasedUnderALock() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let freed = Meter()
        within {
            for number in 0..<200 {
                let job = TalkativeJob(queue, freed)
                try queue.addJob(job)
                if number % 3 == 0 { job.cancel() }
            }
            queue.waitUntilAllJobsAreFinished()
        }
        eventually("all are freed") { freed.total == 200 }
        assertDrained(queue)
    }

    private func tree(under last: Link, _ counters: Link.Counters, _ queue: WorkQueue) throws {
        let jobs = (0..<3).map { _ in Link(counters) }
        for job in jobs { try last.addDependency(job) }
        try queue.addJobs([last] + jobs)
    }

    private func dependents(of first: Link, _ counters: Link.Counters, _ queue: WorkQueue) throws {
        let jobs = (0..<3).map { _ in Link(counters) }
        for job in jobs { try job.addDependency(first) }
        try queue.addJobs(jobs + [first])
    }

    private func consume(_ lives: Lives, _ results: Lives, _ queue: WorkQueue) -> ResultJob<Lives.Token> {
        let first = queue.addJob { lives.token() }, second = queue.addJob { lives.token() }
        return queue.addJob(after: first, second) { one, two in
            withExtendedLifetime((one, two)) { results.token() }
        }
    }
}

/// Uses the package while it is being freed.
private final class TalkativeJob: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    private let companion: WorkQueue
    private let freed: Meter

    init(_ companion: WorkQueue, _ freed: Meter) {
        self.companion = companion
        self.freed = freed
        super.init()
    }

    deinit {
        _ = (companion.jobCount, companion.jobs, companion.isSuspended)
        companion.addJob {}
        freed.enter()
    }
}
