// L2 and S2: an overridden `isReady` can hold a job back and never start it early, and no post about it is missed.
import Foundation
import WorkQueues
import XCTest

final class ReadinessPostTests: XCTestCase {
    func testL2_APostOfReadinessMakesTheEngineLookAgain() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = LateJob()
        try queue.addJob(job)
        assertHeld(job)
        job.allow()
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testL2_APostBeforeTheAdd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = LateJob()
        job.allow()
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testL2_APostDuringTheAdd() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = LateJob()
        // `added` is delivered inside addJob, on its thread.
        let observation = queue.observe { event in
            if event.jobID == job.id, EventLog.name(of: event) == .added { job.allow() }
        }
        within { try queue.addJob(job) }
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
        observation.invalidate()
    }

    func testL2_APostWhileItIsBeingAsked() throws {
        // The answer is "no" and already on its way when the post says "yes".
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = Hesitant()
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testL2_APostWithoutItsWill() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = LateJob()
        try queue.addJob(job)
        assertHeld(job)
        job.allow(announced: false)
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testL2_APostByKeyPath() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = LateJob()
        try queue.addJob(job)
        assertHeld(job)
        job.willChangeValue(for: \.isReady)
        job.allowed.set(true)
        job.didChangeValue(for: \.isReady)
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testL2_APostOnASuspendedOrFullQueueIsKept() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), job = LateJob()
        try queue.addJob(job)
        job.allow()
        assertHeld(job)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testL2_NobodyAsksAgainWithoutAPost() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), job = LateJob()
        try queue.addJob(job)
        assertHeld(job)
        let before = job.refusals.total
        XCTAssertLessThanOrEqual(before, 1, "before its first turn, and not yet after a post")
        for _ in 0..<50 { queue.addJob {} }
        job.allowed.set(true)
        assertHeld(job, "nothing was posted")
        XCTAssertEqual(job.refusals.total, before)
        job.didChangeValue(forKey: "isReady")
        assertDrained(queue)
    }

    func testL2_OnceItWasTrueItIsNotAskedAgain() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = LateJob()
        try queue.addJob(job)
        assertHeld(job)
        job.allow()
        for _ in 0..<5 { job.didChangeValue(forKey: "isReady") }
        assertDrained(queue)
        XCTAssertEqual(job.consents.total, 1)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testL2_ANewEdgeMakesItBeAskedAgain() throws {
        // Asked for the first time it gets itself one more edge: an edge is welcome until the job starts.
        let queue = WorkQueue(maxConcurrentJobCount: 1), root = BlockJob {}, job = EdgeAdder(root)
        try queue.addJob(job)
        eventually("it was asked") { job.asked.total >= 1 }
        assertHeld(job, "the edge is honoured")
        XCTAssertEqual(job.dependencies, [root])
        let asked = job.asked.total
        try WorkQueue().addJob(root)
        assertDrained(queue)
        XCTAssertEqual(job.asked.total, asked + 1)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testL2_AnOverrideNeverStartsAJobAheadOfItsEdges() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), root = HeldJob(), job = Eager()
        try job.addDependency(root)
        try queue.addJobs([job, root])
        within { root.begun.wait() }
        for _ in 0..<5 { job.didChangeValue(forKey: "isReady") }
        XCTAssertTrue(job.isReady, "so it says")
        assertHeld(job)
        XCTAssertEqual(job.phase, .waiting, "so it is")
        root.finish()
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testL2_HeldBackByItselfAndByAnEdge() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        for allowFirst in [true, false] {
            let root = HeldJob(), job = LateJob()
            try job.addDependency(root)
            try queue.addJobs([job, root])
            within { root.begun.wait() }
            if allowFirst {
                job.allow()
            } else {
                root.finish()
                waitForEnd(of: root)
            }
            assertHeld(job, "one of the two is not enough")
            if allowFirst { root.finish() } else { job.allow() }
            assertDrained(queue)
            XCTAssertEqual(job.runs.total, 1)
        }
    }

    func testL2_AJobThatHoldsItselfBackLeavesTheSlotToOthers() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = LateJob()
        try queue.addJob(job)
        waitForEnd(of: (0..<10).map { _ in queue.addJob {} })
        assertHeld(job, for: .milliseconds(5))
        job.allow()
        assertDrained(queue)
    }

    func testL2_ACancelledJobDoesNotWaitForItsReadiness() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = LateJob()
        try queue.addJob(job)
        assertHeld(job)
        job.cancel()
        assertDrained(queue, 20)
        XCTAssertEqual(job.runs.total, 0)
        XCTAssertEqual(cancellation(job.outcome), .requested)
    }

    func testS2_FiveThousandJobsTurnReadyAtARandomMomentAroundTheirAdd() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2)), completions = Meter()
        let rounds = max(5_000, Rounds.scaled(25_000))
        race(
            rounds: rounds, "ready around the add",
            prepare: { _ -> LateJob in
                let job = LateJob()
                job.addCompletion { _ in completions.enter() }
                return job
            },
            [
                { @Sendable (job: LateJob) in
                    dawdle(Int.random(in: 0..<600))
                    add(job, to: queue)
                },
                { @Sendable (job: LateJob) in
                    dawdle(Int.random(in: 0..<1_200))
                    job.allow()
                },
            ],
            check: { round, job in
                XCTAssertTrue(job.waitUntilFinished(timeout: .seconds(30)), "round \(round)")
                XCTAssertEqual(job.runs.total, 1, "round \(round)")
            })
        assertDrained(queue)
        XCTAssertEqual(completions.total, rounds)
    }

    func testS2_TheSameInOneBigCrowd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), jobs = (0..<5_000).map { _ in LateJob() }, completions = Meter()
        for job in jobs { job.addCompletion { _ in completions.enter() } }
        let done = Gate()
        onNewThread {
            for job in jobs.shuffled() { job.allow() }
            done.open()
        }
        for job in jobs { try queue.addJob(job) }
        within { done.wait() }
        assertDrained(queue)
        XCTAssertEqual(completions.total, 5_000)
        XCTAssertTrue(jobs.allSatisfy { $0.runs.total == 1 })
    }
}

/// Posts "ready" from inside the very question that it still answers with "no".
private final class Hesitant: LateJob, @unchecked Sendable {
    // Unchecked, as the superclass: nothing is added.
    override var isReady: Bool {
        let answer = super.isReady
        if !answer, !allowed.current { allow() }
        return answer
    }
}

private final class EdgeAdder: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let asked = Meter()
    let runs = Meter()
    private let edge: Job

    init(_ edge: Job) {
        self.edge = edge
        super.init()
    }

    override var isReady: Bool {
        guard super.isReady else { return false }
        asked.enter()
        if asked.total == 1 { XCTAssertNoThrow(try addDependency(edge)) }
        return true
    }

    override func main() { runs.enter() }
}

private final class Eager: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let runs = Meter()

    override var isReady: Bool { true }

    override func main() { runs.enter() }
}
