// Deliberate differences in cost: shapes that are quadratic in Foundation, and blocking jobs that it gives no threads.
import Foundation
import WorkQueues
import XCTest

final class SpeedDifferenceTests: XCTestCase {
    // Foundation is quadratic, so this says little of what is gained at 20,000; it keeps the test short, and ours is built without optimisation.
    private static let count = 8_000

    func testD5_ALongChainIsDoneSooner() {
        let foundation = seconds(for: .foundation, jobs: Self.count, Self.chain)
        let workQueues = seconds(for: .workQueues, jobs: Self.count, Self.chain)
        guard isFoundationOfLinux else { return }
        XCTAssertLessThan(workQueues, foundation, "seconds")
    }

    func testS12_AWideFanIsDoneSooner() {
        let foundation = seconds(for: .foundation, jobs: Self.count, Self.fan)
        let workQueues = seconds(for: .workQueues, jobs: Self.count, Self.fan)
        guard isFoundationOfLinux else { return }
        XCTAssertLessThan(workQueues, foundation, "seconds")
    }

    func testW2_SixtyFourBlockingJobsMeetWithinHalfASecondWhereFoundationLacksThreads() throws {
        if ProcessInfo.processInfo.activeProcessorCount <= 16 { assertFoundationHangs("meeting", within: 2) }
        let meter = Meter()
        let met = Gate()
        let took = Guarded(0.0)
        within {
            let queue = WorkQueue(maxConcurrentJobCount: 64)
            let begin = ContinuousClock.now
            for _ in 0..<64 {
                queue.addJob {
                    meter.enter()
                    if meter.total == 64 {
                        took.set((ContinuousClock.now - begin) / .seconds(1))
                        met.open()
                    }
                    met.wait()
                    meter.leave()
                }
            }
            queue.waitUntilAllJobsAreFinished()
        }
        XCTAssertEqual(meter.peak, 64)
        XCTAssertLessThanOrEqual(took.current, 0.5)
    }

    /// Building is left out on both sides: what grows in Foundation is running.
    private func seconds(for side: Side, jobs: Int, _ connect: @escaping @Sendable ([any ParityJob]) -> Void) -> Double {
        let took = Guarded(0.0)
        within(120, "\(jobs) jobs on \(side)") {
            let meter = Meter()
            let all = side.jobs(jobs) { _ in meter.enter() }
            connect(all)
            let queue = side.queue(width: 2)
            let begin = ContinuousClock.now
            queue.add(all, waiting: true)
            took.set((ContinuousClock.now - begin) / .seconds(1))
            XCTAssertEqual(meter.total, jobs, "\(side)")
        }
        return took.current
    }

    @Sendable private static func chain(_ jobs: [any ParityJob]) {
        for (job, next) in zip(jobs, jobs.dropFirst()) { next.depend(on: job) }
    }

    /// The first opens, the last closes, all between them are side by side.
    @Sendable private static func fan(_ jobs: [any ParityJob]) {
        guard let first = jobs.first, let last = jobs.last else { return }
        for job in jobs.dropFirst().dropLast() {
            job.depend(on: first)
            last.depend(on: job)
        }
    }
}
