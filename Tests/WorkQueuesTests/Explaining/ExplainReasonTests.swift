// Explanations: each reason why a job does not run is named, with the job and the line that it is about.
import WorkQueues
import XCTest

final class ExplainReasonTests: XCTestCase {
    private typealias Reason = JobExplanation.Reason

    /// The explanation of a job by its queue, which must agree with its own.
    private func explanation(of job: Job, in queue: WorkQueue, line: UInt = #line) -> JobExplanation? {
        let whole = queue.explain()
        XCTAssertEqual(whole.jobs.map(\.job.id), queue.jobs.map(\.id), "in the order of adding", line: line)
        guard let found = whole.jobs.first(where: { $0.job.id == job.id }) else {
            XCTFail("not in the explanation: \(job)", line: line)
            return nil
        }
        XCTAssertTrue(whole.description.contains(found.description) || whole.jobs.count > 20, line: line)
        XCTAssertEqual(job.explain().reasons.count, found.reasons.count, "the queue and the job agree", line: line)
        return found
    }

    private func site(_ line: UInt) -> String { "WorkQueuesTests/ExplainReasonTests.swift:\(line)" }

    /// Fails unless the text of the job has such a line.
    private func assertSays(_ text: String, _ explanation: JobExplanation?, line: UInt = #line) {
        let description = explanation?.description ?? ""
        XCTAssertTrue(description.contains(text), "\"\(text)\" is not in:\n\(description)", line: line)
    }

    /// A job that holds a slot until the gate opens, and its line.
    private func occupy(_ queue: WorkQueue, name: String, _ gate: Gate) -> (job: Job, line: UInt) {
        let begun = Gate()
        let job = queue.addJob(name: name) {
            begun.open()
            gate.wait()
        }
        let line: UInt = #line - 4
        within { begun.wait() }
        return (job, line)
    }

    func testExplain_AnEdgeToARunningJobOfAnotherQueue() {
        let first = WorkQueue(name: "first", maxConcurrentJobCount: 1), queue = WorkQueue(name: "second"), gate = Gate()
        let (root, rootLine) = occupy(first, name: "fetch", gate)
        let job = queue.addJob(name: "parse", dependencies: [root]) {}; let line: UInt = #line
        let found = explanation(of: job, in: queue)
        XCTAssertEqual(found?.job.site, site(line))
        XCTAssertEqual(found?.job.phase, .waiting)
        guard case .dependency(let dependency, requiring: .finished)? = found?.reasons.first, found?.reasons.count == 1 else {
            return XCTFail("\(String(describing: found))")
        }
        XCTAssertEqual(dependency.id, root.id)
        XCTAssertEqual(dependency.phase, .executing)
        XCTAssertEqual(dependency.site, site(rootLine))
        XCTAssertNotNil(dependency.age)
        assertSays("waits for the end of \(root.id) \"fetch\" (ResultJob<()>), executing for ", found)
        assertSays("added at \(site(rootLine)), in queue \"first\"", found)
        assertSays("added at \(site(line))", found)
        gate.open()
        assertDrained(queue)
    }

    func testExplain_AnEdgeToAJobThatWasNeverAdded() {
        let queue = WorkQueue(name: "q"), never = ResultJob(name: "forgotten") { 1 }
        let job = queue.addJob(name: "sum", after: never) { _ in }; let line: UInt = #line
        let found = explanation(of: job, in: queue)
        guard case .dependencyNeverAdded(let dependency, requiring: .succeeded)? = found?.reasons.first else {
            return XCTFail("\(String(describing: found))")
        }
        XCTAssertEqual(dependency.id, never.id)
        XCTAssertEqual(dependency.phase, .created)
        XCTAssertNil(dependency.site)
        assertSays("waits for the success of \(never.id) \"forgotten\" (ResultJob<Int>), which was never added to a queue", found)
        assertSays("added at \(site(line))", found)
        add(never, to: queue)
        assertDrained(queue)
    }

    func testExplain_IsReadySaysNo() {
        let queue = WorkQueue(), job = LateJob()
        add(job, to: queue)
        eventually("was asked") { explanation(of: job, in: queue)?.reasons == [.isReadySaysNo] }
        assertSays("its isReady says no", explanation(of: job, in: queue))
        XCTAssertEqual(job.explain().job.className, "LateJob")
        job.allow()
        assertDrained(queue)
    }

