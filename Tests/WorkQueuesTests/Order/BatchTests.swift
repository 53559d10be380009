// A batch is atomic: no member starts before all are in (O3).
import WorkQueues
import XCTest

final class BatchTests: XCTestCase {
    func testO3_NoMemberStartsBeforeAllAreIn() throws {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        for _ in 0..<Rounds.scaled(1_000) {
            let batch = Guarded<[Job]>([])
            let jobs = (0..<50).map { _ in
                Probe { _ in XCTAssertFalse(batch.with { $0 }.contains { $0.phase == .created }) }
            }
            batch.set(jobs)
            try queue.addJobs(jobs)
            assertDrained(queue)
            batch.set([])
        }
    }

    func testO3_TheFirstToStartFindsAllMembersListed() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        for _ in 0..<Rounds.scaled(1_000) {
            let counts = Log<Int>()
            let jobs = (0..<50).map { _ in Probe { _ in counts.append(queue.jobCount) } }
            try queue.addJobs(jobs)
            assertDrained(queue)
            XCTAssertEqual(counts.values, Array((1...50).reversed()))
        }
    }

    func testO3_TheHighestOfABatchIsFirstWhereverItStands() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        for _ in 0..<Rounds.scaled(1_000) {
            let log = Log<Int>()
            let jobs = (0..<20).map { number in Probe { _ in log.append(number) } }
            jobs[19].queuePriority = .high
            try queue.addJobs(jobs)
            assertDrained(queue)
            XCTAssertEqual(log.values, [19] + Array(0..<19))
        }
    }

    func testO3_DependenciesMayStandInAnyOrder() throws {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(4))
        for seed in 0..<Rounds.scaled(500) {
            var generator = SeededGenerator(seed: UInt64(seed))
            let log = Log<Int>()
            let jobs = (0..<20).map { number in Probe { _ in log.append(number) } }
            for number in 1..<20 { try jobs[number].addDependency(jobs[number - 1]) }
            try queue.addJobs(jobs.shuffled(using: &generator))
            assertDrained(queue)
            XCTAssertEqual(log.values, Array(0..<20), "seed \(seed)")
        }
    }

    func testO3_AJobAddedByAnotherThreadStandsBeforeOrAfterTheWholeBatch() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        race(
            rounds: Rounds.scaled(5_000), "a batch against a single job",
            prepare: { _ in (batch: (0..<10).map { _ in Probe() }, single: Probe()) },
            { round in
                do { try queue.addJobs(round.batch) } catch { XCTFail("\(error)") }
            },
            { round in add(round.single, to: queue) },
            check: { _, round in
                let position = queue.jobs.firstIndex(of: round.single)
                XCTAssertTrue(position == 0 || position == 10, "at \(String(describing: position))")
                queue.cancelAllJobs()
                queue.waitUntilAllJobsAreFinished()
            })
    }

    func testO3_ABatchThatIsWaitedForIsAtomicToo() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let counts = Log<Int>()
        let jobs = (0..<50).map { _ in Probe { _ in counts.append(queue.jobCount) } }
        within { try queue.addJobs(jobs, waitUntilFinished: true) }
        XCTAssertTrue(jobs.allSatisfy(\.isFinished))
        XCTAssertEqual(counts.values, Array((1...50).reversed()))
    }

    func testO3_TheListKeepsTheOrderOfTheBatch() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let jobs = (0..<10).map { _ in Probe() }
        try queue.addJobs(jobs)
        XCTAssertEqual(queue.jobs, jobs)
        XCTAssertEqual(queue.jobCount, 10)
        queue.isSuspended = false
        assertDrained(queue)
    }
}
