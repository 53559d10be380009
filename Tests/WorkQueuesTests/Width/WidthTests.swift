// W1: how many jobs execute at once, what holds a slot and for how long, and what changing the width does.
import Foundation
import WorkQueues
import XCTest

final class WidthTests: XCTestCase {
    func testW1_NeverMoreJobsExecuteThanTheWidth() {
        for width in [1, 2, 3, 8] {
            let queue = WorkQueue(maxConcurrentJobCount: width), meter = Meter()
            for _ in 0..<400 {
                queue.addJob {
                    meter.enter()
                    dawdle(2_000)
                    meter.leave()
                }
            }
            assertDrained(queue)
            XCTAssertLessThanOrEqual(meter.peak, width)
            XCTAssertEqual(meter.total, 400)
        }
    }

    func testW1_NeverMoreAsyncJobsAreUnderWayThanTheWidth() {
        for width in [1, 2, 5] {
            let queue = WorkQueue(maxConcurrentJobCount: width), meter = Meter()
            for _ in 0..<300 {
                queue.addJob { () async -> Void in
                    meter.enter()
                    for _ in 0..<3 { await Task.yield() }
                    meter.leave()
                }
            }
            assertDrained(queue)
            XCTAssertLessThanOrEqual(meter.peak, width)
            XCTAssertEqual(meter.total, 300)
        }
    }

