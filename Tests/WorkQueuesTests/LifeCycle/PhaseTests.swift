// One job runs once, and its phase only moves forward (L1).
import WorkQueues
import XCTest

final class PhaseTests: XCTestCase {
    /// An override may call the base too often; the body runs once all the same.
    private final class Eager: Job, @unchecked Sendable {
        // Unchecked, as the superclass: all stored properties are constants.
        let runs = Meter()

        override func start() {
            super.start()
            super.start()
        }

        override func main() {
            runs.enter()
            runs.leave()
        }
    }

    func testL1_ASecondStartAfterTheBodyIsReportedAndRunsNothing() throws {
        let misuse = MisuseLog()
        defer { misuse.restore() }
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Eager()
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
        XCTAssertTrue(hasSucceeded(job.outcome))
        XCTAssertEqual(misuse.messages.count, 1, "\(misuse.messages)")
    }

    func testL1_OneJobRunsOnce() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 4)
        let job = Probe()
        let completions = Meter()
        job.addCompletion { _ in completions.enter() }
        try queue.addJob(job)
        assertDrained(queue)
        assertRefused(.alreadyFinished) { try queue.addJob(job) }
        MisuseLog.capturing { _ in job.start() }
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
        XCTAssertEqual(completions.total, 1)
    }

    func testL1_AJobThatIsInAQueueIsNotTakenASecondTime() throws {
        let gate = Gate()
        let queue = WorkQueue(maxConcurrentJobCount: 4)
        let other = WorkQueue(maxConcurrentJobCount: 4)
        let job = Probe { _ in gate.wait() }
        try queue.addJob(job)
        assertRefused(.alreadyAdded) { try queue.addJob(job) }
        assertRefused(.alreadyAdded) { try other.addJob(job) }
        gate.open()
        assertDrained(queue)
        assertDrained(other)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testL1_ThePhasesAreWalkedInOrder() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let never = Probe()
        let seen = Log<Job.Phase>()
        let job = Probe { seen.append($0.phase) }
        job.addCompletion { _ in seen.append(job.phase) }
        XCTAssertEqual(job.phase, .created)
        try job.addDependency(never)
        XCTAssertEqual(job.phase, .created)
        try queue.addJob(job)
        XCTAssertEqual(job.phase, .waiting)
        job.removeDependency(never)
        eventually("ready without its edge") { job.phase == .ready }
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(job.phase, .finished)
        XCTAssertEqual(seen.values, [.executing, .finished])
    }

    func testL1_EachTransitionIsSeenOnceAndInOrder() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let log = EventLog()
        queue.addObserver(log)
        let jobs = (0..<200).map { _ in Probe() }
        for job in jobs { try queue.addJob(job) }
        assertDrained(queue)
        for job in jobs {
            XCTAssertEqual(log.names(of: job.id), [.added, .ready, .started, .finished])
        }
    }

    func testL1_AReadyJobWaitsAgainWhenAnEdgeIsAddedInTime() throws {
        let gate = Gate()
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
        let dependency = Probe { _ in gate.wait() }
        let job = Probe { _ in XCTAssertTrue(dependency.isFinished) }
        try queue.addJob(job)
        eventually("ready") { job.phase == .ready }
        try job.addDependency(dependency)
        XCTAssertEqual(job.phase, .waiting)
        XCTAssertFalse(job.isReady)
        try queue.addJob(dependency)
        queue.isSuspended = false
        eventually("the dependency runs") { dependency.phase == .executing }
        XCTAssertEqual(job.phase, .waiting)
        gate.open()
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testL1_ACancelledJobSkipsForwardToItsEnd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let waiting = Probe()
        try waiting.addDependency(Probe())
        let ready = Probe()
        try queue.addJobs([waiting, ready])
        XCTAssertEqual(waiting.phase, .waiting)
        for job in [waiting, ready] {
            job.cancel()
            waitForEnd(of: job)
            XCTAssertEqual(job.phase, .finished)
            XCTAssertEqual(job.runs.total, 0)
        }
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(waiting.phase, .finished)
        XCTAssertEqual(ready.phase, .finished)
    }

    func testL1_NoPhaseGoesBackWhileThreadsLookOn() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let jobs = (0..<Rounds.scaled(2_000)).map { _ in Probe() }
        for (index, job) in jobs.enumerated() where index >= 3 {
            try job.addDependency(jobs[index - 3])
        }
        let added = Gate()
        let watch = Guarded(0)
        within(60, "the jobs run") {
            let watcher = WorkQueue(maxConcurrentJobCount: 1)
            watcher.addJob {
                var ranks = [Int](repeating: 0, count: jobs.count)
                var isLastLook = false
                repeat {
                    isLastLook = added.isOpen && queue.jobCount == 0
                    for (index, job) in jobs.enumerated() {
                        let rank = PhaseTests.rank(job.phase)
                        if rank < ranks[index] { watch.with { $0 += 1 } }
                        ranks[index] = rank
                    }
                } while !isLastLook
            }
            for (index, job) in jobs.enumerated() {
                try queue.addJob(job)
                if index % 5 == 4 { jobs[index - 2].cancel() }
            }
            added.open()
            watcher.waitUntilAllJobsAreFinished()
        }
        XCTAssertEqual(watch.current, 0, "phases that went back")
        assertDrained(queue)
    }

    /// Closed on purpose: the five phases are a promise.
    private static func rank(_ phase: Job.Phase) -> Int {
        switch phase {
        case .created: 0
        case .waiting: 1
        case .ready: 2
        case .executing: 3
        case .finished: 4
        }
    }
}
