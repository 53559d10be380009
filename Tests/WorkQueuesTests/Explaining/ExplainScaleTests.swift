// Explanations: their cost and length for many jobs, and asking while everything moves.
import Dispatch
import WorkQueues
import XCTest

final class ExplainScaleTests: XCTestCase {
    func testExplain_AHundredThousandJobsAreCutSensibly() {
        let queue = WorkQueue(name: "long", isSuspended: true)
        for _ in 0..<100_000 { queue.addJob {} }
        let explanation = queue.explain()
        XCTAssertEqual(explanation.jobs.count, 100_000)
        let lines = explanation.description.split(separator: "\n")
        XCTAssertEqual(lines.count, 1 + 20 * 2 + 1)
        XCTAssertEqual(lines.first?.hasPrefix("queue \"long\": 100,000 unfinished jobs, "), true)
        XCTAssertEqual(lines.last, "and 99,980 more")
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testExplain_AFanOfManyEdgesIsCutSensibly() throws {
        let queue = WorkQueue(isSuspended: true), sink = BlockJob {}
        for _ in 0..<20_000 { try sink.addDependency(queue.addJob {}) }
        try queue.addJob(sink)
        XCTAssertEqual(sink.explain().reasons.count, 20_001)
        XCTAssertTrue(sink.explain().description.hasSuffix("\n  - and 19,991 more"), sink.explain().description)
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testExplain_CostIsLinear() {
        assertScales("explain", from: 5_000) { count in
            let queue = WorkQueue(isSuspended: true)
            var last: Job?
            for _ in 0..<count { last = queue.addJob(dependencies: last.map { [$0] } ?? []) {} }
            for _ in 0..<10 { queue.addBarrierBlock {} }
            let cost = duration { _ = queue.explain() }
            queue.cancelAllJobs()
            assertDrained(queue)
            return cost
        }
    }

    func testRace_ExplainFromEverywhereWhileJobsComeRunAndGo() {
        let queue = WorkQueue(maxConcurrentJobCount: 3), other = WorkQueue(maxConcurrentJobCount: 2), third = WorkQueue()
        let shown = Log<Int>()
        race(rounds: Rounds.scaled(1_000)) { _ in
            let root = BlockJob {}, late = LateJob()
            link(root, to: late)
            return (root, late)
        } _: { root, late in
            let first = queue.addJob(dependencies: [root]) { _ = Job.current?.explain().description }
            let waiter = other.addJob {
                first.waitUntilFinished()
                _ = queue.explain()
            }
            third.addJob(dependencies: [waiter]) {}
            let barrier = third.addBarrierBlock {}
            barrier.addCompletion { _ in _ = waiter.explain().description }
            queue.addJob(after: first) { _ in _ = other.explain() }
        } _: { root, late in
            shown.append(queue.explain().description.count + root.explain().description.count)
            add(root, to: other)
            late.allow()
            shown.append(other.explain().description.count)
        } _: { root, late in
            _ = late.explain().description
            add(late, to: queue)
            for job in queue.jobs { _ = job.explain().description }
            shown.append(third.explain().description.count)
            root.removeDependency(late)
        }
        assertDrained(queue)
        assertDrained(other)
        assertDrained(third)
        XCTAssertFalse(shown.values.contains(0))
    }
}
