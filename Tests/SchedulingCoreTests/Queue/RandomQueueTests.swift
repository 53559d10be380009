// Large worlds, sampled: each is told by a seed, and one seed is new in each run.

import SchedulingCore
import XCTest

final class RandomQueueTests: XCTestCase {
    private func run(_ seeds: [UInt64], jobs: Int, room: Int, barrierShare: Double = 0.05, askedShare: Double = 0.2) {
        for seed in seeds {
            var random = RandomWorld(seed: seed, room: room, barrierShare: barrierShare, askedShare: askedShare)
            do throws(Disagreement) {
                try random.run(jobs: jobs)
            } catch {
                return XCTFail("seed \(seed): \(error)")
            }
        }
    }

    func testTwoHundredJobsOfAllKinds() {
        run(seeds(1, 2, 3, 4), jobs: 200, room: 60)
    }

    func testTwoHundredJobsWithManyBarriers() {
        run(seeds(11, 12, 13, 14), jobs: 200, room: 60, barrierShare: 0.4)
    }

    func testTwoHundredJobsThatAreAllAsked() {
        run(seeds(21, 22, 23), jobs: 200, room: 40, askedShare: 1)
    }

    func testTwoHundredJobsInOneBurst() {
        run(seeds(31, 32), jobs: 200, room: 200, barrierShare: 0.02)
    }

    /// Small worlds with long histories: records and gaps are used again and again.
    func testManyWorldsWithRoomForFive() {
        run(seeds(41) + Array(42...60), jobs: 60, room: 5, barrierShare: 0.2, askedShare: 0.3)
    }
}