    func testW1_AllKindsOfJobsShareTheWidth() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), meter = Meter()
        for round in 0..<200 {
            switch round % 4 {
            case 0:
                queue.addJob {
                    meter.enter()
                    dawdle(1_000)
                    meter.leave()
                }
            case 1:
                queue.addJob { () async -> Void in
                    meter.enter()
                    await Task.yield()
                    meter.leave()
                }
            case 2:
                let _: ResultJob<Void> = queue.addJob { done in
                    meter.enter()
                    DispatchQueue.global().async {
                        meter.leave()
                        done.finish(returning: ())
                    }
                }
            default:
                let job = HandMadeJob { job in
                    meter.enter()
                    DispatchQueue.global().async {
                        meter.leave()
                        job.end()
                    }
                }
                add(job, to: queue)
            }
        }
        assertDrained(queue)
        XCTAssertLessThanOrEqual(meter.peak, 2)
        XCTAssertEqual(meter.total, 200)
    }

    func testW1_AnAsyncJobHoldsItsSlotFromStartToFinish() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        try holdsItsSlot(queue) { begun in
            let job = HandMadeJob { _ in begun.open() }
            try queue.addJob(job)
            return { job.end() }
        }
        try holdsItsSlot(queue) { begun in
            let job = HeldJob()
            try queue.addJob(job)
            within {
                job.begun.wait()
                begun.open()
            }
            return { job.finish() }
        }
        try holdsItsSlot(queue) { begun in
            let leave = Gate()
            queue.addJob { () async -> Void in
                begun.open()
                await leave.opened()
            }
            return { leave.open() }
        }
        try holdsItsSlot(queue) { begun in
            let kept = Guarded<JobCompletion<Int>?>(nil)
            queue.addJob { (done: JobCompletion<Int>) in
                kept.set(done)
                begun.open()
            }
            return {
                kept.current?.finish(returning: 1)
                kept.set(nil)
            }
        }
    }

    private func holdsItsSlot(
        _ queue: WorkQueue, file: StaticString = #filePath, line: UInt = #line, _ add: (Gate) throws -> () -> Void
    ) throws {
        let begun = Gate()
        let finish = try add(begun)
        within(file: file, line: line) { begun.wait() }
        let next = queue.addJob {}
        assertHeld(next, "the slot is taken", file: file, line: line)
        finish()
        waitForEnd(of: next, file: file, line: line)
        assertDrained(queue, file: file, line: line)
    }

    func testW1_AnEndedAsyncJobGivesBackOneSlot() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), jobs = (0..<4).map { _ in HeldJob() }
        try queue.addJobs(jobs)
        within {
            jobs[0].begun.wait()
            jobs[1].begun.wait()
        }
        jobs[0].finish()
        within { jobs[2].begun.wait() }
        assertHeld(jobs[3], "one end, one slot")
        for job in jobs.reversed() { job.finish() }
        assertDrained(queue)
        XCTAssertEqual(jobs.map(\.runs.total), [1, 1, 1, 0], "the last one finished itself before it was started")
    }

    func testW1_ZeroHoldsEverything() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 0), runs = Meter(), held = HeldJob()
        let sync = queue.addJob { runs.enter() }
        let urgent = queue.addJob(priority: .veryHigh) { runs.enter() }
        let async = queue.addJob { () async -> Void in
            runs.enter()
            await Task.yield()
        }
        let barrier = queue.addBarrierBlock { runs.enter() }
        try queue.addJob(held)
        for job in [sync, urgent, async, barrier, held] as [Job] { assertHeld(job, for: .milliseconds(10)) }
        XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(30)))
        XCTAssertEqual(runs.total, 0)
        XCTAssertEqual(queue.jobCount, 5)
        queue.maxConcurrentJobCount = 1
        within { held.begun.wait() }
        held.finish()
        assertDrained(queue)
        XCTAssertEqual(runs.total, 4)
    }

    func testW1_ZeroHoldsWhatComesAfterTheRunningJob() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate()
        let running = queue.addJob {
            begun.open()
            leave.wait()
        }
        within { begun.wait() }
        queue.maxConcurrentJobCount = 0
        let next = queue.addJob {}
        leave.open()
        waitForEnd(of: running)
        assertHeld(next)
        queue.maxConcurrentJobCount = 1
        assertDrained(queue)
    }

    func testW1_RaisingTheWidthStartsJobsAtOnce() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), meeting = Meeting(parties: 4), met = Meter()
        for _ in 0..<4 { queue.addJob { if meeting.meet() { met.enter() } } }
        queue.maxConcurrentJobCount = 4
        assertDrained(queue, 20)
        XCTAssertEqual(met.total, 4, "without a finish in between")
    }

    func testW1_RaisingToTheAutomaticWidthStartsJobsAtOnce() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), meeting = Meeting(parties: 2), met = Meter()
        for _ in 0..<2 { queue.addJob { if meeting.meet() { met.enter() } } }
        queue.maxConcurrentJobCount = WorkQueue.defaultMaxConcurrentJobCount
        assertDrained(queue, 20)
        XCTAssertEqual(met.total, 2)
        XCTAssertEqual(queue.maxConcurrentJobCount, -1)
    }

    func testW1_LoweringNeverTouchesRunningJobs() {
        let queue = WorkQueue(maxConcurrentJobCount: 3), meter = Meter(), leave = Gate()
        let running = (0..<3).map { _ in
            queue.addJob { () -> Int in
                meter.enter()
                leave.wait()
                return 1
            }
        }
        eventually("three run") { meter.current == 3 }
        let next = queue.addJob {}
        for width in [2, 1, 0] {
            queue.maxConcurrentJobCount = width
            XCTAssertEqual(running.map(\.phase), [.executing, .executing, .executing])
            XCTAssertEqual(running.map(\.isCancelled), [false, false, false])
        }
        leave.open()
        waitForEnd(of: running)
        XCTAssertTrue(running.allSatisfy { hasSucceeded($0.outcome) })
        assertHeld(next)
        queue.maxConcurrentJobCount = 2
        assertDrained(queue)
    }

    func testW1_TheWidthReadsBackAsItWasSet() {
        let queue = WorkQueue(maxConcurrentJobCount: 7)
        XCTAssertEqual(queue.maxConcurrentJobCount, 7)
        for width in [0, 1, 500, -1] {
            queue.maxConcurrentJobCount = width
            XCTAssertEqual(queue.maxConcurrentJobCount, width)
        }
        XCTAssertEqual(WorkQueue().maxConcurrentJobCount, WorkQueue.defaultMaxConcurrentJobCount)
        XCTAssertEqual(WorkQueue.defaultMaxConcurrentJobCount, -1)
    }
}
