// Nothing recurses over the graph: long chains are run, cancelled, failed through and freed on a small stack (D5, S37).
import WorkQueues
import XCTest

final class DeepGraphTests: XCTestCase {
    /// A fifth of the largest scenario by default: a single stack frame for each job would overflow far below it.
    private static let length = Rounds.scaled(500_000)

    func testS37_AChainThatRunsWithOnlyItsLastJobHeld() {
        let counters = Link.Counters()
        onASmallStack {
            let queue = WorkQueue(maxConcurrentJobCount: 2)
            let last = DeepGraphTests.chain(counters) { add($0, to: queue) }
            queue.waitUntilAllJobsAreFinished()
            XCTAssertTrue(last.isFinished)
            eventually("one is left") { counters.lives.current == 1 }
            withExtendedLifetime(last) {}
        }
        assertAllRunAndFreed(counters)
    }

    func testS37_AChainThatWasBuiltBeforeItRuns() {
        let counters = Link.Counters()
        onASmallStack {
            let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
            let last = DeepGraphTests.chain(counters) { add($0, to: queue) }
            XCTAssertEqual(counters.lives.current, DeepGraphTests.length)
            queue.isSuspended = false
            queue.waitUntilAllJobsAreFinished()
            eventually("one is left") { counters.lives.current == 1 }
            withExtendedLifetime(last) {}
        }
        assertAllRunAndFreed(counters)
    }

    func testS37_AChainThatIsAddedBackwards() {
        let counters = Link.Counters()
        onASmallStack {
            let queue = WorkQueue(maxConcurrentJobCount: 2)
            var jobs: [Link] = []
            _ = DeepGraphTests.chain(counters) { jobs.append($0) }
            for job in jobs.reversed() { add(job, to: queue) }
            jobs.removeAll()
            queue.waitUntilAllJobsAreFinished()
        }
        assertAllRunAndFreed(counters)
    }

    func testS37_AChainThatNeverRuns() {
        let counters = Link.Counters()
        onASmallStack {
            let last = DeepGraphTests.chain(counters) { _ in }
            XCTAssertEqual(counters.lives.current, DeepGraphTests.length, "the last one holds them all")
            withExtendedLifetime(last) {}
        }
        eventually("freed") { counters.lives.current == 0 }
        XCTAssertEqual(counters.runs.total, 0)
    }

    func testS37_AChainThatNeverRunsBuiltTheOtherWay() {
        let counters = Link.Counters()
        onASmallStack {
            let first = Link(counters)
            var newest = first
            for _ in 1..<DeepGraphTests.length {
                let next = Link(counters)
                link(newest, to: next)
                newest = next
            }
            withExtendedLifetime(first) {}
        }
        eventually("freed") { counters.lives.current == 0 }
        XCTAssertEqual(counters.lives.total, DeepGraphTests.length)
    }

    func testS37_AChainWhoseQueueIsDropped() {
        let counters = Link.Counters()
        onASmallStack {
            let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
            _ = DeepGraphTests.chain(counters) { add($0, to: queue) }
        }
        eventually("freed") { counters.lives.current == 0 }
        XCTAssertEqual(counters.runs.total, 0)
    }

    func testD5_AChainThatIsCancelledAsAWhole() {
        let counters = Link.Counters()
        onASmallStack {
            let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
            let last = DeepGraphTests.chain(counters) { add($0, to: queue) }
            queue.cancelAllJobs()
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(cancellation(last.outcome), .requested)
        }
        eventually("freed") { counters.lives.current == 0 }
        XCTAssertEqual(counters.runs.total, 0)
    }

    func testD5_AChainThatACancellationGoesThrough() {
        let counters = Link.Counters()
        onASmallStack {
            let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
            var first: Link?
            let last = DeepGraphTests.chain(counters, requiring: .succeeded) { job in
                first = first ?? job
                add(job, to: queue)
            }
            first?.cancel()
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(cancellation(last.outcome), first.map { .dependency($0.id) })
        }
        eventually("freed") { counters.lives.current == 0 }
        XCTAssertEqual(counters.runs.total, 0)
    }

    func testD5_AChainThatAFailureGoesThrough() {
        let counters = Link.Counters()
        onASmallStack {
            let queue = WorkQueue(maxConcurrentJobCount: 2)
            let root = Probe { $0.fail(with: Trouble(5)) }
            let last = DeepGraphTests.chain(counters, from: root, requiring: .succeeded) { add($0, to: queue) }
            add(root, to: queue)
            queue.waitUntilAllJobsAreFinished()
            let error = failure(last.outcome) as? JobError
            XCTAssertEqual(error?.jobID, root.id)
            XCTAssertEqual(error?.underlying as? Trouble, Trouble(5))
        }
        eventually("freed") { counters.lives.current == 0 }
        XCTAssertEqual(counters.runs.total, 0)
    }

    func testD5_AChainThatIsSearchedForARing() {
        let counters = Link.Counters()
        onASmallStack {
            var first: Link?
            let last = DeepGraphTests.chain(counters) { first = first ?? $0 }
            if let first { assertRefused(.dependencyCycle) { try first.addDependency(last) } }
        }
        eventually("freed") { counters.lives.current == 0 }
    }

    func testD5_ARollingChainKeepsFewAlive() {
        let counters = Link.Counters()
        let length = Rounds.scaled(1_000_000)
        within(120, stackSize: smallStack) {
            let queue = WorkQueue(maxConcurrentJobCount: 2)
            var newest = Link(counters)
            add(newest, to: queue)
            for number in 1..<length {
                let next = Link(counters)
                link(next, to: newest)
                add(next, to: queue)
                newest = next
                // The producer must not run away from the queue, or the jobs it has not come to are alive for that reason.
                if number % 100 == 0 { newest.waitUntilFinished() }
            }
            queue.waitUntilAllJobsAreFinished()
        }
        XCTAssertEqual(counters.runs.total, length)
        XCTAssertLessThan(counters.lives.peak, 1_000)
        eventually("freed") { counters.lives.current == 0 }
    }

    private static func chain(
        _ counters: Link.Counters, from root: Job? = nil, requiring requirement: Job.DependencyRequirement = .finished,
        _ made: (Link) -> Void
    ) -> Link {
        var newest = Link(counters)
        if let root { link(newest, to: root, requiring: requirement) }
        made(newest)
        for _ in 1..<length {
            let next = Link(counters)
            link(next, to: newest, requiring: requirement)
            made(next)
            newest = next
        }
        return newest
    }

    private func onASmallStack(line: UInt = #line, _ body: @escaping @Sendable () -> Void) {
        within(120, stackSize: smallStack, line: line, body)
    }

    private func assertAllRunAndFreed(_ counters: Link.Counters, line: UInt = #line) {
        eventually("memory is back to where it was", line: line) { counters.lives.current == 0 }
        XCTAssertEqual(counters.runs.total, DeepGraphTests.length, line: line)
        XCTAssertEqual(counters.lives.total, DeepGraphTests.length, line: line)
    }
}
