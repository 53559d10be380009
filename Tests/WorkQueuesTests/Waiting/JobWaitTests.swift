// S99 and the waits for one job: by threads, by tasks, in time and too late, and by the job's own completions.
import Foundation
import WorkQueues
import XCTest

final class JobWaitTests: XCTestCase {
    func testS99_FourTasksPerCoreEachWaitForAnAsyncJob() {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let count = 4 * coreCount
        inTime {
            let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<count {
                    group.addTask {
                        let job = queue.addJob { () async -> Int in
                            for _ in 0..<5 { await Task.yield() }
                            return index
                        }
                        await job.waitUntilFinished()
                        return try await job.value
                    }
                }
                return try await group.reduce(0, +)
            }
            XCTAssertEqual(sum, count * (count - 1) / 2)
            await queue.waitUntilAllJobsAreFinished()
        }
    }

    func testS99_WaitingTasksHoldNoCooperativeThread() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), asleep = Meter(), awake = Meter()
        let job = queue.addJob { leave.wait() }
        for _ in 0..<8 * coreCount {
            Task.detached {
                asleep.enter()
                await job.waitUntilFinished()
                awake.enter()
            }
            Task.detached {
                asleep.enter()
                await queue.waitUntilAllJobsAreFinished()
                awake.enter()
            }
        }
        eventually("far more wait than there are threads") { asleep.total == 16 * coreCount }
        inTime(20, "another task gets its turn") { await Task.yield() }
        XCTAssertEqual(awake.total, 0)
        leave.open()
        eventually("all are released") { awake.total == 16 * coreCount }
    }

    func testWait_TheTaskGetsTheOutcome() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        inTime {
            let good = await queue.addJob { 1 }.waitUntilFinished()
            XCTAssertTrue(hasSucceeded(good))
            let bad = await queue.addJob { throw Trouble(9) }.waitUntilFinished()
            XCTAssertEqual(trouble(bad), Trouble(9))
            queue.isSuspended = true
            let dropped = queue.addJob {}
            dropped.cancel(reason: .custom("why"))
            let cancelled = await dropped.waitUntilFinished()
            XCTAssertEqual(cancellation(cancelled), .custom("why"))
        }
    }

    func testWait_TheWaitersOwnCancellationIsIgnored() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), asleep = Gate(), awake = Gate()
        let job = queue.addJob { leave.wait() }
        let waiter = Task.detached {
            asleep.open()
            let outcome = await job.waitUntilFinished()
            awake.open()
            return hasSucceeded(outcome)
        }
        within { asleep.wait() }
        waiter.cancel()
        assertUnfinished(job)
        XCTAssertFalse(awake.isOpen)
        leave.open()
        inTime {
            let succeeded = await waiter.value
            XCTAssertTrue(succeeded)
        }
        XCTAssertFalse(job.isCancelled)
    }

    func testWait_AShortTimeLimitIsKeptBesideALongOne() {
        let job = HeldJob(), ended = Gate()
        let long = Thread {
            if job.waitUntilFinished(timeout: .seconds(4 * patience)) { ended.open() }
        }
        long.start()
        // Whichever comes first at the beginning, the later ones find the long one's timer armed.
        within {
            for _ in 0..<20 { XCTAssertFalse(job.waitUntilFinished(timeout: .milliseconds(10))) }
        }
        job.finish()
        within { ended.wait() }
    }

    func testWait_TheTimeLimitOfAThread() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), job = queue.addJob { leave.wait() }
        let took = duration { XCTAssertFalse(job.waitUntilFinished(timeout: .milliseconds(50))) }
        XCTAssertGreaterThanOrEqual(took, .milliseconds(50))
        XCTAssertFalse(job.isCancelled)
        leave.open()
        XCTAssertTrue(job.waitUntilFinished(timeout: .seconds(30)))
        XCTAssertTrue(job.waitUntilFinished(timeout: .zero))
    }

    func testWait_TheTimeLimitOfATask() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), job = queue.addJob { leave.wait() }
        inTime {
            let start = ContinuousClock.now
            let early = await job.waitUntilFinished(timeout: .milliseconds(50))
            XCTAssertFalse(early)
            XCTAssertGreaterThanOrEqual(ContinuousClock.now - start, .milliseconds(50))
            leave.open()
            let late = await job.waitUntilFinished(timeout: .seconds(30))
            XCTAssertTrue(late)
            let ended = await job.waitUntilFinished(timeout: .zero)
            XCTAssertTrue(ended)
        }
    }

    func testWait_ManyLimitsRacingTheEnd() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        for round in 0..<Rounds.scaled(1_000) {
            let job = queue.addJob { dawdle(round % 7 * 500) }
            guard
                within(
                    30, "in time",
                    {
                        if job.waitUntilFinished(timeout: .microseconds(round % 50)) { XCTAssertTrue(job.isFinished) }
                    })
            else { return }
        }
        assertDrained(queue)
    }

    func testWait_ByManyThreadsAtOnce() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), asleep = Meter(), awake = Meter()
        let job = queue.addJob { () -> Int in
            leave.wait()
            return 3
        }
        for _ in 0..<10 {
            onNewThread {
                asleep.enter()
                XCTAssertEqual(try? job.waitForValue(), 3)
                awake.enter()
            }
        }
        eventually("all wait") { asleep.total == 10 }
        XCTAssertEqual(awake.total, 0)
        leave.open()
        eventually("all are released") { awake.total == 10 }
    }

    func testWait_FromItsOwnCompletionsAndObserversItReturnsAtOnce() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), misuse = MisuseLog(), passed = Log<String>()
        defer { misuse.restore() }
        let job = queue.addJob { 5 }
        job.addCompletion { _ in
            job.waitUntilFinished()
            XCTAssertTrue(job.waitUntilFinished(timeout: .zero))
            XCTAssertEqual(try? job.waitForValue(), 5)
            passed.append("completion")
        }
        job.completionBlock = {
            job.waitUntilFinished()
            passed.append("completionBlock")
        }
        let observation = queue.observe { event in
            if EventLog.name(of: event) == .finished {
                job.waitUntilFinished()
                passed.append("observer")
            }
        }
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(passed.values, ["observer", "completion", "completionBlock"])
        XCTAssertEqual(misuse.messages, [])
        observation.invalidate()
    }

    func testWait_ForAJobThatIsAddedLater() {
        let job = BlockJob {}, released = Gate(), asleep = Gate()
        onNewThread {
            asleep.open()
            job.waitUntilFinished()
            released.open()
        }
        within { asleep.wait() }
        assertHeld(job)
        XCTAssertFalse(released.isOpen)
        add(job, to: WorkQueue())
        within { released.wait() }
    }
}
