// W6: what a wait for a whole queue promises, for threads and for tasks.
import Foundation
import WorkQueues
import XCTest

final class QueueWaitTests: XCTestCase {
    func testW6_ItReturnsWhenNothingIsLeft() {
        for round in 0..<Rounds.scaled(1_000) {
            let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1 + round % 4)), runs = Meter()
            for _ in 0..<10 { queue.addJob { runs.enter() } }
            guard
                within(
                    30, "round \(round)",
                    {
                        queue.waitUntilAllJobsAreFinished()
                        XCTAssertEqual(queue.jobCount, 0)
                        XCTAssertEqual(runs.total, 10)
                        XCTAssertTrue(queue.jobs.isEmpty)
                    })
            else { return }
        }
    }

    func testW6_JobsThatAddJobsKeepItWaiting() {
        for _ in 0..<Rounds.scaled(500) {
            let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2)), runs = Meter()
            queue.addJob {
                for _ in 0..<2 {
                    queue.addJob {
                        for _ in 0..<2 { queue.addJob { runs.enter() } }
                        runs.enter()
                    }
                }
                runs.enter()
            }
            guard
                within(
                    30, "in time",
                    {
                        queue.waitUntilAllJobsAreFinished()
                        XCTAssertEqual(runs.total, 7)
                    })
            else { return }
        }
    }

    func testW6_ItWaitsForCompletionsToo() {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true), begun = Gate(), leave = Gate()
        queue.addJob {}.addCompletion { _ in
            begun.open()
            leave.wait()
        }
        queue.isSuspended = false
        within { begun.wait() }
        XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(30)))
        leave.open()
        assertDrained(queue)
    }

    func testW6_TheTimeLimit() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate()
        let job = queue.addJob { leave.wait() }
        let took = duration { XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(50))) }
        XCTAssertGreaterThanOrEqual(took, .milliseconds(50))
        XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .zero))
        XCTAssertFalse(job.isCancelled, "a wait that gives up changes nothing")
        leave.open()
        XCTAssertTrue(queue.waitUntilAllJobsAreFinished(timeout: .seconds(30)))
        XCTAssertTrue(queue.waitUntilAllJobsAreFinished(timeout: .zero))
    }

    func testW6_TheTimeLimitOfATask() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate()
        queue.addJob { leave.wait() }
        inTime {
            let start = ContinuousClock.now
            let early = await queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(50))
            XCTAssertFalse(early)
            XCTAssertGreaterThanOrEqual(ContinuousClock.now - start, .milliseconds(50))
            leave.open()
            let late = await queue.waitUntilAllJobsAreFinished(timeout: .seconds(30))
            XCTAssertTrue(late)
            let empty = await queue.waitUntilAllJobsAreFinished(timeout: .zero)
            XCTAssertTrue(empty)
        }
    }

    func testW6_AllWaitersAreReleased() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), asleep = Meter(), awake = Meter()
        queue.addJob { leave.wait() }
        for _ in 0..<8 {
            onNewThread {
                asleep.enter()
                queue.waitUntilAllJobsAreFinished()
                awake.enter()
            }
            Task.detached {
                asleep.enter()
                await queue.waitUntilAllJobsAreFinished()
                awake.enter()
            }
        }
        eventually("all wait") { asleep.total == 16 }
        XCTAssertEqual(awake.total, 0)
        leave.open()
        eventually("all are released") { awake.total == 16 }
    }

    func testW6_OnASuspendedQueueItReturnsWhenTheLastJobWasCancelled() {
        let queue = WorkQueue(isSuspended: true), released = Gate(), asleep = Gate()
        let jobs = (0..<3).map { _ in queue.addJob {} }
        onNewThread {
            asleep.open()
            queue.waitUntilAllJobsAreFinished()
            released.open()
        }
        within { asleep.wait() }
        jobs[0].cancel()
        jobs[1].cancel()
        waitForEnd(of: [jobs[0], jobs[1]])
        XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(30)))
        XCTAssertFalse(released.isOpen, "one is left")
        jobs[2].cancel()
        within { released.wait() }
        XCTAssertTrue(queue.isSuspended)
    }

    func testW6_ItReturnsAtAnInstantThatWasEmptyEvenIfWorkComesAgain() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), first = Gate(), second = Gate(), released = Gate(), asleep = Gate()
        queue.addJob { first.wait() }
        onNewThread {
            asleep.open()
            queue.waitUntilAllJobsAreFinished()
            released.open()
        }
        within { asleep.wait() }
        XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(30)))
        first.open()
        within { released.wait() }
        let again = queue.addJob { second.wait() }
        XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(30)), "a new wait waits for the new work")
        second.open()
        waitForEnd(of: again)
        assertDrained(queue)
    }

    func testW6_AddWithWaitReturnsWhenTheBatchHasEnded() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), leave = Gate(), runs = Meter(), returned = Gate()
        let jobs = (0..<4).map { _ in
            BlockJob {
                leave.wait()
                runs.enter()
            }
        }
        onNewThread {
            XCTAssertNil(refusal { try queue.addJobs(jobs, waitUntilFinished: true) })
            XCTAssertEqual(runs.total, 4)
            returned.open()
        }
        eventually("added") { queue.jobCount == 4 }
        XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(30)))
        XCTAssertFalse(returned.isOpen)
        leave.open()
        within { returned.wait() }
    }

    func testW6_AddWithoutWaitReturnsAtOnce() {
        let queue = WorkQueue(isSuspended: true), job = BlockJob {}
        within(5) { try queue.addJobs([job], waitUntilFinished: false) }
        XCTAssertFalse(job.isFinished)
        job.cancel()
        assertDrained(queue)
    }
}
