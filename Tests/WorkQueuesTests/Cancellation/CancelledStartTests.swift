// `start()` is still called for a job that is cancelled before its start, and what it leaves behind decides (C2).
import Foundation
import WorkQueues
import XCTest

final class CancelledStartTests: XCTestCase {
    private var misuse: MisuseLog!

    override func setUp() {
        misuse = MisuseLog()
    }

    override func tearDown() {
        misuse.restore()
    }

    func testC2_StartIsCalledOnceAndOnAWorker() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let job = WatchedStart()
        try queue.addJob(job)
        let canceller = Guarded<ObjectIdentifier?>(nil)
        let ended = Gate()
        job.addCompletion { _ in ended.open() }
        within {
            canceller.set(ObjectIdentifier(Thread.current))
            job.cancel()
            // Alive until then, so that its mark is no other thread's.
            ended.wait()
        }
        assertDrained(queue)
        XCTAssertEqual(job.starts.total, 1)
        XCTAssertEqual(job.bodies.total, 0, "the body of a cancelled job does not run, whatever `start()` calls")
        XCTAssertNotEqual(job.thread.current, canceller.current)
        XCTAssertEqual(job.wasCurrent.current, true)
        XCTAssertEqual(job.queueWasCurrent.current, true)
        XCTAssertEqual(misuse.messages, [])
    }

    func testC2_OnTheMainQueueStartDoesNotNeedTheMainThread() throws {
        // This test holds the main thread throughout.
        let job = WatchedStart()
        let ended = Gate()
        let onMain = Guarded(false)
        job.addCompletion { _ in
            onMain.set(Thread.isMainThread)
            ended.open()
        }
        try WorkQueue.main.addJob(job)
        job.cancel()
        ended.wait()
        XCTAssertEqual(job.starts.total, 1)
        XCTAssertEqual(job.bodies.total, 0)
        XCTAssertEqual(job.isMain.current, false)
        XCTAssertFalse(onMain.current)
        eventually("out of the list") { !WorkQueue.main.jobs.contains(job) }
    }

    func testC2_AStartThatDoesNothingIsEndedByTheEngine() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let job = IdleStart()
        try queue.addJob(job)
        job.cancel(reason: .custom("x"))
        waitForEnd(of: job)
        XCTAssertEqual(job.starts.total, 1)
        XCTAssertEqual(cancellation(job.outcome), .custom("x"))
        assertDrained(queue)
        XCTAssertEqual(misuse.messages, [])
    }

    func testC2_AStartThatEndsTheJobHasEndedIt() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let job = TidyStart()
        let completions = Meter()
        job.addCompletion { _ in completions.enter() }
        try queue.addJob(job)
        job.cancel()
        waitForEnd(of: job)
        XCTAssertEqual(job.starts.total, 1)
        XCTAssertTrue(job.isFinished)
        XCTAssertEqual(cancellation(job.outcome), .requested)
        XCTAssertEqual(completions.total, 1)
        assertDrained(queue)
        XCTAssertEqual(misuse.messages, [])
    }

    func testC2_AStartThatWorksAllTheSameIsReportedAndHoldsASlot() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let stubborn = PostingJob()
        let next = Probe { _ in XCTAssertTrue(stubborn.isFinished) }
        try queue.addJobs([stubborn, next])
        stubborn.cancel()
        stubborn.begun.wait()
        eventually("the report") { !self.misuse.messages.isEmpty }
        XCTAssertEqual(misuse.messages.count, 1)
        XCTAssertFalse(stubborn.isFinished)
        queue.isSuspended = false
        // A wait with a limit is how long one looks: the only slot is taken until the post.
        within { XCTAssertFalse(next.waitUntilFinished(timeout: .milliseconds(50))) }
        XCTAssertEqual(next.runs.total, 0)
        XCTAssertEqual(queue.jobs, [stubborn, next])
        stubborn.end()
        assertDrained(queue)
        XCTAssertEqual(next.runs.total, 1)
        XCTAssertEqual(cancellation(stubborn.outcome), .requested)
        XCTAssertEqual(misuse.messages.count, 1)
    }

    func testC2_StartIsCalledForEachOfManyWhileTheQueueIsFull() throws {
        let gate = Gate()
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        queue.addJob { gate.wait() }
        let jobs = (0..<200).map { _ in WatchedStart() }
        try queue.addJobs(jobs)
        queue.cancelAllJobs()
        waitForEnd(of: jobs)
        XCTAssertTrue(jobs.allSatisfy { $0.starts.total == 1 && $0.bodies.total == 0 })
        gate.open()
        assertDrained(queue)
    }

    func testC2_StartAndBodyOfAJobWhoseCancelRacesItsTurn() throws {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        race(
            rounds: Rounds.scaled(20_000), "cancel against start", prepare: { _ in WatchedStart() },
            { job in add(job, to: queue) },
            { job in job.cancel() },
            check: { _, job in
                job.waitUntilFinished()
                XCTAssertEqual(job.starts.total, 1)
                XCTAssertTrue(job.isCancelled || job.bodies.total == 1)
            })
        assertDrained(queue)
    }
}

/// Notes where its `start()` runs, and leaves the rest to the base.
private final class WatchedStart: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let starts = Meter()
    let bodies = Meter()
    let thread = Guarded<ObjectIdentifier?>(nil)
    let isMain = Guarded<Bool?>(nil)
    let wasCurrent = Guarded<Bool?>(nil)
    let queueWasCurrent = Guarded<Bool?>(nil)

    override func start() {
        starts.enter()
        thread.set(ObjectIdentifier(Thread.current))
        isMain.set(Thread.isMainThread)
        wasCurrent.set(Job.current === self)
        queueWasCurrent.set(WorkQueue.current != nil && WorkQueue.current === queue)
        super.start()
    }

    override func main() {
        bodies.enter()
    }
}

/// Checks the flag and returns, without a word about its end.
private final class IdleStart: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let starts = Meter()

    override func start() {
        starts.enter()
        if !isCancelled { super.start() }
    }
}

/// Ends itself at its start when it is cancelled, as hand-made asynchronous operations do.
private final class TidyStart: PostingJob, @unchecked Sendable {
    // Unchecked, as the superclass: nothing is added.
    override func start() {
        if isCancelled {
            starts.enter()
            end()
        } else {
            super.start()
        }
    }
}
