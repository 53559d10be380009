// Results from the world of callbacks: the first call wins, and a completion that is dropped unused is an error, not a hang.
import Foundation
import WorkQueues
import XCTest

final class JobCompletionTests: XCTestCase {
    private func pending(on queue: WorkQueue) -> (job: ResultJob<Int>, kept: Guarded<JobCompletion<Int>?>) {
        let kept = Guarded<JobCompletion<Int>?>(nil), begun = Gate()
        let job = queue.addJob { (done: JobCompletion<Int>) in
            kept.set(done)
            begun.open()
        }
        within { begun.wait() }
        return (job, kept)
    }

    func testCompletion_AValueFromAnotherThread() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job: ResultJob<String> = queue.addJob(name: "callback", priority: .high) { done in
            DispatchQueue.global().async { done.finish(returning: "called back") }
        }
        assertDrained(queue)
        XCTAssertEqual(try job.result?.get(), "called back")
        XCTAssertEqual(job.name, "callback")
        XCTAssertEqual(job.queuePriority, .high)
        XCTAssertTrue(hasSucceeded(job.outcome))
    }

    func testCompletion_AnErrorFromAnotherThread() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job: ResultJob<String> = queue.addJob { done in DispatchQueue.global().async { done.finish(throwing: Trouble(4)) } }
        assertDrained(queue)
        XCTAssertEqual(trouble(job.outcome), Trouble(4))
        XCTAssertThrowsError(try job.waitForValue()) { XCTAssertEqual($0 as? Trouble, Trouble(4)) }
    }

    func testCompletion_InsideTheBodyItself() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job: ResultJob<Int> = queue.addJob { done in done.finish(returning: 1) }
        assertDrained(queue)
        XCTAssertEqual(try job.result?.get(), 1)
    }

    func testCompletion_ItExecutesUntilItIsCalled() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), (job, kept) = pending(on: queue), next = queue.addJob {}
        assertUnfinished(job)
        XCTAssertEqual(job.phase, .executing)
        assertHeld(next)
        kept.current?.finish(returning: 3)
        XCTAssertEqual(job.phase, .finished, "fixed before the call returns")
        assertDrained(queue)
        XCTAssertEqual(try job.result?.get(), 3)
    }

    func testCompletion_TheFirstCallWins() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), misuse = MisuseLog(), completions = Meter()
        defer { misuse.restore() }
        let (job, kept) = pending(on: queue)
        job.addCompletion { _ in completions.enter() }
        kept.current?.finish(returning: 1)
        kept.current?.finish(returning: 2)
        kept.current?.finish(throwing: Trouble())
        assertDrained(queue)
        kept.current?.finish(returning: 3)
        XCTAssertEqual(try job.result?.get(), 1)
        let (failed, keptToo) = pending(on: queue)
        keptToo.current?.finish(throwing: Trouble(5))
        keptToo.current?.finish(returning: 2)
        assertDrained(queue)
        XCTAssertEqual(trouble(failed.outcome), Trouble(5))
        XCTAssertEqual(completions.total, 1)
        XCTAssertEqual(misuse.messages, [], "later calls are not errors")
    }

    func testCompletion_ManyCallsAtOnceAndOneWins() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(5_000), "finishes race",
            prepare: { _ -> Pending in
                let kept = Guarded<JobCompletion<Int>?>(nil), begun = Gate(), completions = Meter()
                let job = queue.addJob { (done: JobCompletion<Int>) in
                    kept.set(done)
                    begun.open()
                }
                job.addCompletion { _ in completions.enter() }
                begun.wait()
                return (job, kept, completions)
            },
            [
                { @Sendable (state: Pending) in state.1.current?.finish(returning: 1) },
                { @Sendable (state: Pending) in state.1.current?.finish(throwing: Trouble(2)) },
            ],
            check: { _, state in
                state.1.set(nil)
                state.0.waitUntilFinished()
                XCTAssertTrue(hasSucceeded(state.0.outcome) || trouble(state.0.outcome) == Trouble(2))
                XCTAssertEqual(try? state.0.result?.get(), hasSucceeded(state.0.outcome) ? 1 : nil)
                XCTAssertEqual(state.2.total, 1)
            })
        assertDrained(queue)
    }

    private typealias Pending = (ResultJob<Int>, Guarded<JobCompletion<Int>?>, Meter)

    func testCompletion_DroppedUnusedInTheBody() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job: ResultJob<Int> = queue.addJob { (_: JobCompletion<Int>) in }
        assertDrained(queue, 20)
        XCTAssertEqual((failure(job.outcome) as? JobError)?.code, .completionDropped)
        XCTAssertThrowsError(try job.waitForValue()) { XCTAssertEqual(($0 as? JobError)?.code, .completionDropped) }
    }

    func testCompletion_DroppedUnusedLaterAndElsewhere() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), (job, kept) = pending(on: queue)
        assertUnfinished(job, "kept, so it may still be called")
        kept.set(nil)
        waitForEnd(of: job, 20)
        XCTAssertEqual((failure(job.outcome) as? JobError)?.code, .completionDropped)
        waitForEnd(of: queue.addJob {})
    }

    func testCompletion_OneOfSeveralCopiesIsEnough() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), (job, kept) = pending(on: queue)
        let copy = Guarded<JobCompletion<Int>?>(kept.current)
        kept.set(nil)
        assertUnfinished(job)
        copy.current?.finish(returning: 2)
        copy.set(nil)
        assertDrained(queue)
        XCTAssertEqual(try job.result?.get(), 2)
    }

    func testCompletion_DroppedAfterUseIsNothing() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), (job, kept) = pending(on: queue)
        kept.current?.finish(returning: 2)
        kept.set(nil)
        assertDrained(queue)
        XCTAssertEqual(try job.result?.get(), 2)
    }

    func testCompletion_CancelledWhileItExecutes() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), (job, kept) = pending(on: queue), heard = Gate()
        job.onCancel { _ in heard.open() }
        job.cancel()
        XCTAssertTrue(heard.isOpen)
        assertUnfinished(job, "never interrupted")
        kept.current?.finish(returning: 1)
        assertDrained(queue)
        XCTAssertEqual(cancellation(job.outcome), .requested, "the value is dropped")
        XCTAssertThrowsError(try job.waitForValue()) { XCTAssertTrue($0 is CancellationError) }
    }

    func testCompletion_CancelledWhileItExecutesAndThenFailed() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), (job, kept) = pending(on: queue)
        job.cancel()
        kept.current?.finish(throwing: Trouble(6))
        assertDrained(queue)
        XCTAssertEqual(trouble(job.outcome), Trouble(6))
    }

    func testCompletion_CancelledBeforeItsTurn() {
        let queue = WorkQueue(isSuspended: true), bodies = Meter()
        let job: ResultJob<Int> = queue.addJob { (_: JobCompletion<Int>) in bodies.enter() }
        job.cancel()
        waitForEnd(of: job)
        XCTAssertEqual(cancellation(job.outcome), .requested)
        XCTAssertEqual(bodies.total, 0)
    }

    func testCompletion_ItsValueGoesOnToConsumers() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), (job, kept) = pending(on: queue)
        let consumer = queue.addJob(after: job) { $0 * 2 }
        kept.current?.finish(returning: 21)
        assertDrained(queue)
        XCTAssertEqual(try consumer.result?.get(), 42)
    }
}
