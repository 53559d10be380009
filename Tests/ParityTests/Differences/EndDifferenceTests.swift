// Deliberate differences at the end of a job: completions, and what a finished job still holds.
import Foundation
import WorkQueues
import XCTest

final class EndDifferenceTests: XCTestCase {
    func testO1_ACompletionRunsBeforeItsDependentsWhereFoundationOverlapsThem() {
        onBothSides { side in
            let a = side.job()
            let dependent = side.job()
            dependent.depend(on: a)
            XCTAssertEqual(Self.isOvertaken(a, by: dependent, on: side, width: 4), side == .foundation, "\(side)")
        }
    }

    func testO1_AtWidthOneACompletionRunsBeforeTheNextJobWhereFoundationOverlapsThem() {
        onBothSides { side in
            XCTAssertEqual(Self.isOvertaken(side.job(), by: side.job(), on: side, width: 1), side == .foundation, "\(side)")
        }
    }

    func testO1_CancellingTheRestFromACompletionAlwaysWorks() {
        within {
            for _ in 0..<200 {
                let bodies = Meter()
                let queue = WorkQueue(maxConcurrentJobCount: 1)
                let first = BlockJob {}
                first.completionBlock = { [weak queue] in queue?.cancelAllJobs() }
                try queue.addJobs([first] + (0..<5).map { _ in BlockJob { bodies.enter() } }, waitUntilFinished: true)
                XCTAssertEqual(bodies.total, 0)
            }
        }
    }

    func testS105_ACompletionThatCapturesItsJobIsReleasedWhereFoundationLeaks() {
        onBothSides { side in
            let (job, completed) = Self.runCapturedByItsCompletion(side)
            completed.wait()
            switch side {
            case .foundation: XCTAssertFalse(observed(within: 0.3) { job.object == nil }, "\(side) leaks no more: update the documentation")
            case .workQueues: eventually("the job is freed") { job.object == nil }
            }
        }
    }

    func testL3_ACompletionSetAfterTheEndRunsAtOnceWhereFoundationForgetsIt() {
        onBothSides { side in
            let late = Meter()
            let job = side.job()
            let completed = Gate()
            // Foundation ends the wait before it fetches the completion, and would take a late one for it.
            job.completionBlock = { completed.open() }
            side.queue().add([job], waiting: true)
            completed.wait()
            job.completionBlock = { late.enter() }
            switch side {
            case .foundation: XCTAssertFalse(observed(within: 0.2) { late.total > 0 }, "\(side)")
            case .workQueues: eventually("the late completion runs") { late.total == 1 }
            }
        }
    }

    func testS16_HandMadeCancelledRacingItsStartItEndsOnceWhereFoundationEndsItTwice() {
        // Whether Foundation ends one twice, hangs, dies or gets away with it is chance, so only our side is asserted;
        // `FoundationFaults hand-made-race` shows the other.
        let rounds = Rounds.scaled(10_000)
        within(120) {
            let queue = WorkQueue(maxConcurrentJobCount: 2)
            let completions = Meter()
            for _ in 0..<rounds {
                let fetch = WorkQueuesSeeds.Fetch { $0.state = .finished }
                fetch.addCompletion { _ in completions.enter() }
                try queue.addJob(fetch)
                fetch.cancel()
            }
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(completions.total, rounds)
        }
    }

    /// Whether `other` begins while the completion of `job` runs; the completion gives it time to.
    private static func isOvertaken(_ job: any ParityJob, by other: any ParityJob, on side: Side, width: Int) -> Bool {
        let overtaken = Log<Bool>()
        let patience = side == .foundation ? 10 : 0.2
        job.completionBlock = { overtaken.append(observed(within: patience) { other.isExecuting || other.isFinished }) }
        side.queue(width: width).add([job, other], waiting: true)
        eventually("the completion has run") { overtaken.count == 1 }
        return overtaken.values == [true]
    }

    private struct Weak: @unchecked Sendable {
        // Unchecked: it is set once, before anybody else sees it.
        weak var object: (any ParityJob)?
    }

    private static func runCapturedByItsCompletion(_ side: Side) -> (Weak, Gate) {
        let completed = Gate()
        let job = side.job()
        job.completionBlock = {
            _ = job.isFinished
            completed.open()
        }
        side.queue().add([job], waiting: true)
        return (Weak(object: job), completed)
    }
}
