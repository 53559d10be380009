// The states of a job and starting it by hand: what Operation and Job do alike.
import Foundation
import WorkQueues
import XCTest

final class LifeCycleParityTests: XCTestCase {
    func testL1_TheFlagsOnTheWayFromCreatedToFinished() {
        onBothSides { side in
            let begun = Gate()
            let gate = Gate()
            let job = side.job {
                begun.open()
                gate.wait()
            }
            let flags = { [job.isReady, job.isExecuting, job.isFinished, job.isCancelled] }
            XCTAssertEqual(flags(), [true, false, false, false], "\(side)")
            side.queue().add(job)
            begun.wait()
            XCTAssertEqual(Array(flags().dropFirst()), [true, false, false], "\(side)")
            gate.open()
            job.waitForEnd()
            XCTAssertEqual(Array(flags().dropFirst()), [false, true, false], "\(side)")
        }
    }

    func testS80_StartedByHandTheBodyRunsOnTheCallersThread() {
        onBothSides { side in
            let threads = Log<ObjectIdentifier>()
            let job = side.job { threads.append(ObjectIdentifier(Thread.current)) }
            job.start()
            XCTAssertTrue(job.isFinished, "\(side)")
            XCTAssertEqual(threads.values, [ObjectIdentifier(Thread.current)], "\(side)")
        }
    }

    func testS80_StartedTwiceTheBodyRunsOnce() {
        let misuse = MisuseLog()
        defer { misuse.restore() }
        onBothSides { side in
            let bodies = Meter()
            let job = side.job(bodies.enter)
            job.start()
            job.start()
            XCTAssertEqual(bodies.total, 1, "\(side)")
            XCTAssertTrue(job.isFinished, "\(side)")
        }
        // Foundation is silent about it, WorkQueues is not.
        XCTAssertEqual(misuse.messages.count, 1)
    }

    func testS80_CancelledThenStartedByHandItEndsWithoutItsBody() {
        onBothSides { side in
            let bodies = Meter()
            let job = side.job(bodies.enter)
            job.cancel()
            job.start()
            XCTAssertEqual(bodies.total, 0, "\(side)")
            XCTAssertTrue(job.isFinished, "\(side)")
        }
    }

    func testL6_StartedByHandTheCompletionRunsOnce() {
        onBothSides { side in
            let completions = Meter()
            let completed = Gate()
            let job = side.job()
            job.completionBlock = {
                completions.enter()
                completed.open()
            }
            job.start()
            completed.wait()
            XCTAssertEqual(completions.total, 1, "\(side)")
        }
    }

    func testS81_EveryBlockOfAJobRunsOnceAndTheEndComesAfterAll() {
        onBothSides { side in
            for count in [1, 2, 5] {
                let ends = Meter()
                let job = side.job(blocks: Array(repeating: { @Sendable in ends.enter() }, count: count))
                side.queue().add([job], waiting: true)
                XCTAssertEqual(ends.total, count, "\(side)")
                XCTAssertTrue(job.isFinished, "\(side)")
            }
        }
    }

    func testL1_ANameIsKept() {
        onBothSides { side in
            let job = side.job()
            XCTAssertNil(job.name, "\(side)")
            job.name = "indexing"
            XCTAssertEqual(job.name, "indexing", "\(side)")
        }
    }
}

extension Side {
    fileprivate func job(blocks: [@Sendable () -> Void]) -> any ParityJob {
        switch self {
        case .foundation:
            let operation = BlockOperation()
            for block in blocks { operation.addExecutionBlock(block) }
            return operation
        case .workQueues:
            let job = BlockJob()
            for block in blocks { XCTAssertNoThrow(try job.addExecutionBlock(block)) }
            return job
        }
    }
}
