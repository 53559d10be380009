// What the explored races share: running a scenario in every order, and what holds at the end of each run.
import WorkQueues
import WorkQueuesTesting
import XCTest

/// Something is not as the rules say, in one run of a scenario.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

func require(_ isRight: Bool, _ text: @autoclosure () -> String) throws {
    if !isRight { throw Broken(description: text()) }
}

/// Runs the scenario in every order of steps with up to `bound` pre-emptions, and in random ones; all must be met.
///
/// Where `alsoUnobserved`, a second time without the recorder: the engine takes shorter ways then.
func assertInEveryOrder(
    bound: Int = 2, width: Int = 2, alsoUnobserved: Bool = false, atLeast minimum: Int = 10, file: StaticString = #filePath,
    line: UInt = #line, _ scenario: (QueueHarness) throws -> Void
) {
    for isObserved in alsoUnobserved ? [true, false] : [true] {
        do throws(ExplorationFailure) {
            let exploration = try InterleavingExplorer.explore(
                bound: bound, maxRuns: 60_000, randomRuns: 50, maxConcurrentJobCount: width
            ) { harness in
                if !isObserved { harness.queue.removeObserver(harness.recorder) }
                try scenario(harness)
            }
            XCTAssertTrue(exploration.isExhaustive, "\(exploration)", file: file, line: line)
            XCTAssertGreaterThanOrEqual(exploration.runs, minimum, "too few orders for a race", file: file, line: line)
        } catch {
            XCTFail("\(isObserved ? "" : "Unobserved: ")\(error)", file: file, line: line)
        }
    }
}

extension QueueHarness {
    /// Takes all steps; then every job has ended, once, and nothing is left.
    func requireEnd(of jobs: Job...) throws {
        let tally = drain()
        try require(tally.isComplete, "\(tally)")
        for job in jobs { try require(job.isFinished, "\(job) has not ended") }
        var ends: [Job.ID: Int] = [:]
        for event in recorder.events {
            guard let id = event.jobID else { continue }
            if case .finished = event.kind { ends[id, default: 0] += 1 }
        }
        try require(ends.values.allSatisfy { $0 == 1 }, "a job ended more than once")
        try require(queue.jobCount == 0, "the queue still counts \(queue.jobCount)")
        try expectQuiescent()
    }
}

extension Job {
    var hasSucceeded: Bool { if case .succeeded? = outcome { true } else { false } }
    var hasFailed: Bool { if case .failed? = outcome { true } else { false } }

    func wasCancelled(for reason: CancellationReason) -> Bool {
        if case .cancelled(let actual)? = outcome { actual == reason } else { false }
    }

    /// It began, whether or not it has ended.
    var hasBegun: Bool { phase == .executing || (phase == .finished && !isCancelled) }
}

/// A value that bodies and visitors share. One thread takes all steps, so it needs no lock.
final class Shared<Value>: @unchecked Sendable {
    // Unchecked because of that.
    var value: Value

    init(_ value: Value) { self.value = value }
}

/// A job that ends when somebody says so.
final class HandEndedJob: AsyncJob, @unchecked Sendable {}

/// A job whose `isReady` looks, lets others take steps until another job has ended, and then says what it saw.
final class SlowlyAskedJob: Job, @unchecked Sendable {
    // Unchecked because one thread takes all steps.
    private let other: Job
    var isWilling = false
    private(set) var runs = 0

    init(waitingFor other: Job) { self.other = other }

    override var isReady: Bool {
        let isWilling = isWilling
        other.waitUntilFinished()
        return isWilling
    }

    override func main() { runs += 1 }
}

/// A job whose `isReady` says no until it is willing.
final class UnwillingJob: Job, @unchecked Sendable {
    // Unchecked because one thread takes all steps.
    var isWilling = false
    private(set) var runs = 0

    override var isReady: Bool { isWilling }
    override func main() { runs += 1 }
}
