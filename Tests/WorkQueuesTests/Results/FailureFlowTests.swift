// S89 and S89b: what a failed or cancelled producer does to those who consume it, near and far.
import Foundation
import WorkQueues
import XCTest

final class FailureFlowTests: XCTestCase {
    func testS89_TheProducerThrows() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), runs = Meter()
        let producer = queue.addJob { () -> Int in throw Trouble(89) }
        let consumer = queue.addJob(after: producer) { value in
            runs.enter()
            return value
        }
        assertDrained(queue)
        let error = failure(consumer.outcome) as? JobError
        XCTAssertEqual(error?.code, .dependencyFailed)
        XCTAssertEqual(error?.jobID, producer.id)
        XCTAssertEqual(error?.underlying as? Trouble, Trouble(89))
        XCTAssertEqual(error?.cyclePath.isEmpty, true)
        XCTAssertTrue(consumer.isCancelled, "it was ended through its cancel()")
        XCTAssertEqual(consumer.cancellationReason, .dependency(producer.id))
        XCTAssertEqual(runs.total, 0)
        XCTAssertThrowsError(try consumer.waitForValue()) { XCTAssertEqual(($0 as? JobError)?.jobID, producer.id) }
        inTime {
            do {
                _ = try await consumer.value
                XCTFail("there is no value")
            } catch {
                XCTAssertEqual((error as? JobError)?.code, .dependencyFailed)
                XCTAssertEqual((error as? JobError)?.underlying as? Trouble, Trouble(89))
            }
        }
    }

    func testS89_TheProducerIsCancelled() {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true), runs = Meter()
        let producer = queue.addJob { 1 }
        let consumer = queue.addJob(after: producer) { value in
            runs.enter()
            return value
        }
        producer.cancel()
        waitForEnd(of: consumer)
        XCTAssertEqual(cancellation(consumer.outcome), .dependency(producer.id))
        XCTAssertEqual(runs.total, 0)
        XCTAssertThrowsError(try consumer.waitForValue()) { XCTAssertTrue($0 is CancellationError) }
    }

    func testS89_TheProducerIsCancelledWhileItRuns() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), begun = Gate(), leave = Gate(), runs = Meter()
        let producer = queue.addJob { () -> Int in
            begun.open()
            leave.wait()
            return 1
        }
        let consumer = queue.addJob(after: producer) { value in
            runs.enter()
            return value
        }
        within { begun.wait() }
        producer.cancel()
        assertHeld(consumer)
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(cancellation(producer.outcome), .requested, "the value it returned all the same is dropped")
        XCTAssertEqual(cancellation(consumer.outcome), .dependency(producer.id))
        XCTAssertEqual(runs.total, 0)
    }

    func testS89_EveryKindOfProducerAndConsumer() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), runs = Meter()
        let dropped: ResultJob<Int> = queue.addJob { (_: JobCompletion<Int>) in }
        let thrown: ResultJob<Int> = queue.addJob { done in done.finish(throwing: Trouble(1)) }
        let async = queue.addJob { () async throws -> Int in
            await Task.yield()
            throw Trouble(1)
        }
        let failed = queue.addJob { () -> Int in
            Job.current?.fail(with: Trouble(1))
            return 1
        }
        let barrier = queue.addBarrierBlock { throw Trouble(1) }
        for producer in [dropped, thrown, async, failed] {
            let sync = queue.addJob(after: producer) { _ in runs.enter() }
            let slow = queue.addJob(after: producer) { _ async in
                runs.enter()
                await Task.yield()
            }
            assertDrained(queue)
            for consumer in [sync, slow] {
                let error = failure(consumer.outcome) as? JobError
                XCTAssertEqual(error?.code, .dependencyFailed)
                XCTAssertEqual(error?.jobID, producer.id)
                XCTAssertNotNil(error?.underlying)
                XCTAssertNotEqual((error?.underlying as? JobError)?.code, .dependencyFailed)
            }
        }
        let afterBarrier = queue.addJob(after: barrier) { _ in runs.enter() }
        assertDrained(queue)
        XCTAssertEqual((failure(afterBarrier.outcome) as? JobError)?.jobID, barrier.id)
        XCTAssertEqual(runs.total, 0)
    }

    func testS89_OneBadProducerAmongSeveralIsEnough() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), runs = Meter(), leave = Gate()
        let
            good = queue.addJob { () -> Int in
                leave.wait()
                return 1
            }, bad = queue.addJob { () -> Int in throw Trouble(2) }
        let consumer = queue.addJob(after: good, bad) { _, _ in runs.enter() }
        waitForEnd(of: consumer)
        XCTAssertFalse(good.isFinished, "it does not wait for the others")
        XCTAssertEqual((failure(consumer.outcome) as? JobError)?.jobID, bad.id)
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(runs.total, 0)
    }

    func testS89_AProducerThatHadFailedBefore() {
        let queue = WorkQueue(), bad = queue.addJob { () -> Int in throw Trouble(2) }
        waitForEnd(of: bad)
        let consumer = queue.addJob(after: bad) { $0 }
        waitForEnd(of: consumer)
        XCTAssertEqual((failure(consumer.outcome) as? JobError)?.jobID, bad.id)
    }

    func testS89b_ALongLineOfLinksFailsWithTheRootsNameAndError() {
        let count = Rounds.scaled(1_000_000) / 4
        within(100, "built, failed through and freed on a small stack", stackSize: smallStack) {
            let runs = Meter(), lives = Lives(), watched = Log<ResultJob<Int>>()
            do {
                let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
                let root = queue.addJob { () -> Int in throw Trouble(0) }
                var last = root
                for index in 0..<count {
                    let token = lives.token()
                    last = queue.addJob(after: last) { value in
                        _ = token
                        runs.enter()
                        return value
                    }
                    if index % (count / 100 + 1) == 0 { watched.append(last) }
                }
                watched.append(last)
                queue.isSuspended = false
                queue.waitUntilAllJobsAreFinished()
                for consumer in watched.values {
                    let error = failure(consumer.outcome) as? JobError
                    XCTAssertEqual(error?.code, .dependencyFailed)
                    XCTAssertEqual(error?.jobID, root.id)
                    XCTAssertEqual(error?.underlying as? Trouble, Trouble(0))
                }
            }
            XCTAssertEqual(runs.total, 0)
            eventually("all bodies are freed") { lives.alive == 0 }
        }
    }

    func testS89b_ALongLineOfLinksIsCancelledThrough() {
        let count = Rounds.scaled(1_000_000) / 4
        within(100, "cancelled through and freed on a small stack", stackSize: smallStack) {
            let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true), runs = Meter()
            let root = queue.addJob { 0 }
            var last = root
            for _ in 0..<count {
                last = queue.addJob(after: last) { value in
                    runs.enter()
                    return value
                }
            }
            root.cancel()
            last.waitUntilFinished()
            XCTAssertEqual(cancellation(last.outcome), .dependency(root.id))
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(runs.total, 0)
        }
    }

    func testS89b_ALongLineThatNeverRunsIsJustDropped() {
        let count = Rounds.scaled(1_000_000) / 4
        within(100, "dropped on a small stack", stackSize: smallStack) {
            let lives = Lives()
            do {
                let queue = WorkQueue(isSuspended: true)
                var last = queue.addJob { 0 }
                for _ in 0..<count {
                    let token = lives.token()
                    last = queue.addJob(after: last) { value in
                        _ = token
                        return value
                    }
                }
            }
            eventually("all are freed") { lives.alive == 0 }
        }
    }
}
