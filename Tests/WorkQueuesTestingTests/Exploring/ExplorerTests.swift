// The explorer meets every schedule within its bound, finds what fails in one of them, and repeats it from the token.
import Synchronization
import WorkQueues
import WorkQueuesTesting
import XCTest

final class ExplorerTests: XCTestCase {
    /// A lost update: two jobs that read, let others go on, and write.
    private func lostUpdate(_ harness: QueueHarness) throws {
        let count = Mutex(0)
        let queue = harness.queue
        for name in ["a", "b"] {
            queue.addJob(name: name) { () async in
                let old = count.withLock { $0 }
                await Task.yield()
                count.withLock { $0 = old + 1 }
            }
        }
        harness.drain()
        guard count.withLock({ $0 }) == 2 else { throw Wrong(count: count.withLock { $0 }) }
    }

    func testALostUpdateIsFoundAndRepeatedFromItsToken() throws {
        var failure: ExplorationFailure?
        do throws(ExplorationFailure) { try InterleavingExplorer.explore(bound: 2, maxRuns: 2_000, lostUpdate) } catch { failure = error }
        let found = try XCTUnwrap(failure, "no schedule lost an update")
        XCTAssertEqual(found.underlying as? Wrong, Wrong(count: 1))
        XCTAssertTrue("\(found)".contains("WORKQUEUES_REPLAY=\(found.token)"), "\(found)")
        for _ in 0..<10 {
            XCTAssertThrowsError(try InterleavingExplorer.replay(found.token, lostUpdate)) { error in
                XCTAssertEqual((error as? ExplorationFailure)?.token, found.token)
                XCTAssertEqual((error as? ExplorationFailure)?.drawing, found.drawing)
            }
        }
    }

    func testEveryOrderOfIndependentStepsIsMet() throws {
        let orders = Mutex<Set<String>>([])
        let exploration = try InterleavingExplorer.explore(bound: 6, maxRuns: 10_000, randomRuns: 0) { harness in
            let order = Mutex("")
            for name in ["a", "b", "c"] { harness.concurrently({ order.withLock { $0 += name } }) }
            harness.drain()
            orders.withLock { _ = $0.insert(order.withLock { $0 }) }
        }
        XCTAssertEqual(orders.withLock { $0 }, ["abc", "acb", "bac", "bca", "cab", "cba"])
        XCTAssertEqual(exploration.runs, 6)
        XCTAssertTrue(exploration.isExhaustive)
    }

    func testPreemptionsAreCounted() throws {
        // Two visitors with two steps each: without a pre-emption one comes after the other.
        for (bound, count) in [(0, 2), (1, 4), (2, 6)] {
            let orders = Mutex<Set<String>>([])
            let exploration = try InterleavingExplorer.explore(bound: bound, maxRuns: 10_000, randomRuns: 0) { harness in
                let order = Mutex("")
                for name in ["a", "b"] {
                    harness.concurrently({ order.withLock { $0 += name } }, { order.withLock { $0 += name } })
                }
                harness.drain()
                orders.withLock { _ = $0.insert(order.withLock { $0 }) }
            }
            XCTAssertEqual(orders.withLock { $0.count }, count, "bound \(bound): \(orders.withLock { $0 })")
            XCTAssertEqual(exploration.runs, count)
        }
    }

    func testATokenThatIsNone() {
        for token in ["", "x", "p1", "p1:a", "s-1", "p-1:0"] {
            XCTAssertThrowsError(try InterleavingExplorer.replay(token) { _ in }, token)
        }
    }

    func testRandomRunsFollowTheSystematicOnes() throws {
        let exploration = try InterleavingExplorer.explore(bound: 0, maxRuns: 20, randomRuns: 5) { harness in
            harness.queue.addJob {}
            harness.drain()
        }
        XCTAssertEqual(exploration.randomRuns, 5)
        XCTAssertTrue(exploration.isExhaustive)
    }
}

private struct Wrong: Error, Equatable { let count: Int }
