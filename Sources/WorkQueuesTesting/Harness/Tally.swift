// What became of the jobs of a harness.

public import WorkQueues

/// How jobs ended since the last tally, and which have not ended.
public struct Tally: Sendable, CustomStringConvertible {
    /// How many jobs ended with each outcome since the last tally.
    public private(set) var succeeded = 0
    public private(set) var failed = 0
    public private(set) var cancelled = 0
    /// Jobs that cannot go on by themselves, and why: nothing that can still happen in the harness ends them.
    public private(set) var stuck: [JobExplanation] = []
    /// Jobs whose work sleeps on the clock of the harness: `QueueHarness.advance(by:)` wakes it.
    public private(set) var asleep: [JobExplanation] = []
    /// Jobs whose asynchronous bodies went to a place that the harness does not own.
    public private(set) var outside: [JobExplanation] = []

    /// How many jobs ended.
    public var finished: Int { succeeded + failed + cancelled }

    /// Nothing is left.
    public var isComplete: Bool { stuck.isEmpty && asleep.isEmpty && outside.isEmpty }

    public var description: String {
        var lines = ["\(succeeded) succeeded, \(failed) failed, \(cancelled) cancelled"]
        for (title, jobs) in [("stuck", stuck), ("asleep", asleep), ("outside", outside)] where !jobs.isEmpty {
            lines.append("\(jobs.count) \(title):")
            lines += jobs.map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    mutating func count(_ outcome: Job.Outcome) {
        switch outcome {
        case .succeeded: succeeded += 1
        case .failed: failed += 1
        case .cancelled: cancelled += 1
        }
    }

    mutating func sort(_ job: Job, of engine: QueueEngine, isAsleep: Bool) {
        let explanation = job.explain()
        if isAsleep {
            asleep.append(explanation)
        } else if job.phase == .executing && job.runsAsTask && !engine.isLending(job) {
            outside.append(explanation)
        } else {
            stuck.append(explanation)
        }
    }
}
