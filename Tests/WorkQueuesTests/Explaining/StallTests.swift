// The report of a queue that has work, in which nothing runs and nothing can run any more.
import WorkQueues
import XCTest

final class StallTests: XCTestCase {
    private let time = HandTime()
    private let log = StallLog()

    private func makeQueue(width: Int = 2) -> WorkQueue {
        let queue = WorkQueue(width: width, on: time)
        log.observe(queue)
        return queue
    }

    /// Lets time pass, second by second, until so many stalls were reported.
    private func assertStalls(_ count: Int = 1, line: UInt = #line) {
        eventually("the stall is reported", line: line) {
            if time.timerCount > 0 { time.advance(milliseconds: 1_000) }
            return log.count >= count
        }
        XCTAssertEqual(log.count, count, line: line)
    }

    private func look(line: UInt = #line) {
        eventually("a look is scheduled", line: line) { time.timerCount > 0 }
        time.advance(milliseconds: 1_000)
    }

    /// Lets looks come until the queue has looked and armed the next, longer timer.
    private func assertDoesNotStall(line: UInt = #line) {
        look(line: line)
        eventually("it will look again", line: line) { time.timerCount > 0 }
        XCTAssertEqual(log.count, 0, line: line)
    }

    func testStalled_ADependencyThatWasNeverAdded() throws {
        let queue = makeQueue(), never = BlockJob {}
        queue.addJob(dependencies: [never]) {}
        queue.addJob {}
        assertStalls()
        XCTAssertEqual(time.timerCount, 0, "once per stand-still")
        // Something goes on, and then nothing again.
        waitForEnd(of: queue.addJob {})
        assertStalls(2)
        try queue.addJob(never)
        assertDrained(queue)
        XCTAssertEqual(log.count, 2)
    }

    func testStalled_IsReadySaysNo() {
        let queue = makeQueue(), late = LateJob()
        add(late, to: queue)
        assertStalls()
        late.allow()
        assertDrained(queue)
    }

    func testStalled_ThroughAnotherQueueAndABarrier() {
        let other = makeQueue(), queue = makeQueue(), never = BlockJob {}
        other.addJob(dependencies: [never]) {}
        other.addBarrierBlock {}
        let behind = other.addJob {}
        queue.addJob(dependencies: [behind]) {}
        assertStalls(2)
        add(never, to: queue)
        assertDrained(queue)
        assertDrained(other)
    }

    func testStalled_ALenderThatWaitsForAJobThatWasNeverAdded() {
        let queue = makeQueue(width: 1), never = BlockJob {}
        queue.addJob { never.waitUntilFinished() }
        assertStalls()
        add(never, to: queue)
        assertDrained(queue)
    }

    func testStalled_NotBeforeTheGraceAndNotWithoutObservers() {
        let queue = WorkQueue(width: 1, on: time), never = BlockJob {}
        queue.addJob(dependencies: [never]) {}
        waitForEnd(of: queue.addJob {})
        XCTAssertEqual(time.timerCount, 0, "nobody observes")
        log.observe(queue)
        eventually("an observer that comes later makes it look") { time.timerCount == 1 }
        time.advance(milliseconds: 999)
        XCTAssertEqual(time.timerCount, 1)
        XCTAssertEqual(log.count, 0)
        time.advance(milliseconds: 1)
        eventually("the stall is reported") { log.count == 1 }
        add(never, to: queue)
        assertDrained(queue)
    }

    func testStalled_NotWhileSomethingRunsThatTheJobsWaitFor() {
        let other = WorkQueue(maxConcurrentJobCount: 1), queue = makeQueue(), gate = Gate(), between = BlockJob {}
        let runs = other.addJob { gate.wait() }
        link(between, to: runs)
        queue.addJob(dependencies: [between]) {}
        assertDoesNotStall()
        gate.open()
        waitForEnd(of: runs)
        // What ran is over, and the job between was never added.
        time.advance(milliseconds: 2_000)
        eventually("the stall is reported later") { log.count == 1 }
        add(between, to: other)
        assertDrained(queue)
    }

    func testStalled_NotWhenSomebodySuspendedIt() {
        let held = WorkQueue(isSuspended: true), queue = makeQueue(), root = held.addJob {}
        queue.addJob(dependencies: [root]) {}
        assertDoesNotStall()
        let behind = makeQueue(), never = BlockJob {}
        behind.addJob(dependencies: [held.addJob(dependencies: [never]) {}]) {}
        assertStalls()
        let still = HandTime(), own = WorkQueue(width: 1, isSuspended: true, on: still), none = WorkQueue(width: 0, on: still)
        for queue in [own, none] {
            log.observe(queue)
            queue.addJob {}
        }
        XCTAssertEqual(still.timerCount, 0, "a suspended queue, and one of width 0, do not watch")
        held.isSuspended = false
        add(never, to: held)
        assertDrained(queue)
        assertDrained(behind)
        own.cancelAllJobs()
        none.cancelAllJobs()
        assertDrained(own)
        assertDrained(none)
    }

    func testStalled_AChainOfAMillionIsSearchedOnASmallStack() {
        let queue = makeQueue(), count = 1_000_000
        within(300, stackSize: smallStack) {
            var job: Job = BlockJob {}
            for _ in 0..<count {
                let next = Job()
                try next.addDependency(job)
                job = next
            }
            try queue.addJob(job)
        }
        let took = duration {
            assertStalls()
        }
        XCTAssertLessThan(took, .seconds(60))
        queue.cancelAllJobs()
        assertDrained(queue)
    }

    func testStalled_OnTheRealClock() {
        let queue = WorkQueue(), log = StallLog()
        log.observe(queue)
        queue.addJob(dependencies: [BlockJob {}]) {}
        eventually("the stall is reported") { log.count == 1 }
        queue.cancelAllJobs()
        assertDrained(queue)
    }
}

/// Keeps the reports of several queues.
private final class StallLog: Sendable {
    private let reports = Guarded<[QueueExplanation]>([])
    private let observations = Guarded<[JobObservation]>([])

    var count: Int { reports.current.count }
    var last: QueueExplanation? { reports.current.last }

    func observe(_ queue: WorkQueue) {
        let observation = queue.observeStalls { [reports] report in reports.with { $0.append(report) } }
        observations.with { $0.append(observation) }
    }
}