    func testExplain_IsReadyIsBeingAskedAndNothingOvertakes() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), gate = Gate(), asked = Gate(), slow = SlowlyReadyJob(asked: asked, answer: gate)
        XCTAssertNoThrow(try queue.addJob(slow)); let line: UInt = #line
        within { asked.wait() }
        let next = queue.addJob {}
        XCTAssertEqual(explanation(of: slow, in: queue)?.reasons, [.isReadyIsAsked])
        let found = explanation(of: next, in: queue)
        guard case .behindQuestion(let first)? = found?.reasons.first else { return XCTFail("\(String(describing: found))") }
        XCTAssertEqual(first.id, slow.id)
        XCTAssertEqual(first.site, site(line))
        assertSays("comes after \(slow.id) (SlowlyReadyJob), waiting for ", found)
        gate.open()
        assertDrained(queue)
    }

    func testExplain_Suspended() {
        let queue = WorkQueue(name: "held", isSuspended: true)
        let job = queue.addJob {}; let line: UInt = #line
        let found = explanation(of: job, in: queue)
        XCTAssertEqual(found?.reasons, [.suspended])
        XCTAssertEqual(found?.job.site, site(line))
        assertSays("the queue is suspended", found)
        XCTAssertTrue(queue.explain().description.hasPrefix("queue \"held\": 1 unfinished job, 0 of "))
        XCTAssertTrue(queue.explain().isSuspended)
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testExplain_WidthZero() {
        let queue = WorkQueue(maxConcurrentJobCount: 0), job = queue.addJob {}
        XCTAssertEqual(explanation(of: job, in: queue)?.reasons, [.widthIsZero])
        assertSays("the queue's maxConcurrentJobCount is 0", explanation(of: job, in: queue))
        queue.maxConcurrentJobCount = 1
        assertDrained(queue)
    }

    func testExplain_NoFreeSlotAndWhoHoldsThem() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), gate = Gate()
        let (one, oneLine) = occupy(queue, name: "one", gate), (two, _) = occupy(queue, name: "two", gate)
        let job = queue.addJob {}
        let found = explanation(of: job, in: queue)
        guard case .noFreeSlot(heldBy: let holders)? = found?.reasons.first else { return XCTFail("\(String(describing: found))") }
        XCTAssertEqual(holders.map(\.id), [one.id, two.id])
        XCTAssertEqual(holders.map(\.phase), [.executing, .executing])
        XCTAssertFalse(holders.contains { $0.age == nil }, "since when")
        assertSays("no slot is free; taken by \(one.id) \"one\" (ResultJob<()>), executing for ", found)
        assertSays("added at \(site(oneLine)); \(two.id) \"two\"", found)
        XCTAssertEqual(queue.explain().running.map(\.id), [one.id, two.id])
        XCTAssertEqual(queue.explain().takenSlotCount, 2)
        gate.open()
        assertDrained(queue)
    }

    func testExplain_BehindABarrierThatWaitsForEarlierJobs() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), gate = Gate()
        let (first, firstLine) = occupy(queue, name: "first", gate), (second, _) = occupy(queue, name: "second", gate)
        let barrier = queue.addBarrierBlock {}; let line: UInt = #line
        barrier.name = "flush"
        let behind = queue.addJob {}, next = queue.addBarrierBlock {}, last = queue.addJob {}
        let found = explanation(of: behind, in: queue)
        guard case .behindBarrier(let named)? = found?.reasons.first, found?.reasons.count == 1 else {
            return XCTFail("\(String(describing: found))")
        }
        XCTAssertEqual(named.id, barrier.id)
        XCTAssertEqual(named.site, site(line))
        assertSays("was added behind the barrier \(barrier.id) \"flush\"", found)

        let held = explanation(of: barrier, in: queue)
        guard case .earlierJobs(count: 2, let oldest)? = held?.reasons.first, held?.reasons.count == 1 else {
            return XCTFail("\(String(describing: held))")
        }
        XCTAssertEqual(oldest.id, first.id)
        assertSays("is a barrier, and 2 jobs added before it have not ended; the oldest is \(first.id) \"first\"", held)
        assertSays(site(firstLine), held)
        guard case .behindBarrier(let nearest)? = explanation(of: last, in: queue)?.reasons.first else { return XCTFail("no barrier") }
        XCTAssertEqual(nearest.id, next.id, "the nearest of two")
        XCTAssertEqual(explanation(of: next, in: queue)?.reasons.count, 2, "a job before it, and a barrier")
        XCTAssertEqual(second.explain().reasons, [])
        gate.open()
        assertDrained(queue)
    }

    func testExplain_TheThreadBudgetIsUsedUp() {
        let queues = (0..<5).map { _ in WorkQueue(maxConcurrentJobCount: 64) }, gate = Gate(), meter = Meter()
        for queue in queues {
            for _ in 0..<64 {
                queue.addJob {
                    meter.enter()
                    gate.wait()
                }
            }
        }
        eventually("the budget is used up") { meter.total >= 192 }
        eventually("a queue was refused a worker") {
            queues.contains { queue in
                queue.explain().jobs.contains { $0.reasons == [.noThread] && $0.description.contains("the thread budget of the process") }
            }
        }
        gate.open()
        for queue in queues { assertDrained(queue) }
    }

    func testExplain_SeveralReasonsAtOnce() throws {
        let queue = WorkQueue(isSuspended: true), never = BlockJob {}, job = BlockJob {}
        try job.addDependency(never)
        try queue.addJob(job)
        let found = explanation(of: job, in: queue)
        guard case .dependencyNeverAdded(let named, requiring: .finished)? = found?.reasons.first else {
            return XCTFail("\(String(describing: found))")
        }
        XCTAssertEqual(named.id, never.id)
        XCTAssertEqual(found?.reasons.last, .suspended)
        job.cancel()
        assertDrained(queue)
    }
}

/// Takes its time to answer whether it is ready.
private final class SlowlyReadyJob: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    private let asked: Gate
    private let answer: Gate

    init(asked: Gate, answer: Gate) {
        self.asked = asked
        self.answer = answer
        super.init()
    }

    override var isReady: Bool {
        guard phase == .waiting else { return super.isReady }
        asked.open()
        answer.wait()
        return super.isReady
    }
}
