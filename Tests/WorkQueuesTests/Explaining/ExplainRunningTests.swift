// Explanations: what is said of jobs that execute, wait in their bodies, have ended, or were never added.
import WorkQueues
import XCTest

final class ExplainRunningTests: XCTestCase {
    private func assertSays(_ text: String, _ explanation: JobExplanation, line: UInt = #line) {
        XCTAssertTrue(explanation.description.contains(text), "\"\(text)\" is not in:\n\(explanation)", line: line)
    }

    func testExplain_WhoLentASlotAndWaitsForWhom() throws {
        let queue = WorkQueue(name: "serial", maxConcurrentJobCount: 1), gate = Gate(), begun = Gate()
        let awaited = BlockJob {
            begun.open()
            gate.wait()
        }
        awaited.name = "awaited"
        let waiter = queue.addJob(name: "waiter") { awaited.waitUntilFinished() }
        try queue.addJob(awaited); let line: UInt = #line
        within { begun.wait() }
        let explanation = queue.explain()
        XCTAssertEqual(explanation.lenders.map(\.id), [waiter.id])
        XCTAssertEqual(explanation.running.map(\.id), [awaited.id])
        guard case .waitsForJob(let named, lendsSlot: true)? = waiter.explain().reasons.first else { return XCTFail("\(explanation)") }
        XCTAssertEqual(named.id, awaited.id)
        XCTAssertEqual(named.site, "WorkQueuesTests/ExplainRunningTests.swift:\(line)")
        assertSays("lent its slot and waits for \(awaited.id) \"awaited\" (BlockJob), executing for ", waiter.explain())
        XCTAssertTrue(explanation.description.contains("1 of 1 slot taken, 1 lent"), explanation.description)
        gate.open()
        assertDrained(queue)
    }

    func testExplain_AReturnerWaitsForItsSlot() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(), gate = Gate(), taken = Gate(), awaited = BlockJob {}
        let waiter = queue.addJob { awaited.waitUntilFinished() }
        let holder = queue.addJob {
            taken.open()
            gate.wait()
        }
        within { taken.wait() }
        add(awaited, to: other)
        eventually("the wait is over") {
            if case .waitsForSlot(let holders)? = waiter.explain().reasons.first { holders.map(\.id) == [holder.id] } else { false }
        }
        assertSays("its wait is over, and it is next for a slot; taken by \(holder.id)", waiter.explain())
        gate.open()
        assertDrained(queue)
    }

    func testExplain_AJobWaitsUntilAQueueIsIdle() {
        let inner = WorkQueue(name: "inner", isSuspended: true), outer = WorkQueue(name: "outer")
        inner.addJob {}
        let waiter = outer.addJob { inner.waitUntilAllJobsAreFinished() }
        eventually("it waits") { waiter.explain().reasons == [.waitsForQueue(name: "inner", lendsSlot: true)] }
        assertSays("lent its slot and waits until queue \"inner\" is idle", waiter.explain())
        inner.isSuspended = false
        assertDrained(outer)
    }

    func testExplain_L2_AStartThatReturnedAndNeverPostsItsEnd() {
        let queue = WorkQueue(), job = HandMadeJob()
        add(job, to: queue)
        eventually("start() has returned") { queue.explain().jobs.first?.reasons == [.startHasReturned] }
        assertSays("its start() has returned; it ends when", job.explain())
        XCTAssertEqual(job.explain().job.phase, .executing)
        job.end()
        assertDrained(queue)
    }

    func testExplain_ACompletionThatBlocksHoldsTheSlot() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), gate = Gate(), begun = Gate()
        let job = BlockJob {}
        job.completionBlock = {
            begun.open()
            gate.wait()
        }
        add(job, to: queue)
        within { begun.wait() }
        let next = queue.addJob {}
        XCTAssertEqual(job.explain().reasons, [.completionsRun])
        guard case .noFreeSlot(let holders)? = next.explain().reasons.first else { return XCTFail("\(next.explain())") }
        XCTAssertEqual(holders.map(\.phase), [.finished])
        gate.open()
        assertDrained(queue)
        waitForEnd(of: job)
        XCTAssertEqual(job.explain().reasons, [])
        XCTAssertTrue(hasSucceeded(job.explain().outcome))
        assertSays("finished, succeeded", job.explain())
    }

    func testExplain_AJobInNoQueue() throws {
        let job = BlockJob {}, never = BlockJob {}, runs = Gate(), gate = Gate()
        XCTAssertEqual(job.explain().reasons, [.neverAdded])
        assertSays("(BlockJob), in no queue\n  - it was never added to a queue", job.explain())
        XCTAssertNil(job.explain().job.site)
        try job.addDependency(never)
        XCTAssertEqual(job.explain().reasons.count, 2)

        let byHand = BlockJob {
            runs.open()
            gate.wait()
        }
        onNewThread { byHand.start() }
        within { runs.wait() }
        XCTAssertEqual(byHand.explain().job.phase, .executing)
        XCTAssertEqual(byHand.explain().reasons, [])
        gate.open()
        eventually("it ends") { byHand.explain().outcome != nil && byHand.explain().reasons.isEmpty }
    }

    func testExplain_AgesAreThoseOfTheQueuesClock() {
        let time = HandTime(), queue = WorkQueue(width: 1, isSuspended: true, on: time), gate = Gate(), begun = Gate()
        time.advance(milliseconds: 5)
        let job = queue.addJob {
            begun.open()
            gate.wait()
        }
        time.advance(milliseconds: 700)
        XCTAssertEqual(job.explain().job.age, .milliseconds(700))
        queue.isSuspended = false
        within { begun.wait() }
        time.advance(milliseconds: 1_000)
        let next = queue.addJob {}
        time.advance(milliseconds: 2_310)
        XCTAssertEqual(job.explain().job.age, .milliseconds(3_310))
        XCTAssertEqual(next.explain().job.age, .milliseconds(2_310))
        assertSays("executing for 3.31 s", job.explain())
        assertSays("ready, added 2.31 s ago", next.explain())
        gate.open()
        assertDrained(queue)
    }

    func testExplain_EveryAddingCallNotesItsLine() throws {
        let queue = WorkQueue(isSuspended: true)
        func site(_ line: UInt) -> String { "WorkQueuesTests/ExplainRunningTests.swift:\(line)" }
        var sites: [String] = []
        try queue.addJob(BlockJob {}); sites.append(site(#line))
        try queue.addJobs([BlockJob {}]); sites.append(site(#line))
        let one = queue.addJob { 1 }; sites.append(site(#line))
        queue.addJob { () async -> Int in 1 }; sites.append(site(#line))
        queue.addJob(after: one) { $0 }; sites.append(site(#line))
        queue.addJob(after: one) { (one: Int) async -> Int in one }; sites.append(site(#line))
        queue.addJob { (done: JobCompletion<Int>) in done.finish(returning: 1) }; sites.append(site(#line))
        queue.addBarrierBlock {}; sites.append(site(#line))
        Task { try await queue.run {} }; sites.append(site(#line))
        eventually("the task's job is in") { queue.jobCount == sites.count }
        XCTAssertEqual(queue.explain().jobs.map(\.job.site), sites)
        queue.isSuspended = false
        assertDrained(queue)
    }
}
