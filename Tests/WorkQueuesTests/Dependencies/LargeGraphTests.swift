// Large graphs are built in near linear time, and a closing edge is refused within a second (D2, S39).
import WorkQueues
import XCTest

final class LargeGraphTests: XCTestCase {
    private static let length = 100_000

    func testS39_AChainAndItsClosingEdge() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let counters = Link.Counters()
        let jobs = (0..<LargeGraphTests.length).map { _ in Link(counters) }
        for number in 1..<jobs.count { try jobs[number].addDependency(jobs[number - 1]) }
        try assertRefusedWithinASecond(jobs[0], jobs[jobs.count - 1], length: jobs.count)
        try queue.addJobs(jobs)
        assertDrained(queue)
        XCTAssertEqual(counters.runs.total, jobs.count)
    }

    func testS39_AChainBuiltTheOtherWayAndItsClosingEdge() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let counters = Link.Counters()
        let jobs = (0..<LargeGraphTests.length).map { _ in Link(counters) }
        for number in 1..<jobs.count { try jobs[number - 1].addDependency(jobs[number]) }
        try assertRefusedWithinASecond(jobs[jobs.count - 1], jobs[0], length: jobs.count)
        try queue.addJobs(jobs)
        assertDrained(queue)
        XCTAssertEqual(counters.runs.total, jobs.count)
    }

    func testS39_LayersFullyJoinedAndTheirClosingEdge() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let layers = (0..<60).map { _ in (0..<20).map { _ in Probe { XCTAssertTrue($0.dependencies.allSatisfy(\.isFinished)) } } }
        for number in 1..<60 {
            for job in layers[number] {
                for dependency in layers[number - 1] { try job.addDependency(dependency) }
            }
        }
        try assertRefusedWithinASecond(layers[0][7], layers[59][13], length: 60)
        try queue.addJobs(layers.flatMap { $0 })
        assertDrained(queue)
        XCTAssertTrue(layers.allSatisfy { $0.allSatisfy { $0.runs.total == 1 } })
    }

    func testS39_LayersBuiltFromTheLastOn() throws {
        let layers = (0..<60).map { _ in (0..<20).map { _ in Probe() } }
        for number in (1..<60).reversed() {
            for job in layers[number].reversed() {
                for dependency in layers[number - 1] { try job.addDependency(dependency) }
            }
        }
        try assertRefusedWithinASecond(layers[0][0], layers[59][0], length: 60)
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        try queue.addJobs(layers.reversed().flatMap { $0 })
        assertDrained(queue)
        XCTAssertTrue(layers.allSatisfy { $0.allSatisfy { $0.runs.total == 1 } })
    }

    func testS39_BuildingAChainIsNearLinearEitherWay() {
        for forwards in [true, false] {
            assertScales("building a chain", from: Rounds.scaled(20_000)) { count in
                let counters = Link.Counters()
                let jobs = (0..<count).map { _ in Link(counters) }
                return ContinuousClock().measure {
                    for number in 1..<count {
                        if forwards {
                            link(jobs[number], to: jobs[number - 1])
                        } else {
                            link(jobs[number - 1], to: jobs[number])
                        }
                    }
                }
            }
        }
    }

    func testS39_BuildingAFanOutAndInIsNearLinear() {
        assertScales("building a fan", from: Rounds.scaled(20_000)) { count in
            let counters = Link.Counters()
            let root = Link(counters), end = Link(counters)
            let jobs = (0..<count).map { _ in Link(counters) }
            return ContinuousClock().measure {
                for job in jobs {
                    link(job, to: root)
                    link(end, to: job)
                }
            }
        }
    }

    func testS39_RunningAChainIsNearLinear() {
        assertScales("running a chain", from: Rounds.scaled(10_000)) { count in
            let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
            let counters = Link.Counters()
            var previous: Link?
            for _ in 0..<count {
                let job = Link(counters)
                if let previous { link(job, to: previous) }
                add(job, to: queue)
                previous = job
            }
            return ContinuousClock().measure {
                queue.isSuspended = false
                assertDrained(queue)
                XCTAssertEqual(counters.runs.total, count)
            }
        }
    }

    func testD2_ManyRefusalsInALargeGraphLeaveItAsItWas() throws {
        let counters = Link.Counters()
        let jobs = (0..<2_000).map { _ in Link(counters) }
        for number in 1..<jobs.count { try jobs[number].addDependency(jobs[number - 1]) }
        var generator = SeededGenerator(seed: 39)
        for _ in 0..<200 {
            let first = Int.random(in: 0..<1_000, using: &generator), second = Int.random(in: 1_000..<2_000, using: &generator)
            assertRefused(.dependencyCycle) { try jobs[first].addDependency(jobs[second]) }
        }
        XCTAssertTrue(jobs.indices.dropFirst().allSatisfy { jobs[$0].dependencies == [jobs[$0 - 1]] })
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        try queue.addJobs(jobs)
        assertDrained(queue)
        XCTAssertEqual(counters.runs.total, jobs.count)
    }

    private func assertRefusedWithinASecond(_ job: Job, _ dependency: Job, length: Int, line: UInt = #line) throws {
        let before = job.dependencies
        var error: JobError?
        let time = ContinuousClock().measure {
            error = assertRefused(.dependencyCycle, line: line) { try job.addDependency(dependency) }
        }
        XCTAssertLessThan(time, .seconds(1), line: line)
        assertRing(error, of: job, to: dependency, length: length, line: line)
        XCTAssertEqual(job.dependencies, before, "no trace", line: line)
    }
}
