// Section 5: the tutorial's operation under cancels that race its adding, its start, its callback and each other.
import Foundation
import WorkQueues
import XCTest

final class CancelledOperationRaceTests: XCTestCase {
    func testSection5_CancelRacingTheAdd() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(20_000), "cancel against add",
            prepare: { _ in Round() },
            [
                { (round: Round) in
                    // Refused when the cancel, which ends the operation, came first.
                    if let error = refusal({ try queue.addJob(round.operation) }) { XCTAssertEqual(error.code, .alreadyFinished) }
                },
                { (round: Round) in
                    dawdle(Int.random(in: 0..<2_000))
                    round.operation.cancel()
                },
            ],
            check: { number, round in round.check(number, mayHaveRun: true) })
        assertDrained(queue)
        XCTAssertEqual(queue.jobCount, 0)
    }

    func testSection5_CancelRacingTheCallback() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(20_000), "cancel against callback",
            prepare: { _ -> Round in
                let round = Round()
                add(round.operation, to: queue)
                return round
            },
            [
                { (round: Round) in
                    while !round.operation.isExecuting && !round.operation.isFinished { dawdle(10) }
                    round.operation.state = .finished
                },
                { (round: Round) in
                    dawdle(Int.random(in: 0..<2_000))
                    round.operation.cancel()
                },
            ],
            check: { number, round in round.check(number, mayHaveRun: true) })
        assertDrained(queue)
        XCTAssertEqual(queue.jobCount, 0)
    }

    func testSection5_CancelOfAllRacingASuspendedQueuesResume() {
        for number in 0..<Rounds.scaled(500) {
            let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(3), isSuspended: true), rounds = (0..<10).map { _ in Round() }
            XCTAssertNoThrow(try queue.addJobs(rounds.map(\.operation)))
            let done = Gate()
            onNewThread {
                dawdle(number % 37 * 100)
                queue.cancelAllJobs()
                done.open()
            }
            queue.isSuspended = false
            guard within(30, "in time", { done.wait() }), assertDrained(queue, 30) else { return }
            for round in rounds { round.check(number, mayHaveRun: true) }
        }
    }

    func testSection5_AHundredOperationsHalfOfThemCancelledAtRandomMoments() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(4)), rounds = (0..<Rounds.scaled(5_000)).map { _ in Round() }
        within(60) {
            var random = SeededGenerator(seed: 5)
            for round in rounds {
                try queue.addJob(round.operation)
                let operation = round.operation
                if Bool.random(using: &random) {
                    dawdle(Int.random(in: 0..<3_000, using: &random))
                    operation.cancel()
                } else {
                    DispatchQueue.global().async {
                        while !operation.isExecuting && !operation.isFinished { dawdle(50) }
                        operation.state = .finished
                    }
                }
            }
            queue.waitUntilAllJobsAreFinished()
        }
        for (number, round) in rounds.enumerated() { round.check(number, mayHaveRun: true) }
        XCTAssertEqual(queue.jobCount, 0)
    }
}

private final class Round: Sendable {
    let operation = LockedOperation()
    private let completions = Meter()

    init() {
        let completions = completions
        operation.addCompletion { _ in completions.enter() }
    }

    func check(_ number: Int, mayHaveRun: Bool) {
        XCTAssertTrue(operation.waitUntilFinished(timeout: .seconds(30)), "round \(number)")
        XCTAssertEqual(operation.phase, .finished, "round \(number)")
        XCTAssertEqual(completions.total, 1, "round \(number)")
        XCTAssertLessThanOrEqual(operation.bodies.total, mayHaveRun ? 1 : 0, "round \(number)")
        XCTAssertTrue(operation.isFinished && !operation.isExecuting)
        if operation.isCancelled { XCTAssertFalse(operation.bodies.total == 0 && hasSucceeded(operation.outcome)) }
    }
}
