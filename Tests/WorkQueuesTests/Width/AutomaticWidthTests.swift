// Section 6 and S58a: the width that the queue finds by itself.
import Foundation
import WorkQueues
import XCTest

final class AutomaticWidthTests: XCTestCase {
    func testSection6_TwoJobsRunSideBySideOnAnyMachine() {
        let queue = WorkQueue(), meeting = Meeting(parties: 2), met = Meter()
        for _ in 0..<2 { queue.addJob { if meeting.meet() { met.enter() } } }
        assertDrained(queue, 20)
        XCTAssertEqual(met.total, 2)
    }

    func testS58a_ProcessorBoundJobsDoNotCrowdTheCores() throws {
        for _ in 0..<3 {
            let (peak, share) = compute(on: WorkQueue(), jobs: 100, milliseconds: 50)
            if peak <= coreCount + 1 { return }
            if share > 0.95 { return XCTFail("\(peak) at once on \(coreCount) cores") }
        }
        throw XCTSkip("other processes used the cores")
    }

    /// The peak, and what share of its cores this process got: where other processes take them away, a large peak proves nothing.
    private func compute(
        on queue: WorkQueue, jobs: Int, milliseconds: Int, file: StaticString = #filePath, line: UInt = #line
    ) -> (peak: Int, share: Double) {
        let meter = Meter(), start = ContinuousClock.now
        let used = processorTime {
            for _ in 0..<jobs {
                queue.addJob {
                    meter.enter()
                    burn(milliseconds: milliseconds)
                    meter.leave()
                }
            }
            assertDrained(queue, 120, file: file, line: line)
        }
        XCTAssertEqual(meter.total, jobs, file: file, line: line)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return (meter.peak, used / seconds / Double(ProcessInfo.processInfo.activeProcessorCount))
    }

    func testS58a_SixtyFourSleepersAreAllAsleepAtOnceWithinASecond() {
        let queue = WorkQueue(), meter = Meter(), asleep = Gate()
        let start = ContinuousClock.now, reached = Guarded<Duration?>(nil)
        for _ in 0..<64 {
            queue.addJob {
                meter.enter()
                if meter.current == 64 {
                    reached.with { $0 = $0 ?? ContinuousClock.now - start }
                    asleep.open()
                }
                // Each sleeps at least its half second, and until all the others do.
                Thread.sleep(forTimeInterval: 0.5)
                asleep.wait()
                meter.leave()
            }
        }
        assertDrained(queue)
        XCTAssertEqual(meter.peak, 64)
        XCTAssertLessThan(reached.current ?? .seconds(1_000), .seconds(1))
    }

    func testSection6_BlockingJobsGrowTheWorkersTo64AndNoFurther() {
        let queue = WorkQueue(), meter = Meter(), leave = Gate()
        for _ in 0..<90 {
            queue.addJob {
                meter.enter()
                leave.wait()
                meter.leave()
            }
        }
        eventually("64 run") { meter.current == 64 }
        XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(100)), "ten more looks")
        XCTAssertEqual(meter.peak, 64)
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(meter.total, 90)
    }

    func testSection6_AJobThatComesWhenEveryWorkerIsBlockedAlreadyStillStarts() {
        let queue = WorkQueue(), first = Meter(), late = Gate(), leave = Gate()
        let base = max(2, ProcessInfo.processInfo.activeProcessorCount)
        for _ in 0..<base {
            queue.addJob {
                first.enter()
                leave.wait()
            }
        }
        eventually("every worker is taken") { first.total == base }
        // Nothing waited when the last worker was taken, so nothing but this job's coming can make the queue look.
        queue.addJob { late.open() }
        within(20, "the late job never started") { late.wait() }
        leave.open()
        assertDrained(queue)
    }

    func testSection6_TwoThousandJobsOfFiveMillisecondsDoNotStarve() {
        let queue = WorkQueue(), runs = Meter()
        let took = duration {
            for _ in 0..<2_000 {
                queue.addJob {
                    Thread.sleep(forTimeInterval: 0.005)
                    runs.enter()
                }
            }
            assertDrained(queue)
        }
        XCTAssertEqual(runs.total, 2_000)
        XCTAssertLessThan(took, .seconds(2), "measured 0.3 s; at one worker per core 5 s")
    }

    func testSection6_IdleWorkersGo() throws {
        let queue = WorkQueue(), blocked = Meter(), leave = Gate()
        for _ in 0..<40 {
            queue.addJob {
                blocked.enter()
                leave.wait()
            }
        }
        eventually("the queue has grown") { blocked.total == 40 }
        leave.open()
        assertDrained(queue)
        // What grew for blocking jobs is gone again for those that compute; the first tries may still meet workers that are leaving.
        var shares: [Double] = []
        for _ in 0..<20 {
            let (peak, share) = compute(on: queue, jobs: 20, milliseconds: 10)
            if peak <= coreCount + 1 { return }
            shares.append(share)
        }
        if (shares.max() ?? 0) < 0.95 { throw XCTSkip("other processes used the cores") }
        XCTFail("\(coreCount) cores stay crowded")
    }

    func testSection6_NothingGrowsWhileNoReadyJobWaits() {
        let queue = WorkQueue(), meter = Meter(), leave = Gate(), root = BlockJob {}
        for _ in 0..<2 {
            queue.addJob {
                meter.enter()
                leave.wait()
                meter.leave()
            }
        }
        for _ in 0..<100 { queue.addJob(dependencies: [root]) {} }
        eventually("both run") { meter.current == 2 }
        let before = processThreadCount() ?? 0
        assertHeld(root, for: .milliseconds(100))
        XCTAssertLessThan((processThreadCount() ?? 0) - before, 8)
        leave.open()
        add(root, to: queue)
        assertDrained(queue)
    }

    func testSection6_TheAutomaticWidthObeysSuspension() {
        let queue = WorkQueue(isSuspended: true), runs = Meter()
        for _ in 0..<100 { queue.addJob { runs.enter() } }
        XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(50)))
        XCTAssertEqual(runs.total, 0)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(runs.total, 100)
    }

    func testSection6_AQueueThatBlocksStillGrowsAfterAnExplicitWidth() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), meeting = Meeting(parties: 16), met = Meter()
        for _ in 0..<16 { queue.addJob { if meeting.meet() { met.enter() } } }
        queue.maxConcurrentJobCount = -1
        assertDrained(queue)
        XCTAssertEqual(met.total, 16)
    }
}
