// Deliberate differences in misuse: what kills the process with Foundation is a typed error or a report with us.
import Foundation
import WorkQueues
import XCTest

final class AddingDifferenceTests: XCTestCase {
    func testS75_AddingTwiceIsATypedError() {
        assertFoundationDies("added-twice")
        within {
            let bodies = Meter()
            let queue = WorkQueue(isSuspended: true)
            let job = BlockJob { bodies.enter() }
            try queue.addJob(job)
            assertRefused(.alreadyAdded) { try queue.addJob(job) }
            assertRefused(.alreadyAdded) { try WorkQueue().addJob(job) }
            XCTAssertEqual(queue.jobCount, 1)
            queue.isSuspended = false
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(bodies.total, 1)
        }
    }

    func testS75_AddingAFinishedJobIsATypedError() {
        assertFoundationDies("added-finished")
        within {
            let bodies = Meter()
            let queue = WorkQueue()
            let job = BlockJob { bodies.enter() }
            try queue.addJobs([job], waitUntilFinished: true)
            assertRefused(.alreadyFinished) { try queue.addJob(job) }
            XCTAssertEqual(queue.jobCount, 0)
            try queue.addJobs([BlockJob { bodies.enter() }], waitUntilFinished: true)
            XCTAssertEqual(bodies.total, 2)
        }
    }

    func testS74_ABatchWithOneBadMemberAddsNothing() {
        assertFoundationDies("bad-batch")
        within {
            let bodies = Meter()
            let queue = WorkQueue()
            let finished = BlockJob {}
            finished.start()
            let a = BlockJob { bodies.enter() }
            let c = BlockJob { bodies.enter() }
            assertRefused(.alreadyFinished) { try queue.addJobs([a, finished, c]) }
            XCTAssertEqual(queue.jobCount, 0)
            XCTAssertEqual(bodies.total, 0)
            try queue.addJobs([a, c], waitUntilFinished: true)
            XCTAssertEqual(bodies.total, 2)
        }
    }

    func testL4_AddingAHandMadeJobThatEndedByItsCancelIsATypedError() {
        assertFoundationDies("hand-made-added")
        within {
            let bodies = Meter()
            let queue = WorkQueue()
            let fetch = WorkQueuesSeeds.Fetch { _ in bodies.enter() }
            fetch.cancel()
            XCTAssertEqual(fetch.phase, .finished)
            assertRefused(.alreadyFinished) { try queue.addJob(fetch) }
            XCTAssertEqual(queue.jobCount, 0)
            XCTAssertEqual(bodies.total, 0)
        }
    }

    func testS81_ABlockForARunningJobIsATypedError() {
        assertFoundationDies("late-block")
        within {
            let begun = Gate()
            let gate = Gate()
            let late = Meter()
            let queue = WorkQueue()
            let job = BlockJob {
                begun.open()
                gate.wait()
            }
            try queue.addJob(job)
            begun.wait()
            assertRefused(.alreadyStarted) { try job.addExecutionBlock { late.enter() } }
            gate.open()
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(late.total, 0)
        }
    }

    func testS80_StartingWithAnUnmetEdgeIsReportedAndIgnored() {
        assertFoundationDies("unmet-start")
        let misuse = MisuseLog()
        defer { misuse.restore() }
        within {
            let bodies = Meter()
            let dependency = BlockJob {}
            let job = BlockJob { bodies.enter() }
            try job.addDependency(dependency)
            job.start()
            XCTAssertEqual(bodies.total, 0)
            XCTAssertFalse(job.isFinished)
            try WorkQueue().addJobs([dependency, job], waitUntilFinished: true)
            XCTAssertEqual(bodies.total, 1)
        }
        XCTAssertEqual(misuse.messages.count, 1)
    }

    func testMisuse_AWidthBelowMinusOneIsReportedAndIgnored() {
        assertFoundationDies("negative-width")
        let misuse = MisuseLog()
        defer { misuse.restore() }
        within {
            let queue = WorkQueue(maxConcurrentJobCount: 3)
            queue.maxConcurrentJobCount = -2
            XCTAssertEqual(queue.maxConcurrentJobCount, 3)
            try queue.addJobs([BlockJob {}], waitUntilFinished: true)
        }
        XCTAssertEqual(misuse.messages.count, 1)
    }
}
