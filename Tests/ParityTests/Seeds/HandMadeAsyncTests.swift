// The tutorials' hand-made asynchronous operation, unchanged, at every point of its life on both schedulers.
import WorkQueues
import XCTest

final class HandMadeAsyncTests: XCTestCase {
    func testSection5_HandMadeItRunsUntilItsPost() {
        onBothSides { side in
            let begun = Gate()
            let fetch = side.fetch { _ in begun.open() }
            let queue = side.queue(width: 1)
            queue.add(fetch)
            begun.wait()
            XCTAssertTrue(fetch.isExecuting, "\(side)")
            XCTAssertFalse(fetch.isFinished, "\(side)")
            side.end(fetch)
            queue.waitForAll()
            XCTAssertTrue(fetch.isFinished, "\(side)")
            XCTAssertFalse(fetch.isExecuting, "\(side)")
        }
    }

    func testSection5_HandMadeItKeepsItsSlotUntilItsPost() {
        onBothSides { side in
            let log = Log<String>()
            let begun = Gate()
            let queue = side.queue(width: 1)
            let fetch = side.fetch { _ in
                log.append("fetch")
                begun.open()
            }
            queue.add(fetch)
            queue.add { log.append("next") }
            begun.wait()
            XCTAssertFalse(observed(within: 0.1) { log.count > 1 }, "\(side)")
            side.end(fetch)
            queue.waitForAll()
            XCTAssertEqual(log.values, ["fetch", "next"], "\(side)")
        }
    }

    func testSection5_HandMadeItMayEndInsideItsBody() {
        onBothSides { side in
            let bodies = Meter()
            let queue = side.queue(width: 1)
            for _ in 0..<50 {
                queue.add(
                    side.fetch { fetch in
                        bodies.enter()
                        side.end(fetch)
                    })
            }
            queue.waitForAll()
            XCTAssertEqual(bodies.total, 50, "\(side)")
        }
    }

    func testSection5_HandMadeItsDependentWaitsForThePost() {
        onBothSides { side in
            let log = Log<String>()
            let begun = Gate()
            let queue = side.queue()
            let fetch = side.fetch { _ in
                log.append("fetch")
                begun.open()
            }
            let dependent = side.fetch { dependent in
                log.append("dependent")
                side.end(dependent)
            }
            dependent.depend(on: fetch)
            queue.add([dependent, fetch], waiting: false)
            begun.wait()
            XCTAssertFalse(dependent.isReady, "\(side)")
            side.end(fetch)
            queue.waitForAll()
            XCTAssertEqual(log.values, ["fetch", "dependent"], "\(side)")
        }
    }

    func testSection5_HandMadeItWaitsWhileSuspended() {
        onBothSides { side in
            let bodies = Meter()
            let queue = side.queue(isSuspended: true)
            queue.add(
                side.fetch { fetch in
                    bodies.enter()
                    side.end(fetch)
                })
            XCTAssertFalse(observed(within: 0.1) { bodies.total > 0 }, "\(side)")
            queue.isSuspended = false
            queue.waitForAll()
            XCTAssertEqual(bodies.total, 1, "\(side)")
        }
    }

    func testSection5_HandMadeCancelledWhileItRunsItEndsOnce() {
        onOurSide { side in
            let begun = Gate()
            let completions = Meter()
            let completed = Gate()
            let fetch = side.fetch { _ in begun.open() }
            fetch.completionBlock = {
                completions.enter()
                completed.open()
            }
            let queue = side.queue(width: 1)
            queue.add(fetch)
            begun.wait()
            fetch.cancel()
            // The answer of the network that comes after the cancel.
            side.end(fetch)
            queue.waitForAll()
            completed.wait()
            XCTAssertTrue(fetch.isFinished, "\(side)")
            XCTAssertTrue(fetch.isCancelled, "\(side)")
            queue.add([side.job()], waiting: true)
            XCTAssertEqual(completions.total, 1, "\(side)")
        }
    }

    func testL4_HandMadeCancelledWhileSuspendedItEndsAtOnce() {
        onOurSide { side in
            let bodies = Meter()
            let completed = Gate()
            let queue = side.queue(width: 1, isSuspended: true)
            let fetch = side.fetch { _ in bodies.enter() }
            fetch.completionBlock = { completed.open() }
            queue.add(fetch)
            fetch.cancel()
            completed.wait()
            XCTAssertTrue(fetch.isFinished, "\(side)")
            XCTAssertTrue(fetch.isCancelled, "\(side)")
            queue.isSuspended = false
            queue.waitForAll()
            queue.add([side.job()], waiting: true)
            XCTAssertEqual(bodies.total, 0, "\(side)")
        }
    }

    func testL4_HandMadeCancelledWhileItWaitsForAnEdgeItEndsAtOnce() {
        onOurSide { side in
            let bodies = Meter()
            let gate = Gate()
            let completed = Gate()
            let queue = side.queue(width: 2)
            let dependency = side.job { gate.wait() }
            let fetch = side.fetch { _ in bodies.enter() }
            fetch.completionBlock = { completed.open() }
            fetch.depend(on: dependency)
            queue.add([dependency, fetch], waiting: false)
            fetch.cancel()
            completed.wait()
            XCTAssertTrue(fetch.isFinished, "\(side)")
            XCTAssertFalse(dependency.isFinished, "\(side)")
            gate.open()
            queue.waitForAll()
            XCTAssertEqual(bodies.total, 0, "\(side)")
        }
    }
}

extension Side {
    fileprivate func fetch(_ begun: @escaping @Sendable (any ParityJob) -> Void) -> any ParityJob {
        switch self {
        case .foundation: FoundationSeeds.Fetch { begun($0) }
        case .workQueues: WorkQueuesSeeds.Fetch { begun($0) }
        }
    }

    /// What the answer of a network would do.
    fileprivate func end(_ fetch: any ParityJob) {
        (fetch as? FoundationSeeds.Fetch)?.state = .finished
        (fetch as? WorkQueuesSeeds.Fetch)?.state = .finished
    }
}
