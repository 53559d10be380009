// Cancellation: what OperationQueue and WorkQueue do alike.
import WorkQueues
import XCTest

final class CancellationParityTests: XCTestCase {
    func testS24_CancelledBeforeAddingItEndsWithoutItsBody() {
        onBothSides { side in
            let bodies = Meter()
            let completions = Meter()
            let completed = Gate()
            let job = side.job(bodies.enter)
            job.completionBlock = {
                completions.enter()
                completed.open()
            }
            job.cancel()
            side.queue().add([job], waiting: true)
            completed.wait()
            XCTAssertTrue(job.isFinished, "\(side)")
            XCTAssertTrue(job.isCancelled, "\(side)")
            XCTAssertEqual(bodies.total, 0, "\(side)")
            XCTAssertEqual(completions.total, 1, "\(side)")
        }
    }

    func testC3_InNoQueueACancelIsAFlagAlone() {
        onBothSides { side in
            let job = side.job()
            job.depend(on: side.job())
            XCTAssertFalse(job.isReady, "\(side)")
            job.cancel()
            XCTAssertTrue(job.isCancelled, "\(side)")
            XCTAssertTrue(job.isReady, "\(side)")
            XCTAssertFalse(job.isFinished, "\(side)")
        }
    }

    func testS31_CancelledWhileItWaitsForAnEdgeItEndsBeforeItsDependency() {
        onBothSides { side in
            let gate = Gate()
            let completed = Gate()
            let bodies = Meter()
            let queue = side.queue(width: 2)
            let a = side.job { gate.wait() }
            let b = side.job(bodies.enter)
            b.depend(on: a)
            b.completionBlock = { completed.open() }
            queue.add([a, b], waiting: false)
            b.cancel()
            completed.wait()
            XCTAssertTrue(b.isFinished, "\(side)")
            XCTAssertFalse(a.isFinished, "\(side)")
            gate.open()
            queue.waitForAll()
            XCTAssertEqual(bodies.total, 0, "\(side)")
            XCTAssertFalse(a.isCancelled, "\(side)")
        }
    }

    func testC4_AnExecutingJobGetsTheFlagAndGoesOn() {
        onBothSides { side in
            let begun = Gate()
            let gate = Gate()
            let seen = Log<Bool>()
            let job = side.job(knowingItself: { job in
                seen.append(job.isCancelled)
                begun.open()
                gate.wait()
                seen.append(job.isCancelled)
            })
            side.queue().add(job)
            begun.wait()
            job.cancel()
            XCTAssertTrue(job.isCancelled, "\(side)")
            XCTAssertFalse(job.isFinished, "\(side)")
            gate.open()
            job.waitForEnd()
            XCTAssertEqual(seen.values, [false, true], "\(side)")
        }
    }

    func testC5_CancellingAllKeepsTheRunningOneAndSkipsTheRest() {
        onBothSides { side in
            let begun = Gate()
            let gate = Gate()
            let bodies = Meter()
            let completions = Meter()
            let completed = Gate()
            let queue = side.queue(width: 1)
            let running = side.job {
                begun.open()
                gate.wait()
            }
            let waiting = side.jobs(20) { _ in bodies.enter() }
            for job in waiting {
                job.completionBlock = {
                    completions.enter()
                    if completions.total == 20 { completed.open() }
                }
            }
            queue.add([running] + waiting, waiting: false)
            begun.wait()
            queue.cancelAll()
            XCTAssertFalse(running.isFinished, "\(side)")
            gate.open()
            queue.waitForAll()
            completed.wait()
            XCTAssertEqual(bodies.total, 0, "\(side)")
            XCTAssertTrue(running.isCancelled, "\(side)")
            XCTAssertTrue(waiting.allSatisfy { $0.isCancelled && $0.isFinished }, "\(side)")
        }
    }

    func testC1_ACancelAfterTheEndChangesNothing() {
        onBothSides { side in
            let job = side.job()
            side.queue().add([job], waiting: true)
            job.cancel()
            XCTAssertFalse(job.isCancelled, "\(side)")
            XCTAssertTrue(job.isFinished, "\(side)")
        }
    }

    func testS32_AJobMayCancelItselfAndItsQueue() {
        onBothSides { side in
            let bodies = Meter()
            let queue = side.queue(width: 1)
            let job = side.job(knowingItself: { job in
                bodies.enter()
                job.cancel()
                side.currentQueue?.cancelAll()
            })
            queue.add([job], waiting: true)
            XCTAssertTrue(job.isCancelled, "\(side)")
            queue.add([side.job(bodies.enter)], waiting: true)
            XCTAssertEqual(bodies.total, 2, "\(side)")
        }
    }
}
