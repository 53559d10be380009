// Deliberate differences in slots and waiting: cancelled jobs, barriers, suspension, and waits inside a job.
import Foundation
import WorkQueues
import XCTest

final class WaitingDifferenceTests: XCTestCase {
    func testC2_ACancelledJobNeedsNoSlotWhereFoundationMakesItWait() {
        onBothSides { side in
            let begun = Gate()
            let gate = Gate()
            let queue = side.queue(width: 1)
            let cancelled = side.job()
            queue.add {
                begun.open()
                gate.wait()
            }
            queue.add(cancelled)
            begun.wait()
            cancelled.cancel()
            assertEndsNow(cancelled, on: side)
            gate.open()
            queue.waitForAll()
            XCTAssertTrue(cancelled.isFinished, "\(side)")
        }
    }

    func testC2_ACancelledJobEndsWhileItsQueueIsSuspendedWhereFoundationMakesItWait() {
        onBothSides { side in
            let queue = side.queue(isSuspended: true)
            let cancelled = side.job()
            queue.add(cancelled)
            cancelled.cancel()
            assertEndsNow(cancelled, on: side)
            queue.isSuspended = false
            queue.waitForAll()
            XCTAssertTrue(cancelled.isFinished, "\(side)")
        }
    }

    func testS69_CancellingAllEndsAWaitOnASuspendedQueue() {
        within {
            let queue = WorkQueue(isSuspended: true)
            try queue.addJobs([BlockJob {}, BlockJob {}, BlockJob {}])
            queue.cancelAllJobs()
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(queue.jobCount, 0)
            XCTAssertTrue(queue.isSuspended)
        }
    }

    func testS71_ACancelledJobAddedBehindABarrierEndsWhereFoundationDeadlocks() {
        assertFoundationHangs("cancelled-behind-barrier")
        within {
            let bodies = Meter()
            let begun = Gate()
            let gate = Gate()
            let queue = WorkQueue()
            queue.addJob {
                begun.open()
                gate.wait()
            }
            let barrier = queue.addBarrierBlock {}
            let cancelled = BlockJob { bodies.enter() }
            cancelled.cancel()
            begun.wait()
            try queue.addJob(cancelled)
            cancelled.waitUntilFinished()
            XCTAssertNotEqual(barrier.phase, .finished)
            gate.open()
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(barrier.phase, .finished)
            XCTAssertEqual(bodies.total, 0)
        }
    }

    func testS70_ABarrierOnAnEmptySuspendedQueueWaitsWhereFoundationRunsItAtOnce() {
        onBothSides { side in
            let ran = Gate()
            let queue = side.queue(isSuspended: true)
            queue.addBarrier { ran.open() }
            switch side {
            case .foundation: XCTAssertTrue(observed(within: 10) { ran.isOpen }, "\(side)")
            case .workQueues: XCTAssertFalse(observed(within: 0.2) { ran.isOpen }, "\(side)")
            }
            queue.isSuspended = false
            queue.waitForAll()
            ran.wait()
        }
    }

    func testW4_ABarrierIsAJobThatIsCountedAndCanBeCancelled() {
        within {
            let bodies = Meter()
            let queue = WorkQueue(isSuspended: true)
            let barrier = queue.addBarrierBlock { bodies.enter() }
            XCTAssertEqual(queue.jobs, [barrier])
            XCTAssertEqual(queue.jobCount, 1)
            barrier.cancel()
            barrier.waitUntilFinished()
            queue.isSuspended = false
            try queue.addJobs([BlockJob {}], waitUntilFinished: true)
            XCTAssertEqual(bodies.total, 0)
        }
    }

    func testO4_AJobMayWaitForAnotherOfItsQueueAtWidthOneWhereFoundationHangs() {
        assertFoundationHangs("wait-for-own-job")
        within {
            let log = Log<String>()
            let queue = WorkQueue(maxConcurrentJobCount: 1)
            queue.addJob {
                guard let current = WorkQueue.current else { return XCTFail("no current queue inside a job") }
                let inner = current.addJob { log.append("inner") }
                inner.waitUntilFinished()
                log.append("outer")
            }
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(log.values, ["inner", "outer"])
        }
    }

    func testO4_AJobThatWaitsForItsWholeQueueIsReportedWhereFoundationHangs() {
        assertFoundationHangs("wait-for-own-queue")
        let misuse = MisuseLog()
        defer { misuse.restore() }
        within {
            let queue = WorkQueue()
            queue.addJob { WorkQueue.current?.waitUntilAllJobsAreFinished() }
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(queue.jobCount, 0)
        }
        XCTAssertEqual(misuse.messages.count, 1)
    }

    func testW5_TheJobsOfADroppedSuspendedQueueEndWhereFoundationForgetsThem() {
        onBothSides { side in
            let completed = Gate()
            let job = side.job()
            job.completionBlock = { completed.open() }
            func drop() { side.queue(isSuspended: true).add(job) }
            drop()
            switch side {
            case .foundation: XCTAssertFalse(observed(within: 0.3) { completed.isOpen }, "\(side)")
            case .workQueues:
                completed.wait()
                job.waitForEnd()
                XCTAssertEqual(cancellation((job as? Job)?.outcome), .queueReleased, "\(side)")
                XCTAssertNil((job as? Job)?.queue, "\(side)")
            }
        }
    }
}

/// Ours has ended by now or will without anybody's help; Foundation's is given the time to and does not.
private func assertEndsNow(_ job: any ParityJob, on side: Side, file: StaticString = #filePath, line: UInt = #line) {
    switch side {
    case .foundation: XCTAssertFalse(observed(within: 0.2) { job.isFinished }, "\(side)", file: file, line: line)
    case .workQueues: eventually("the cancelled job ends", file: file, line: line) { job.isFinished }
    }
}
