// A cancel that comes while the job's producer is between accepting it and pushing it (C2).
import WorkQueues
import XCTest

final class CancelWhileAddingRaceTests: XCTestCase {
    private struct Round: Sendable {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let jobs: [Job]
    }

    /// The more jobs a batch has, the later it is pushed; the canceller begins when its first job is accepted. So the rounds try every
    /// distance between the two.
    func testC2_RaceOfACancelAndTheBatchThatBringsTheJob() {
        race(
            rounds: Rounds.scaled(100_000), within: 4 * patience, "a cancelled job of a suspended queue",
            prepare: { round in Round(jobs: (0..<(1 + round % 8)).map { _ in Job() }) },
            { round in
                do { try round.queue.addJobs(round.jobs) } catch { XCTFail("a new batch was refused: \(error)") }
            },
            { round in
                while round.jobs[0].phase == .created {}
                round.jobs[0].cancel()
            },
            check: { number, round in
                // Nobody may ask the queue anything before that: it would look into its intake, where the job may lie forgotten.
                XCTAssertTrue(round.jobs[0].waitUntilFinished(timeout: .seconds(patience)), "round \(number)")
                XCTAssertEqual(cancellation(round.jobs[0].outcome), .requested)
            })
    }
}
