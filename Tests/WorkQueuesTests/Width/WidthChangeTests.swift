// S49, S52, S55: the width under change, under cancellation, and counted to the job.
import Foundation
import WorkQueues
import XCTest

final class WidthChangeTests: XCTestCase {
    func testS49_CancellingWaitingJobsNeverLetsTheWidthSlip() {
        for width in [1, 3] {
            let queue = WorkQueue(maxConcurrentJobCount: width)
            cancelSomeOfAThousand(queue, width: width, seed: UInt64(width))
        }
    }

    func testS49_FromOneToThreeWhileOthersAreCancelled() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), narrow = Meter(), wide = Meter(), meter = Meter()
        let jobs = (0..<1_000).map { index in
            queue.addJob {
                (index < 300 ? narrow : wide).enter()
                meter.enter()
                dawdle(3_000)
                meter.leave()
                (index < 300 ? narrow : wide).leave()
            }
        }
        within {
            jobs[299].waitUntilFinished()
            queue.maxConcurrentJobCount = 3
            for index in stride(from: 400, to: 1_000, by: 7) { jobs[index].cancel() }
        }
        assertDrained(queue)
        XCTAssertEqual(narrow.peak, 1, "before the change")
        XCTAssertLessThanOrEqual(meter.peak, 3)
        XCTAssertEqual(meter.current, 0)
    }

    private func cancelSomeOfAThousand(_ queue: WorkQueue, width: Int, seed: UInt64) {
        let meter = Meter(), completions = Meter()
        let jobs = (0..<1_000).map { _ in
            queue.addJob {
                meter.enter()
                dawdle(3_000)
                meter.leave()
            }
        }
        for job in jobs { job.addCompletion { _ in completions.enter() } }
        within {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<500 {
                jobs[Int.random(in: 0..<1_000, using: &random)].cancel()
                dawdle(Int.random(in: 0..<2_000, using: &random))
            }
        }
        assertDrained(queue)
        XCTAssertLessThanOrEqual(meter.peak, width, "seed \(seed)")
        XCTAssertEqual(meter.current, 0, "nothing runs at rest")
        XCTAssertEqual(queue.jobCount, 0)
        XCTAssertEqual(completions.total, 1_000)
        XCTAssertGreaterThanOrEqual(jobs.count { hasSucceeded($0.outcome) } + jobs.count { $0.isCancelled }, 1_000)
        XCTAssertTrue(jobs.allSatisfy(\.isFinished))
    }

    func testS52_FiveThenTwoThenNoneThenThree() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), meter = Meter(), gates = (0..<10).map { _ in Gate() }
        let jobs = gates.map { gate in
            queue.addJob {
                meter.enter()
                gate.wait()
                meter.leave()
            }
        }
        func release(_ indices: ClosedRange<Int>) {
            for index in indices { gates[index].open() }
            waitForEnd(of: Array(jobs[indices]))
        }
        eventually("the first runs") { meter.total == 1 }
        queue.maxConcurrentJobCount = 5
        eventually("five run") { meter.current == 5 }
        assertHeld(jobs[5], "exactly five")

        queue.maxConcurrentJobCount = 2
        release(0...2)
        assertHeld(jobs[5], "two still run")
        XCTAssertEqual(meter.current, 2)
        release(3...3)
        eventually("one end, one start") { meter.total == 6 }
        assertHeld(jobs[6], "never more than the new width starts")

        queue.maxConcurrentJobCount = 0
        release(4...5)
        assertHeld(jobs[6], "nothing starts at 0")
        XCTAssertEqual(meter.total, 6)
        XCTAssertEqual(meter.current, 0)

        queue.maxConcurrentJobCount = 3
        eventually("three run") { meter.current == 3 }
        assertHeld(jobs[9], "exactly three")
        release(6...9)
        assertDrained(queue)
        XCTAssertEqual(meter.peak, 5)
        XCTAssertEqual(meter.total, 10)
    }

    func testS52_SettersReturnAtOnceWhileJobsAreStuck() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), leave = Gate(), meter = Meter()
        for _ in 0..<4 {
            queue.addJob {
                meter.enter()
                leave.wait()
            }
        }
        eventually("two are stuck") { meter.current == 2 }
        within(5, "the setters") {
            for width in [1, 0, 3, -1, 2] { queue.maxConcurrentJobCount = width }
        }
        leave.open()
        assertDrained(queue)
    }

    func testS52_ChangingTheWidthAllTheTimeLosesNothing() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), meter = Meter(), stop = Gate(), stopped = Gate()
        onNewThread {
            var random = SeededGenerator(seed: 52)
            while !stop.isOpen { queue.maxConcurrentJobCount = Int.random(in: 0...4, using: &random) }
            queue.maxConcurrentJobCount = 2
            stopped.open()
        }
        for _ in 0..<Rounds.scaled(10_000) {
            queue.addJob {
                meter.enter()
                meter.leave()
            }
        }
        stop.open()
        within { stopped.wait() }
        assertDrained(queue)
        XCTAssertLessThanOrEqual(meter.peak, 4)
        XCTAssertEqual(meter.total, Rounds.scaled(10_000))
    }

    func testS55_FourMeetAtWidthFour() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), meeting = Meeting(parties: 5), met = Meter(), waiting = Meter()
        for _ in 0..<4 {
            queue.addJob {
                waiting.enter()
                if meeting.meet() { met.enter() }
            }
        }
        eventually("all four wait") { waiting.current == 4 }
        XCTAssertEqual(queue.jobCount, 4)
        within(20) { XCTAssertTrue(meeting.meet()) }
        assertDrained(queue)
        XCTAssertEqual(met.total, 4)
        XCTAssertEqual(queue.jobCount, 0)
    }

    func testS55_WidthOneIsStrictlySerial() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), order = Log<String>(), leave = Gate(), begun = Gate()
        let first = queue.addJob {
            order.append("first begins")
            begun.open()
            leave.wait()
            order.append("first ends")
        }
        let second = queue.addJob {
            order.append("second begins")
            order.append("second ends")
        }
        within { begun.wait() }
        assertHeld(second)
        leave.open()
        waitForEnd(of: [first, second])
        XCTAssertEqual(order.values, ["first begins", "first ends", "second begins", "second ends"])
    }

    func testW1_TheChangeIsAnEvent() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), log = EventLog()
        queue.addObserver(log)
        queue.maxConcurrentJobCount = 3
        eventually("the event") { log.count(.widthChanged) == 1 }
        guard let event = log.events(.widthChanged).first, case .widthChanged(let width) = event.kind else { return XCTFail("no event") }
        XCTAssertEqual(width, 3)
        XCTAssertNil(event.jobID, "the queue's own")
    }
}
