// A dependency may be in another queue or in none yet, and waiting for it costs no thread and no processor time (D6).
import Foundation
import WorkQueues
import XCTest

final class ForeignDependencyTests: XCTestCase {
    func testD6_ADependencyInAnotherQueue() throws {
        let one = WorkQueue(maxConcurrentJobCount: 1), two = WorkQueue(maxConcurrentJobCount: 1)
        let dependency = HeldJob(), job = Probe { _ in XCTAssertTrue(dependency.isFinished) }
        try job.addDependency(dependency)
        try two.addJob(job)
        try one.addJob(dependency)
        dependency.begun.wait()
        waitForEnd(of: two.addJob {})
        XCTAssertEqual(job.phase, .waiting)
        dependency.finish()
        assertDrained(two)
        assertDrained(one)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testD6_AChainThatGoesToAndFroBetweenQueues() throws {
        let queues = (0..<3).map { _ in WorkQueue(maxConcurrentJobCount: 1) }
        let log = Log<Int>()
        var previous: Job?
        for number in 0..<300 {
            let job = Probe { _ in log.append(number) }
            if let previous { try job.addDependency(previous) }
            try queues[number % 3].addJob(job)
            previous = job
        }
        for queue in queues { assertDrained(queue) }
        XCTAssertEqual(log.values, Array(0..<300))
    }

    func testD6_ADependencyInNoQueueYet() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let dependency = Probe(), job = Probe()
        try job.addDependency(dependency)
        try queue.addJob(job)
        waitForEnd(of: queue.addJob {})
        XCTAssertEqual(job.phase, .waiting)
        XCTAssertFalse(job.isReady)
        try queue.addJob(dependency)
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testD6_ADependencyAddedToAnotherQueueRacesTheDependent() {
        let one = WorkQueue(maxConcurrentJobCount: Widths.raced(1)), two = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        race(
            rounds: Rounds.scaled(40_000), "two queues",
            prepare: { _ -> (dependency: Probe, job: Probe) in
                let dependency = Probe(), job = Probe()
                link(job, to: dependency)
                return (dependency, job)
            },
            { round in add(round.dependency, to: one) },
            { round in add(round.job, to: two) },
            check: { _, round in
                round.job.waitUntilFinished()
                XCTAssertEqual([round.dependency, round.job].map(\.runs.total), [1, 1])
            })
        assertDrained(one)
        assertDrained(two)
    }

    func testD6_ASuspendedQueueHoldsTheDependentsOfItsJobs() throws {
        let one = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), two = WorkQueue(maxConcurrentJobCount: 1)
        let dependency = Probe(), job = Probe()
        try job.addDependency(dependency)
        try one.addJob(dependency)
        try two.addJob(job)
        waitForEnd(of: two.addJob {})
        XCTAssertEqual(job.phase, .waiting)
        one.isSuspended = false
        assertDrained(two)
        assertDrained(one)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testD6_WaitingCostsNoThreadAndNoSlot() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 64)
        let never = Probe()
        let waiting = (0..<1_000).map { _ in Probe() }
        for job in waiting { try job.addDependency(never) }
        let before = threads()
        try queue.addJobs(waiting)
        waitForEnd(of: queue.addJob {})
        if let before, let after = threads() {
            XCTAssertLessThan(after - before, 16, "threads for a thousand waiting jobs")
        }
        // All slots are free for others.
        let meeting = Meeting(parties: 64)
        let met = Log<Bool>()
        for _ in 0..<64 { queue.addJob { met.append(meeting.meet()) } }
        eventually("only those that wait are left") { queue.jobCount == 1_000 }
        XCTAssertEqual(met.values, Array(repeating: true, count: 64))
        try queue.addJob(never)
        assertDrained(queue)
        XCTAssertTrue(waiting.allSatisfy { $0.runs.total == 1 })
    }

    func testD6_WaitingCostsNoProcessorTime() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 4)
        let never = Probe()
        let waiting = (0..<100).map { _ in Probe() }
        for job in waiting { try job.addDependency(never) }
        try queue.addJobs(waiting)
        waitForEnd(of: queue.addJob {})
        let used = processorTime {
            within { XCTAssertFalse(waiting[0].waitUntilFinished(timeout: .milliseconds(400))) }
        }
        // One spinning thread alone would have used 0.4 s.
        XCTAssertLessThan(used, 0.2)
        queue.cancelAllJobs()
        assertDrained(queue)
    }

    /// Nil where the system does not list them.
    private func threads() -> Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }
}
