// Ends that race each other are still one end (L3).
import WorkQueues
import XCTest

final class OneEndRaceTests: XCTestCase {
    private struct Round: Sendable {
        let job: HeldJob
        let completions: Meter
    }

    private struct Claim: Sendable {
        let job = Probe()
        let completions = Meter()
    }

    func testL3_FinishesOfSeveralThreadsAreOneEnd() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        let finish: @Sendable (Int) -> @Sendable (Round) -> Void = { number in
            { $0.job.finish(throwing: Trouble(number)) }
        }
        race(
            rounds: Rounds.scaled(20_000), "finish against finish", prepare: running(in: queue), finish(1), finish(2), finish(3),
            check: { _, round in
                round.job.waitUntilFinished()
                let first = trouble(round.job.outcome)
                XCTAssertNotNil(first)
                XCTAssertEqual(round.completions.total, 1)
                round.job.finish()
                XCTAssertEqual(trouble(round.job.outcome), first)
            })
        assertDrained(queue)
    }

    func testL3_OfAFinishAndACancelTheFirstWins() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(40_000), "finish against cancel", prepare: running(in: queue),
            { $0.job.finish() }, { $0.job.cancel() },
            check: { _, round in
                round.job.waitUntilFinished()
                XCTAssertEqual(round.completions.total, 1)
                if round.job.isCancelled {
                    XCTAssertEqual(cancellation(round.job.outcome), .requested)
                } else {
                    XCTAssertTrue(hasSucceeded(round.job.outcome))
                    XCTAssertNil(round.job.cancellationReason)
                }
            })
        assertDrained(queue)
    }

    func testL3_ACancelThatRacesTheStartIsOneEnd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        race(
            rounds: Rounds.scaled(40_000), "cancel against start",
            prepare: { _ -> Claim in
                let claim = Claim()
                claim.job.addCompletion { _ in claim.completions.enter() }
                return claim
            },
            { claim in add(claim.job, to: queue) },
            { claim in claim.job.cancel() },
            check: { _, claim in
                claim.job.waitUntilFinished()
                XCTAssertEqual(claim.completions.total, 1)
                XCTAssertLessThanOrEqual(claim.job.runs.total, 1)
                if claim.job.isCancelled {
                    XCTAssertNotNil(cancellation(claim.job.outcome))
                } else {
                    XCTAssertTrue(hasSucceeded(claim.job.outcome))
                    XCTAssertEqual(claim.job.runs.total, 1)
                }
            })
        assertDrained(queue)
    }

    func testL3_SlotsSurviveRacingEnds() {
        let width = Widths.raced(2)
        let queue = WorkQueue(maxConcurrentJobCount: width)
        race(
            rounds: Rounds.scaled(20_000), "three ends at once", prepare: running(in: queue),
            { $0.job.finish() }, { $0.job.cancel() }, { $0.job.state = .finished }
        )
        assertDrained(queue)
        let meeting = Meeting(parties: width)
        let inside = Meter()
        for _ in 0..<10 * width {
            queue.addJob {
                inside.enter()
                XCTAssertTrue(meeting.meet())
                inside.leave()
            }
        }
        assertDrained(queue)
        XCTAssertEqual(inside.peak, width)
    }

    private func running(in queue: WorkQueue) -> @Sendable (Int) -> Round {
        { _ in
            let round = Round(job: HeldJob(), completions: Meter())
            round.job.addCompletion { _ in round.completions.enter() }
            add(round.job, to: queue)
            round.job.begun.wait()
            return round
        }
    }
}
