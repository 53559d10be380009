// Dependencies: what OperationQueue and WorkQueue do alike.
import WorkQueues
import XCTest

final class DependencyParityTests: XCTestCase {
    func testS4_ADependentThatIsAddedFirstWaits() {
        onBothSides { side in
            let log = Log<String>()
            let queue = side.queue(width: 1)
            let a = side.job { log.append("a") }
            let b = side.job { log.append("b") }
            b.depend(on: a)
            queue.add(b)
            XCTAssertFalse(b.isReady, "\(side)")
            queue.add(a)
            queue.waitForAll()
            XCTAssertEqual(log.values, ["a", "b"], "\(side)")
        }
    }

    func testS40_ADiamondRunsTopMiddleBottom() {
        onBothSides { side in
            let log = Log<String>()
            let top = side.job { log.append("top") }
            let middle = [side.job { log.append("middle") }, side.job { log.append("middle") }]
            let bottom = side.job { log.append("bottom") }
            for job in middle {
                job.depend(on: top)
                bottom.depend(on: job)
            }
            side.queue(width: 8).add([bottom] + middle + [top], waiting: true)
            XCTAssertEqual(log.values, ["top", "middle", "middle", "bottom"], "\(side)")
        }
    }

    func testS40_TheSameEdgeTwiceIsOneEdge() {
        onBothSides { side in
            let a = side.job()
            let b = side.job()
            b.depend(on: a)
            b.depend(on: a)
            XCTAssertEqual(b.dependencyCount, 1, "\(side)")
            b.stopDepending(on: a)
            XCTAssertEqual(b.dependencyCount, 0, "\(side)")
        }
    }

    func testD6_ADependencyMayBelongToAnotherQueue() {
        onBothSides { side in
            let log = Log<String>()
            let gate = Gate()
            let first = side.queue()
            let second = side.queue()
            let a = side.job {
                gate.wait()
                log.append("a")
            }
            let b = side.job { log.append("b") }
            b.depend(on: a)
            second.add(b)
            first.add(a)
            gate.open()
            second.waitForAll()
            XCTAssertEqual(log.values, ["a", "b"], "\(side)")
        }
    }

    func testD6_ADependencyMayRunInNoQueueAtAll() {
        onBothSides { side in
            let log = Log<String>()
            let queue = side.queue()
            let a = side.job { log.append("a") }
            let b = side.job { log.append("b") }
            b.depend(on: a)
            queue.add(b)
            a.start()
            queue.waitForAll()
            XCTAssertEqual(log.values, ["a", "b"], "\(side)")
        }
    }

    func testS6_ACancelledDependencyMeetsAPlainEdge() {
        onBothSides { side in
            let log = Log<String>()
            let queue = side.queue()
            let a = side.job { log.append("a") }
            let b = side.job { log.append("b") }
            b.depend(on: a)
            a.cancel()
            queue.add([a, b], waiting: true)
            XCTAssertEqual(log.values, ["b"], "\(side)")
            XCTAssertTrue(a.isFinished, "\(side)")
            XCTAssertTrue(a.isCancelled, "\(side)")
            XCTAssertFalse(b.isCancelled, "\(side)")
        }
    }

    func testD3_ADependencyThatHasFinishedIsMet() {
        onBothSides { side in
            let log = Log<String>()
            let queue = side.queue()
            let a = side.job { log.append("a") }
            let b = side.job { log.append("b") }
            queue.add([a], waiting: true)
            b.depend(on: a)
            queue.add([b], waiting: true)
            XCTAssertEqual(log.values, ["a", "b"], "\(side)")
        }
    }

    func testS12_ManyDependentsOfOneRootEachRunOnce() {
        onBothSides { side in
            let gate = Gate()
            let meter = Meter()
            let queue = side.queue(width: 4)
            let root = side.job { gate.wait() }
            let leaves = side.jobs(200) { _ in meter.enter() }
            for leaf in leaves { leaf.depend(on: root) }
            queue.add([root] + leaves, waiting: false)
            XCTAssertEqual(meter.total, 0, "\(side)")
            gate.open()
            queue.waitForAll()
            XCTAssertEqual(meter.total, 200, "\(side)")
        }
    }
}
