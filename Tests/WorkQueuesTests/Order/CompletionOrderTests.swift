// The outcome is fixed first, then observers and completions run in their order, the completion block last (O1, steps 1 and 2).
import WorkQueues
import XCTest

final class CompletionOrderTests: XCTestCase {
    func testO1_TheOutcomeAndThePhaseAreFixedBeforeAnyObserverOrCompletion() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe { $0.fail(with: Trouble(1)) }
        let check: @Sendable () -> Void = {
            XCTAssertEqual(job.phase, .finished)
            XCTAssertTrue(job.isFinished)
            XCTAssertFalse(job.isExecuting)
            XCTAssertEqual(trouble(job.outcome), Trouble(1))
        }
        let calls = Meter()
        let observation = queue.observe { event in
            guard EventLog.name(of: event) == .finished else { return }
            calls.enter()
            check()
        }
        job.addCompletion { outcome in
            calls.enter()
            XCTAssertEqual(trouble(outcome), Trouble(1))
            check()
        }
        job.completionBlock = {
            calls.enter()
            check()
        }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(calls.total, 3)
        observation.invalidate()
    }

    func testO1_ExecutingTurnsFalseBeforeFinishedTurnsTrue() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe()
        let log = Log<String>()
        let executing = job.observe(\.isExecuting, options: [.new]) { _, change in log.append("executing \(change.newValue == true)") }
        let finished = job.observe(\.isFinished, options: [.new]) { _, change in log.append("finished \(change.newValue == true)") }
        job.addCompletion { _ in log.append("completion") }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(log.values, ["executing true", "executing false", "finished true", "completion"])
        withExtendedLifetime((executing, finished)) {}
    }

    func testO1_ObserversThenCompletionsInTheirOrderThenTheCompletionBlock() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let log = Log<String>()
        let job = Probe { _ in log.append("body") }
        let observation = queue.observe { event in
            if EventLog.name(of: event) == .finished { log.append("observer") }
        }
        job.completionBlock = { log.append("block") }
        for number in 1...5 {
            job.addCompletion { _ in log.append("completion \(number)") }
        }
        try queue.addJob(job)
        assertDrained(queue)
        let completions = (1...5).map { "completion \($0)" }
        XCTAssertEqual(log.values, ["body", "observer"] + completions + ["block"])
        observation.invalidate()
    }

    func testO1_ACompletionAddedMeanwhileRunsAfterThoseBeforeIt() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let log = Log<String>()
        let job = Probe()
        let observation = queue.observe { event in
            guard EventLog.name(of: event) == .finished else { return }
            job.addCompletion { _ in log.append("by the observer") }
        }
        job.completionBlock = { log.append("block") }
        job.addCompletion { _ in
            log.append("first")
            job.addCompletion { _ in log.append("by the first") }
        }
        job.addCompletion { _ in log.append("second") }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(log.values, ["first", "second", "by the observer", "by the first", "block"])
        observation.invalidate()
    }

    func testO1_ACompletionAddedInTheBodyRunsWithTheOthers() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let log = Log<String>()
        let job = Probe { job in job.addCompletion { _ in log.append("second") } }
        job.addCompletion { _ in log.append("first") }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(log.values, ["first", "second"])
    }

    func testO1_ACompletionAddedAfterTheEndRunsAtOnce() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe { $0.fail(with: Trouble(2)) }
        try queue.addJob(job)
        assertDrained(queue)
        let log = Log<Trouble?>()
        job.addCompletion { log.append(trouble($0)) }
        XCTAssertEqual(log.values, [Trouble(2)])
        let block = Meter()
        job.completionBlock = { block.enter() }
        XCTAssertEqual(block.total, 1)
        XCTAssertNil(job.completionBlock, "released once it has run")
    }

    func testO1_CompletionsAddedWhileTheJobEndsRunOnce() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        race(
            rounds: Rounds.scaled(40_000), "a completion against the end", prepare: { _ in (job: Probe(), calls: Meter()) },
            { round in add(round.job, to: queue) },
            { round in
                round.job.addCompletion { outcome in
                    XCTAssertTrue(hasSucceeded(outcome))
                    round.calls.enter()
                }
                round.job.completionBlock = { round.calls.enter() }
            },
            check: { _, round in
                round.job.waitUntilFinished()
                eventually("both ran") { round.calls.total == 2 }
            })
        assertDrained(queue)
    }

    func testO1_TheCompletionBlockIsReleasedOnceItHasRun() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let lives = Lives()
        let job = Probe()
        let calls = Meter()
        job.completionBlock = { [token = lives.token()] in withExtendedLifetime(token) { calls.enter() } }
        XCTAssertNotNil(job.completionBlock)
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertNil(job.completionBlock)
        eventually("the block is freed") { lives.alive == 0 }
        XCTAssertEqual(calls.total, 1)
    }

    func testS20_StateInAnObserverInACompletionAndAfterAWait() throws {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        for _ in 0..<Rounds.scaled(2_000) {
            let job = Probe()
            let seen = Log<[Bool]>()
            let look: @Sendable () -> Void = { seen.append([job.isFinished, job.isExecuting, queue.jobs.contains(job)]) }
            let observation = queue.observe { event in
                if event.jobID == job.id, EventLog.name(of: event) == .finished { look() }
            }
            job.addCompletion { _ in look() }
            try queue.addJob(job)
            waitForEnd(of: job)
            look()
            XCTAssertEqual(seen.values, [[true, false, true], [true, false, true], [true, false, false]])
            observation.invalidate()
        }
        assertDrained(queue)
    }
}
