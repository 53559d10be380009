// Width, suspension and barriers: what OperationQueue and WorkQueue do alike.
import WorkQueues
import XCTest

final class WidthParityTests: XCTestCase {
    func testW1_NeverMoreThanTheWidthAtOnce() {
        onBothSides { side in
            let meter = Meter()
            let meeting = Meeting(parties: 3)
            let queue = side.queue(width: 3)
            let jobs = side.jobs(30) { _ in
                meter.enter()
                // In threes, so that the whole width is used and not only respected.
                XCTAssertTrue(meeting.meet(), "\(side)")
                meter.leave()
            }
            queue.add(jobs, waiting: true)
            XCTAssertEqual(meter.peak, 3, "\(side)")
            XCTAssertEqual(meter.total, 30, "\(side)")
        }
    }

    func testS52_RaisingTheWidthStartsJobsAtOnce() {
        onBothSides { side in
            let gate = Gate()
            let meter = Meter()
            let queue = side.queue(width: 1)
            for _ in 0..<4 {
                queue.add {
                    meter.enter()
                    gate.wait()
                    meter.leave()
                }
            }
            eventually("one of width 1 runs on \(side)") { meter.current == 1 }
            queue.width = 3
            eventually("three of width 3 run on \(side)") { meter.current == 3 }
            gate.open()
            queue.waitForAll()
            XCTAssertEqual(meter.peak, 3, "\(side)")
            XCTAssertEqual(meter.total, 4, "\(side)")
        }
    }

    func testS66_NothingStartsWhileSuspended() {
        onBothSides { side in
            let meter = Meter()
            let queue = side.queue(width: 2)
            queue.isSuspended = true
            for job in side.jobs(5, { _ in meter.enter() }) { queue.add(job) }
            XCTAssertFalse(observed(within: 0.1) { meter.total > 0 }, "\(side)")
            queue.isSuspended = false
            queue.waitForAll()
            XCTAssertEqual(meter.total, 5, "\(side)")
        }
    }

    func testS65_SuspensionIsAFlagAndNoCounter() {
        onBothSides { side in
            let meter = Meter()
            let queue = side.queue()
            for _ in 0..<3 { queue.isSuspended = true }
            queue.add(meter.enter)
            XCTAssertTrue(queue.isSuspended, "\(side)")
            queue.isSuspended = false
            XCTAssertFalse(queue.isSuspended, "\(side)")
            queue.waitForAll()
            XCTAssertEqual(meter.total, 1, "\(side)")
        }
    }

    func testW3_ARunningJobGoesOnWhileSuspended() {
        onBothSides { side in
            let begun = Gate()
            let gate = Gate()
            let meter = Meter()
            let queue = side.queue(width: 1)
            let running = side.job {
                begun.open()
                gate.wait()
            }
            queue.add(running)
            queue.add(meter.enter)
            begun.wait()
            queue.isSuspended = true
            gate.open()
            running.waitForEnd()
            XCTAssertFalse(observed(within: 0.1) { meter.total > 0 }, "\(side)")
            queue.isSuspended = false
            queue.waitForAll()
            XCTAssertEqual(meter.total, 1, "\(side)")
        }
    }

    func testS71_ABarrierStandsBetweenWhatWasAddedBeforeAndAfter() {
        onBothSides { side in
            let log = Log<String>()
            let gate = Gate()
            let running = Meter()
            let queue = side.queue(width: 4)
            for _ in 0..<20 {
                queue.add {
                    running.enter()
                    gate.wait()
                    log.append("before")
                    running.leave()
                }
            }
            queue.addBarrier {
                XCTAssertEqual(running.current, 0, "\(side)")
                log.append("barrier")
            }
            let after = side.jobs(20) { _ in log.append("after") }
            after[19].rank = .veryHigh
            for job in after { queue.add(job) }
            gate.open()
            queue.waitForAll()
            let expected = Array(repeating: "before", count: 20) + ["barrier"] + Array(repeating: "after", count: 20)
            XCTAssertEqual(log.values, expected, "\(side)")
        }
    }

    func testS129_TheCurrentQueueIsTheOneThatRunsTheJob() {
        onBothSides { side in
            let outer = side.queue()
            let inner = side.queue()
            let right = Log<Bool>()
            XCTAssertNil(side.currentQueue, "\(side)")
            outer.add(
                [
                    side.job {
                        right.append(side.currentQueue === outer)
                        inner.add([side.job { right.append(side.currentQueue === inner) }], waiting: true)
                        right.append(side.currentQueue === outer)
                    }
                ], waiting: true)
            XCTAssertEqual(right.values, [true, true, true], "\(side)")
        }
    }
}
