// Ready jobs start by priority, and within one by the time of being added (O2).
import WorkQueues
import XCTest

final class StartOrderTests: XCTestCase {
    private static let priorities: [Job.QueuePriority] = [.veryLow, .low, .normal, .high, .veryHigh]

    func testS58_ABatchOfAllPrioritiesRunsHighestFirst() throws {
        for _ in 0..<Rounds.scaled(1_000) {
            let queue = WorkQueue(maxConcurrentJobCount: 1)
            let log = Log<Job.QueuePriority>()
            try queue.addJobs(StartOrderTests.priorities.map { StartOrderTests.job($0, log) })
            assertDrained(queue)
            XCTAssertEqual(log.values, [.veryHigh, .high, .normal, .low, .veryLow])
        }
    }

    func testS58_OneByOneOnASuspendedQueueHighestFirst() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        for round in 0..<Rounds.scaled(1_000) {
            let log = Log<Job.QueuePriority>()
            var generator = SeededGenerator(seed: UInt64(round))
            for priority in StartOrderTests.priorities.shuffled(using: &generator) {
                try queue.addJob(StartOrderTests.job(priority, log))
            }
            queue.isSuspended = false
            assertDrained(queue)
            XCTAssertEqual(log.values, [.veryHigh, .high, .normal, .low, .veryLow], "seed \(round)")
            queue.isSuspended = true
        }
    }

    func testS58_ClosuresTakeTheirPriorityToo() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = Log<Int>()
        for (number, priority) in StartOrderTests.priorities.enumerated() {
            queue.addJob(priority: priority) { log.append(number) }
        }
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(log.values, [4, 3, 2, 1, 0])
    }

    func testS59_ByPriorityAndThenInTheOrderAdded() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = Log<Int>()
        var generator = SeededGenerator(seed: 59)
        var jobs: [Job] = []
        for number in 0..<2_000 {
            let job = Probe { _ in log.append(number) }
            if number >= 1_000 { job.queuePriority = StartOrderTests.priorities.randomElement(using: &generator) ?? .normal }
            jobs.append(job)
            try queue.addJob(job)
        }
        var cancelled: Set<Int> = []
        for number in stride(from: 150, to: 1_900, by: 7) {
            jobs[number].cancel()
            cancelled.insert(number)
        }
        queue.isSuspended = false
        assertDrained(queue)
        let expected = StartOrderTests.priorities.reversed().flatMap { priority in
            jobs.indices.filter { jobs[$0].queuePriority == priority && !cancelled.contains($0) }
        }
        XCTAssertEqual(log.values, expected)
    }

    func testS60_ARaiseAndALoweringWhileWaitingCount() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let gate = Gate(), begun = Gate()
        queue.addJob {
            begun.open()
            gate.wait()
        }
        begun.wait()
        let log = Log<Int>()
        let jobs = (0..<100).map { number in
            let job = Probe { _ in log.append(number) }
            job.queuePriority = .low
            return job
        }
        for job in jobs { try queue.addJob(job) }
        jobs[99].queuePriority = .veryHigh
        jobs[40].queuePriority = .veryLow
        XCTAssertEqual(jobs[99].queuePriority, .veryHigh)
        gate.open()
        assertDrained(queue)
        XCTAssertEqual(log.values, [99] + (0..<99).filter { $0 != 40 } + [40])
    }

    func testS60_ARaiseWhileWaitingForAnEdgeCountsWhenItBecomesReady() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let log = Log<Int>()
        let root = HeldJob()
        let jobs = (0..<20).map { number in Probe { _ in log.append(number) } }
        for job in jobs { try job.addDependency(root) }
        try queue.addJobs([root] + jobs)
        root.begun.wait()
        jobs[17].queuePriority = .high
        jobs[3].queuePriority = .low
        root.finish()
        assertDrained(queue)
        XCTAssertEqual(log.values, [17] + (0..<20).filter { $0 != 17 && $0 != 3 } + [3])
    }

    func testS60_APriorityChangedInNoQueueCounts() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = Log<Int>()
        let jobs = (0..<3).map { number in Probe { _ in log.append(number) } }
        XCTAssertEqual(jobs[0].queuePriority, .normal)
        jobs[2].queuePriority = .veryHigh
        jobs[0].queuePriority = .veryLow
        try queue.addJobs(jobs)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(log.values, [2, 1, 0])
    }

    func testO2_AChangedPriorityPutsAJobAtItsPlaceByTheTimeOfAdding() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = Log<Int>()
        let jobs = (0..<6).map { number in Probe { _ in log.append(number) } }
        for number in [1, 3, 5] { jobs[number].queuePriority = .high }
        try queue.addJobs(jobs)
        // Raised last, added first of the high ones; and there and back again keeps the place.
        jobs[0].queuePriority = .high
        jobs[3].queuePriority = .low
        jobs[3].queuePriority = .high
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(log.values, [0, 1, 3, 5, 2, 4])
    }

    func testO2_FirstInFirstOutAtWidth1() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let log = Log<Int>()
        for number in 0..<2_000 {
            try queue.addJob(Probe { _ in log.append(number) })
        }
        assertDrained(queue)
        XCTAssertEqual(log.values, Array(0..<2_000))
    }

    func testO2_StartsKeepTheOrderAtAnyWidth() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 3, isSuspended: true)
        let log = EventLog()
        queue.addObserver(log)
        let jobs = (0..<500).map { _ in Probe() }
        for (number, job) in jobs.enumerated() where number % 10 == 9 { job.queuePriority = .high }
        try queue.addJobs(jobs)
        queue.isSuspended = false
        assertDrained(queue)
        let started = log.sequenced.filter { EventLog.name(of: $0) == .started }.compactMap(\.jobID)
        let expected = jobs.filter { $0.queuePriority == .high } + jobs.filter { $0.queuePriority == .normal }
        XCTAssertEqual(started, expected.map(\.id))
    }

    private static func job(_ priority: Job.QueuePriority, _ log: Log<Job.QueuePriority>) -> Job {
        let job = Probe { log.append($0.queuePriority) }
        job.queuePriority = priority
        return job
    }
}
