// L2: the engine owns the phase, and a post of `isFinished` is what ends a job that was made by hand.
import Foundation
import WorkQueues
import XCTest

final class EndPostTests: XCTestCase {
    func testL2_APostWithIsFinishedTrueFinishesTheJob() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HandMadeJob()
        try queue.addJob(job)
        eventually("it runs") { job.starts.total == 1 }
        assertUnfinished(job)
        within {
            job.end()
            XCTAssertEqual(job.phase, .finished, "fixed before the post returns")
            XCTAssertTrue(hasSucceeded(job.outcome))
        }
        assertDrained(queue)
    }

    func testL2_APostWithIsFinishedFalseDoesNot() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HandMadeJob()
        try queue.addJob(job)
        eventually("it runs") { job.starts.total == 1 }
        job.willChangeValue(forKey: "isFinished")
        job.didChangeValue(forKey: "isFinished")
        job.didChangeValue(for: \.isFinished)
        assertUnfinished(job)
        XCTAssertEqual(job.phase, .executing)
        job.end()
        assertDrained(queue)
    }

    func testL2_APostOfAnotherKeyDoesNotFinishIt() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HandMadeJob()
        try queue.addJob(job)
        eventually("it runs") { job.starts.total == 1 }
        job.willChangeValue(forKey: "isExecuting")
        job.flags.with { $0.executing = false }
        job.didChangeValue(forKey: "isExecuting")
        assertUnfinished(job)
        XCTAssertEqual(job.phase, .executing, "the engine owns the phase")
        job.end()
        assertDrained(queue)
    }

    func testL2_APostWithoutItsWillFinishesIt() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HandMadeJob()
        try queue.addJob(job)
        eventually("it runs") { job.starts.total == 1 }
        job.flags.with { $0.finished = true }
        job.didChangeValue(forKey: "isFinished")
        waitForEnd(of: job)
        assertDrained(queue)
    }

    func testL2_APostByKeyPathFinishesIt() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HandMadeJob()
        try queue.addJob(job)
        eventually("it runs") { job.starts.total == 1 }
        job.willChangeValue(for: \.isFinished)
        job.flags.with { $0.finished = true }
        job.didChangeValue(for: \.isFinished)
        waitForEnd(of: job)
        assertDrained(queue)
    }

    func testL2_APostInsideStart() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), completions = Meter(), job = HandMadeJob { $0.end() }
        job.addCompletion { _ in completions.enter() }
        try queue.addJob(job)
        assertDrained(queue, 20)
        XCTAssertEqual(completions.total, 1)
        XCTAssertTrue(hasSucceeded(job.outcome))
    }

    func testL2_APostDuringTheAddEndsTheJobUnstarted() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), completions = Meter(), job = HandMadeJob()
        job.addCompletion { _ in completions.enter() }
        let observation = queue.observe { event in
            if event.jobID == job.id, EventLog.name(of: event) == .added { job.end() }
        }
        within { try queue.addJob(job) }
        assertDrained(queue, 20)
        XCTAssertEqual(job.phase, .finished)
        XCTAssertEqual(completions.total, 1)
        XCTAssertEqual(queue.jobCount, 0)
        observation.invalidate()
    }

    func testL2_ManyPostsOfTheEndAreOneEnd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), completions = Meter(), misuse = MisuseLog(), job = HandMadeJob()
        defer { misuse.restore() }
        job.addCompletion { _ in completions.enter() }
        try queue.addJob(job)
        eventually("it runs") { job.starts.total == 1 }
        for _ in 0..<5 { job.end() }
        waitForEnd(of: job)
        for _ in 0..<5 { job.end() }
        assertDrained(queue)
        XCTAssertEqual(completions.total, 1)
        XCTAssertEqual(misuse.messages, [])
        let meter = Meter()
        for _ in 0..<10 {
            queue.addJob {
                meter.enter()
                meter.leave()
            }
        }
        assertDrained(queue)
        XCTAssertEqual(meter.peak, 1, "one slot was given back")
    }

    func testL2_OverridesDoNotMoveThePhase() throws {
        let queue = WorkQueue(isSuspended: true), job = HandMadeJob()
        try queue.addJob(job)
        job.flags.with {
            $0.executing = true
            $0.finished = true
        }
        XCTAssertTrue(job.isExecuting && job.isFinished, "so it says")
        XCTAssertTrue(job.phase == .waiting || job.phase == .ready, "so it is")
        XCTAssertEqual(queue.jobCount, 1)
        XCTAssertNil(job.outcome)
        job.flags.with {
            $0.executing = false
            $0.finished = false
        }
        job.cancel()
        waitForEnd(of: job)
    }

    func testL2_AStartThatPostsNoEndNeverEnds() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = Endless()
        try queue.addJob(job)
        let next = queue.addJob {}
        within { job.begun.wait() }
        assertUnfinished(job, for: .milliseconds(100), "start() returned long ago")
        assertHeld(next, "and it holds its slot")
        XCTAssertEqual(job.phase, .executing)
        job.over.set(true)
        job.didChangeValue(forKey: "isFinished")
        assertDrained(queue)
    }

    func testL2_AStartThatOnlyCallsSuperIsAnOrdinaryStart() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = PassingOn()
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(job.order.values, ["before", "main", "after"])
        XCTAssertTrue(hasSucceeded(job.outcome))
    }

    func testL2_StartIsCalledInThePhaseExecuting() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), phases = Log<Job.Phase>()
        let job = HandMadeJob { job in
            phases.append(job.phase)
            job.end()
            phases.append(job.phase)
        }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(phases.values, [.executing, .finished])
    }

    func testL2_RacingPostsFromTwoThreadsAreOneEnd() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(10_000), "two posts of one end",
            prepare: { _ -> (HandMadeJob, Meter) in
                let job = HandMadeJob(), completions = Meter()
                job.addCompletion { _ in completions.enter() }
                add(job, to: queue)
                return (job, completions)
            },
            [
                { (state: (HandMadeJob, Meter)) in state.0.end() },
                { (state: (HandMadeJob, Meter)) in
                    dawdle(Int.random(in: 0..<1_000))
                    state.0.end()
                },
            ],
            check: { round, state in
                XCTAssertTrue(state.0.waitUntilFinished(timeout: .seconds(30)), "round \(round)")
                XCTAssertEqual(state.1.total, 1, "round \(round)")
            })
        assertDrained(queue)
    }

    func testL2_AnEndPostedWhileTheQueueAddsIsNeverMissed() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        race(
            rounds: Rounds.scaled(10_000), "the end against the add",
            prepare: { _ in HandMadeJob() },
            [
                { (job: HandMadeJob) in
                    if let error = refusal({ try queue.addJob(job) }) { XCTAssertEqual(error.code, .alreadyFinished) }
                },
                { job in job.end() },
            ],
            check: { round, job in XCTAssertTrue(job.waitUntilFinished(timeout: .seconds(30)), "round \(round)") })
        assertDrained(queue, 20)
        XCTAssertEqual(queue.jobCount, 0)
    }
}

/// Begins work and forgets about it.
private final class Endless: Job, @unchecked Sendable {
    // Unchecked: what varies is behind a lock.
    let begun = Gate()
    let over = Guarded(false)

    override var isFinished: Bool { over.current }

    override func start() { begun.open() }
}

private final class PassingOn: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let order = Log<String>()

    override func start() {
        order.append("before")
        super.start()
        order.append("after")
    }

    override func main() { order.append("main") }
}
