// Thousands of random worlds, step by step beside the reference scheduler.
import Foundation
import WorkQueues
import WorkQueuesTesting
import XCTest

final class RandomWorldTests: XCTestCase {
    private static let environment = ProcessInfo.processInfo.environment
    /// 1 runs as many worlds as the tests name.
    private static let stress = environment["WORKQUEUES_STRESS"].flatMap(Double.init) ?? 0.2

    /// `WORKQUEUES_WORLD=SEED:JOBS`, as a failure prints it, runs that world alone.
    func testTheWorldThatIsAskedFor() throws {
        guard let name = Self.environment["WORKQUEUES_WORLD"] else { throw XCTSkip("WORKQUEUES_WORLD names no world") }
        let parts = name.split(separator: ":")
        let seed = try XCTUnwrap(parts.first.flatMap { UInt64($0) }, "\(name) is no world: SEED:JOBS")
        check(seed: seed, jobCount: parts.count > 1 ? Int(parts[1]) ?? 8 : 8)
    }

    func testWorldsOfAFewJobs() { checkWorlds(10_000, jobs: 1...8) }
    func testWorldsOfSomeJobs() { checkWorlds(400, jobs: 9...40) }
    func testWorldsOfTwoHundredJobs() { checkWorlds(10, jobs: 150...200) }

    /// Fixed seeds, so that a run can be compared with the one before; who asks for a share of his own gets as many new ones again.
    private func checkWorlds(_ count: Int, jobs: ClosedRange<Int>) {
        if Self.environment["WORKQUEUES_WORLD"] != nil { return }
        let share = max(1, UInt64(Double(count) * Self.stress / 2))
        var seeds = Array(1...share)
        if Self.environment["WORKQUEUES_STRESS"] != nil {
            let fresh = UInt64.random(in: 1 << 20..<1 << 40)
            print("worlds of \(jobs) jobs: the new seeds begin with \(fresh)")
            seeds += fresh..<fresh + share
        }
        for seed in seeds {
            if !check(seed: seed, jobCount: jobs.lowerBound + Int(seed % UInt64(jobs.count))) { return }
        }
    }

    @discardableResult
    private func check(seed: UInt64, jobCount: Int) -> Bool {
        let plan = WorldPlan(seed: seed, jobCount: jobCount)
        let complaints = World(plan).run()
        if complaints.isEmpty { return true }
        let small = Self.shrunk(plan)
        let world = World(small, keepsJournal: true)
        let again = world.run()
        XCTFail(
            """
            WORKQUEUES_WORLD=\(seed):\(jobCount): \(complaints.prefix(3).joined(separator: "; "))
            The smallest plan that fails has size \(small.size) of \(plan.size), queues \(small.queues).
            It fails in step \(world.steps) with:
            \(again.joined(separator: "\n"))
            \((world.journal ?? []).suffix(80).joined(separator: "\n"))
            \(world.harness.recorder.diagram)
            """)
        return false
    }

    /// Leaves out of the plan whatever it fails without, for ten seconds at most.
    private static func shrunk(_ plan: WorldPlan) -> WorldPlan {
        var plan = plan
        let limit = ContinuousClock.now.advanced(by: .seconds(10))
        var goesOn = true
        while goesOn && ContinuousClock.now < limit {
            goesOn = false
            for smaller in plan.smallerPlans where smaller.size < plan.size {
                if ContinuousClock.now > limit { break }
                if World(smaller).run().isEmpty { continue }
                plan = smaller
                goesOn = true
                break
            }
        }
        return plan
    }
}
