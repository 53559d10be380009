// An edge that would close a ring is refused with the path and leaves no trace (D2, S40).
import WorkQueues
import XCTest

final class CycleTests: XCTestCase {
    func testS40_ASelfEdge() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = Probe()
        assertRing(assertRefused(.dependencyCycle) { try job.addDependency(job) }, of: job, to: job, length: 1)
        assertUntouched([job], edges: [[]], queue)
    }

    func testS40_ARingOfTwo() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let first = Probe(), second = Probe()
        try first.addDependency(second)
        assertRing(assertRefused(.dependencyCycle) { try second.addDependency(first) }, of: second, to: first, length: 2)
        assertUntouched([first, second], edges: [[second], []], queue)
    }

    func testS40_ARingOf3() throws {
        try assertRingRefused(count: 3)
    }

    func testS40_ARingOf50() throws {
        try assertRingRefused(count: 50)
    }

    func testS40_ARingThroughTwoQueues() throws {
        let one = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), two = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let jobs = (0..<4).map { _ in Probe() }
        for (number, job) in jobs.enumerated() {
            if number > 0 { try job.addDependency(jobs[number - 1]) }
            try (number % 2 == 0 ? one : two).addJob(job)
        }
        assertRing(assertRefused(.dependencyCycle) { try jobs[0].addDependency(jobs[3]) }, of: jobs[0], to: jobs[3], length: 4)
        XCTAssertEqual(jobs[0].dependencies, [])
        one.isSuspended = false
        two.isSuspended = false
        assertDrained(one)
        assertDrained(two)
        XCTAssertEqual(jobs.map(\.runs.total), [1, 1, 1, 1])
    }

    func testS40_ARingThroughAJobInNoQueue() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let first = Probe(), nowhere = Probe(), last = Probe()
        try nowhere.addDependency(first)
        try last.addDependency(nowhere)
        try queue.addJobs([first, last])
        assertRing(assertRefused(.dependencyCycle) { try first.addDependency(last) }, of: first, to: last, length: 3)
        queue.isSuspended = false
        try queue.addJob(nowhere)
        assertDrained(queue)
        XCTAssertEqual([first, nowhere, last].map(\.runs.total), [1, 1, 1])
    }

    func testS40_ADiamondIsFine() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let log = Log<String>()
        let top = Probe { _ in log.append("top") }, left = Probe { _ in log.append("side") }
        let right = Probe { _ in log.append("side") }, bottom = Probe { _ in log.append("bottom") }
        try left.addDependency(top)
        try right.addDependency(top)
        try bottom.addDependency(left)
        try bottom.addDependency(right)
        try bottom.addDependency(top)
        try queue.addJobs([bottom, right, left, top])
        assertDrained(queue)
        XCTAssertEqual(log.values, ["top", "side", "side", "bottom"])
    }

    func testS40_ARepeatedEdgeIsOneEdge() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = EventLog()
        queue.addObserver(log)
        let dependency = Probe(), job = Probe()
        try queue.addJob(job)
        for _ in 0..<3 { try job.addDependency(dependency) }
        XCTAssertEqual(job.dependencies, [dependency])
        job.removeDependency(dependency)
        XCTAssertEqual(job.dependencies, [])
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1, "one removal removes it")
        XCTAssertEqual(log.count(.dependencyAdded, of: job.id), 1)
        XCTAssertEqual(log.count(.dependencyRemoved, of: job.id), 1)
    }

    func testS40_ARepeatedEdgeIsMetOnce() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let dependency = Probe(), job = Probe()
        try job.addDependency(dependency)
        try job.addDependency(dependency)
        try queue.addJobs([job, dependency])
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testD2_TheRequirementMakesNoDifference() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let first = Probe(), second = Probe()
        try first.addDependency(second, requiring: .succeeded)
        let error = assertRefused(.dependencyCycle) { try second.addDependency(first, requiring: .succeeded) }
        assertRing(error, of: second, to: first, length: 2)
        assertUntouched([first, second], edges: [[second], []], queue)
    }

    func testD2_TheRefusedEdgeLeavesNoTrace() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = EventLog()
        queue.addObserver(log)
        let first = Probe(), second = Probe(), third = Probe()
        try queue.addJobs([first, second, third])
        try second.addDependency(first)
        try third.addDependency(second)
        eventually("ready") { first.phase == .ready }
        for _ in 0..<4 { assertRefused(.dependencyCycle) { try first.addDependency(third) } }
        XCTAssertEqual(first.phase, .ready)
        XCTAssertTrue(first.isReady)
        XCTAssertEqual(first.dependencies, [])
        // With the ring opened elsewhere the same edge is welcome.
        second.removeDependency(first)
        try first.addDependency(third)
        assertRing(assertRefused(.dependencyCycle) { try second.addDependency(first) }, of: second, to: first, length: 3)
        queue.isSuspended = false
        assertDrained(queue)
        let started = log.sequenced.filter { EventLog.name(of: $0) == .started }.compactMap(\.jobID)
        XCTAssertEqual(started, [second, third, first].map(\.id))
        XCTAssertEqual(log.count(.dependencyAdded, of: first.id), 1, "of five attempts one was taken")
    }

    func testD2_TheRefusedEdgeHoldsNobody() throws {
        let counters = Link.Counters()
        try ring(counters)
        eventually("freed") { counters.lives.current == 0 }
        XCTAssertEqual(counters.lives.total, 3)
    }

    func testD2_FinishedJobsCloseNoRing() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let first = Probe(), second = Probe()
        try second.addDependency(first)
        try queue.addJobs([first, second])
        assertDrained(queue)
        assertRefused(.alreadyFinished) { try first.addDependency(second) }
        let third = Probe()
        try third.addDependency(second)
        try third.addDependency(first)
        try queue.addJob(third)
        assertDrained(queue)
        XCTAssertEqual(third.runs.total, 1)
    }

    func testD2_EveryEdgeBackIntoARandomGraphIsRefused() throws {
        for seed in 0..<Rounds.scaled(200) {
            var generator = SeededGenerator(seed: UInt64(seed))
            let jobs = (0..<30).map { _ in Probe() }
            let order = jobs.shuffled(using: &generator)
            var reaches = [Set<Int>](repeating: [], count: 30)
            for number in 1..<30 {
                for _ in 0..<2 {
                    let dependency = Int.random(in: 0..<number, using: &generator)
                    try order[number].addDependency(order[dependency])
                    reaches[number].formUnion(reaches[dependency].union([dependency]))
                }
            }
            for number in 0..<30 {
                for dependency in reaches[number] {
                    let error = assertRefused(.dependencyCycle, "seed \(seed)") { try order[dependency].addDependency(order[number]) }
                    assertRing(error, of: order[dependency], to: order[number])
                }
            }
            let queue = WorkQueue(maxConcurrentJobCount: 2)
            try queue.addJobs(jobs)
            assertDrained(queue)
            XCTAssertTrue(jobs.allSatisfy { $0.runs.total == 1 })
        }
    }

    private func ring(_ counters: Link.Counters) throws {
        let jobs = (0..<3).map { _ in Link(counters) }
        try jobs[1].addDependency(jobs[0])
        try jobs[2].addDependency(jobs[1])
        assertRefused(.dependencyCycle) { try jobs[0].addDependency(jobs[2]) }
    }

    private func assertRingRefused(count: Int) throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let jobs = (0..<count).map { _ in Probe() }
        for number in 1..<count { try jobs[number].addDependency(jobs[number - 1]) }
        let error = assertRefused(.dependencyCycle) { try jobs[0].addDependency(jobs[count - 1]) }
        assertRing(error, of: jobs[0], to: jobs[count - 1], length: count)
        assertUntouched(jobs, edges: [[]] + jobs.dropLast().map { [$0] }, queue)
    }

    private func assertUntouched(_ jobs: [Probe], edges: [[Job]], _ queue: WorkQueue, line: UInt = #line) {
        XCTAssertEqual(jobs.map(\.dependencies), edges, line: line)
        XCTAssertTrue(jobs.allSatisfy { $0.phase == .created }, line: line)
        for job in jobs { add(job, to: queue, line: line) }
        assertDrained(queue, line: line)
        XCTAssertTrue(jobs.allSatisfy { $0.runs.total == 1 && hasSucceeded($0.outcome) }, line: line)
    }
}
