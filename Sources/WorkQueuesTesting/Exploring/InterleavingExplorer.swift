// Runs a scenario in every order of steps within a bound, and then in random ones.

import WorkQueues

/// Finds the order of steps in which a scenario fails.
///
/// A scenario gets a fresh harness, puts work into it, takes the steps (`drain()`), and throws if something is not as it should be. The
/// explorer runs it again and again, each time with another schedule. It begins with those that interrupt nobody, goes on with every
/// schedule that has one *pre-emption* (a switch to another worker although the last one could go on), then two, up to `bound`; few faults
/// need more. What is left of `maxRuns` is spent on random schedules.
///
/// ```swift
/// try InterleavingExplorer.explore(bound: 2, maxRuns: 1_000) { harness in
///     let job = harness.queue.addJob(name: "job") { 42 }
///     harness.concurrently({ job.cancel() })
///     harness.drain()
///     try harness.expectQuiescent()
/// }
/// ```
///
/// **Replaying.** At the first failure `explore` throws an `ExplorationFailure` with the schedule and a token. `replay(_:)`, or
/// `explore` itself with the environment variable `WORKQUEUES_REPLAY` set to the token, repeats exactly that run. So a scenario must
/// not depend on anything but the harness: no random numbers, dates, other threads.
///
/// **What it does not explore.** Steps are whole: what happens inside a critical section, a body or a callback is never interrupted, so
/// data races and the order of memory accesses are not explored (the thread sanitizer looks for those). Work outside the harness (other
/// executors, unstructured tasks) runs in real time and in whatever order it likes.
///
/// Cost: a run costs what its steps cost; with n steps and w workers there are in the order of (n·w)^bound schedules within a bound.
public enum InterleavingExplorer {
    /// What was explored without a failure.
    public struct Exploration: Sendable, CustomStringConvertible {
        /// How many runs there were.
        public let runs: Int
        /// How many of them had random schedules.
        public let randomRuns: Int
        /// Every schedule within the bound was run.
        public let isExhaustive: Bool

        public var description: String {
            "\(runs) runs, \(randomRuns) of them random; \(isExhaustive ? "every schedule" : "not every schedule") within the bound"
        }
    }

    /// Runs `scenario` in every order of steps with up to `bound` pre-emptions, then in random ones, `maxRuns` times at most.
    ///
    /// - Parameters:
    ///   - bound: How many pre-emptions a schedule may have.
    ///   - maxRuns: How often the scenario is run at most; a random run is only made when all others are done.
    ///   - randomRuns: How many random runs there are at most.
    ///   - maxConcurrentJobCount: The width of each harness's queue.
    /// - Throws: An `ExplorationFailure` at the first run that throws.
    @discardableResult
    public static func explore(
        bound: Int = 2, maxRuns: Int = 1_000, randomRuns: Int = 100, maxConcurrentJobCount: Int = 2,
        _ scenario: (QueueHarness) throws -> Void
    ) throws(ExplorationFailure) -> Exploration {
        if let token = Platform.environment("WORKQUEUES_REPLAY"), !token.isEmpty {
            try replay(token, maxConcurrentJobCount: maxConcurrentJobCount, scenario)
            return Exploration(runs: 1, randomRuns: 0, isExhaustive: false)
        }
        var search = ScheduleSearch(bound: bound)
        var runs = 0
        while runs < maxRuns, let script = search.next() {
            let decisions = try run(.script(script), maxConcurrentJobCount, scenario)
            search.explored(script, decisions: decisions)
            runs += 1
        }
        let isExhaustive = search.isExhausted
        var seed: UInt64 = 0
        while isExhaustive && runs < maxRuns && seed < UInt64(randomRuns) {
            try run(.seed(seed), maxConcurrentJobCount, scenario)
            seed += 1
            runs += 1
        }
        return Exploration(runs: runs, randomRuns: Int(seed), isExhaustive: isExhaustive)
    }

    /// Repeats exactly the run that a token stands for.
    ///
    /// - Throws: An `ExplorationFailure` if the run fails again, or if that is no token.
    public static func replay(
        _ token: String, maxConcurrentJobCount: Int = 2, _ scenario: (QueueHarness) throws -> Void
    ) throws(ExplorationFailure) {
        guard let schedule = Schedule(token: token) else {
            throw ExplorationFailure(
                token: token,
                underlying: ExpectationFailure("\"\(token)\" is no replay token: copy the whole token that a failure printed."),
                drawing: "")
        }
        try run(schedule, maxConcurrentJobCount, scenario)
    }

    @discardableResult
    private static func run(
        _ schedule: Schedule, _ width: Int, _ scenario: (QueueHarness) throws -> Void
    ) throws(ExplorationFailure) -> [Decision] {
        let harness = QueueHarness(maxConcurrentJobCount: width, director: schedule.director)
        do { try scenario(harness) } catch {
            throw ExplorationFailure(token: schedule.token, underlying: error, drawing: "\(harness.recorder.diagram)")
        }
        return harness.stage.decisions
    }
}

/// A run of a scenario that failed, and how to repeat it.
public struct ExplorationFailure: Error, CustomStringConvertible {
    /// Names the schedule of the run, for `InterleavingExplorer.replay(_:)` and `WORKQUEUES_REPLAY`.
    public let token: String
    /// What the scenario threw.
    public let underlying: any Error
    /// The schedule as a diagram.
    public let drawing: String

    public var description: String {
        """
        \(underlying)
        \(drawing)
        To repeat exactly this run: WORKQUEUES_REPLAY=\(token)
        """
    }
}
