// Of several threads that close a ring together, exactly one is refused (D2).
import WorkQueues
import XCTest

final class CycleRaceTests: XCTestCase {
    private struct Ring: Sendable {
        let jobs: [Probe]
        let refusals = Log<JobError>()

        init(_ count: Int) {
            jobs = (0..<count).map { _ in Probe() }
        }

        /// The edge from one job of the ring to the next.
        func close(_ number: Int) {
            do {
                try jobs[number].addDependency(jobs[(number + 1) % jobs.count])
            } catch {
                refusals.append(error)
            }
        }
    }

    func testD2_TwoThreadsThatCloseARingOfTwo() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(50_000), "a ring of two", prepare: { _ in Ring(2) },
            { $0.close(0) }, { $0.close(1) },
            check: { _, ring in CycleRaceTests.assertOneRefused(ring, queue) })
        assertDrained(queue)
    }

    func testD2_ThreeThreadsThatCloseARingOfThree() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(20_000), "a ring of three", prepare: { _ in Ring(3) },
            { $0.close(0) }, { $0.close(1) }, { $0.close(2) },
            check: { _, ring in CycleRaceTests.assertOneRefused(ring, queue) })
        assertDrained(queue)
    }

    func testD2_ThreadsThatCloseAWideRingTogether() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(2_000), "a ring of thirty", prepare: { _ in Ring(30) },
            { ring in for number in stride(from: 0, to: 30, by: 3) { ring.close(number) } },
            { ring in for number in stride(from: 1, to: 30, by: 3) { ring.close(number) } },
            { ring in for number in stride(from: 2, to: 30, by: 3).reversed() { ring.close(number) } },
            check: { _, ring in CycleRaceTests.assertOneRefused(ring, queue) })
        assertDrained(queue)
    }

    func testD2_ARingClosedWhileItsJobsAreBeingAdded() {
        let one = WorkQueue(maxConcurrentJobCount: Widths.raced(1)), two = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        race(
            rounds: Rounds.scaled(10_000), "a ring against adds", prepare: { _ in Ring(2) },
            { ring in
                ring.close(0)
                add(ring.jobs[0], to: one)
            },
            { ring in
                ring.close(1)
                add(ring.jobs[1], to: two)
            },
            check: { _, ring in
                for job in ring.jobs { job.waitUntilFinished() }
                XCTAssertEqual(ring.jobs.map(\.runs.total), [1, 1])
                // Or the other job had ended already, and then there was no ring.
                XCTAssertLessThanOrEqual(ring.refusals.count, 1)
            })
        assertDrained(one)
        assertDrained(two)
    }

    func testD2_RandomEdgesOfManyThreadsNeverCloseARing() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        let attempt: @Sendable (UInt64) -> @Sendable ((round: Int, jobs: [Probe])) -> Void = { thread in
            { state in
                var generator = SeededGenerator(seed: UInt64(state.round) &* 3 &+ thread)
                for _ in 0..<60 {
                    let first = Int.random(in: 0..<20, using: &generator), second = Int.random(in: 0..<20, using: &generator)
                    link(state.jobs[first], to: state.jobs[second], unless: .dependencyCycle)
                }
            }
        }
        // A ring that slipped through would hang the queue for ever.
        race(
            rounds: Rounds.scaled(2_000), "random edges", prepare: { round in (round: round, jobs: (0..<20).map { _ in Probe() }) },
            attempt(0), attempt(1), attempt(2),
            check: { round, state in
                for job in state.jobs { add(job, to: queue) }
                XCTAssertTrue(queue.waitUntilAllJobsAreFinished(timeout: .seconds(30)), "a ring in round \(round)")
                XCTAssertTrue(state.jobs.allSatisfy { $0.runs.total == 1 })
            })
        assertDrained(queue)
    }

    private static func assertOneRefused(_ ring: Ring, _ queue: WorkQueue) {
        let refusals = ring.refusals.values
        XCTAssertEqual(refusals.count, 1)
        guard let error = refusals.first, let job = error.cyclePath.first, let number = ring.jobs.firstIndex(where: { $0 === job }) else {
            return XCTFail("no path")
        }
        assertRing(error, of: job, to: ring.jobs[(number + 1) % ring.jobs.count], length: ring.jobs.count)
        do { try queue.addJobs(ring.jobs) } catch { XCTFail("\(error)") }
        for job in ring.jobs { job.waitUntilFinished() }
        XCTAssertTrue(ring.jobs.allSatisfy { $0.runs.total == 1 })
    }
}
