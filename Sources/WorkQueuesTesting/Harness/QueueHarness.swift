// A world of queues that stands still until a test tells it to go on.

public import WorkQueues

/// Real queues whose workers and clock belong to a test.
///
/// Nothing runs until told, and then on the thread that tells it: there are no other threads, no sleeping and no waiting, and the same seed
/// gives the same schedule every time.
///
/// ```swift
/// let harness = QueueHarness()
/// let fetch = harness.queue.addJob(name: "fetch") { 20 }
/// let parse = harness.queue.addJob(name: "parse", after: fetch) { $0 + 22 }
/// harness.drain()
/// try harness.recorder.expectOrder("fetch", "parse")
/// ```
///
/// **Steps.** A step is one claim, one body or one segment of an asynchronous body between two awaits, the news of one end to
/// observers, one completion, or one end. `step()` takes one of those that may happen now, chosen by the seed; `drain()` takes steps
/// until nobody can take one. The clock moves only when `advance(by:)` says so, and when a wait inside the harness has nothing else to
/// wait for.
///
/// **Waiting.** A call that blocks (`waitUntilFinished()`, `waitForValue()`), on the test's thread or in a body, takes steps until what it
/// waits for has come. If nothing can happen any more it is reported as misuse and returns. The steps that a waiting body lets
/// others take run inside it, on its stack: of two bodies that wait, the one that began later goes on first.
///
/// **What is outside.** Work that leaves the harness runs elsewhere and in real time: an unstructured `Task`, `Task.sleep`, another
/// executor, a thread. It may come back at any time, and its next segment is a step again; `drain()` does not wait for it and names the
/// jobs concerned. `WorkQueue.taskExecutor` of a harness's queue, child tasks and actors called from a body stay inside.
///
/// **Threads.** Use a harness from one thread at a time. Its queues may be used from any, as always.
public final class QueueHarness: Sendable {
    /// The first queue.
    public let queue: WorkQueue
    /// The clock of all queues of the harness, for jobs that sleep and waits with a time limit.
    public let clock: ManualClock
    /// Everything that happened in the queues of the harness.
    public let recorder = JobRecorder()

    let stage: Stage
    private let tasks: StageTasks
    private let members = Locked<[Member]>([])
    /// How many ends the last tally included.
    private let tallied = Locked(0)

    /// A queue of the harness.
    private struct Member: @unchecked Sendable {
        // Weak, so that the harness keeps no queue alive that a test lets go; guarded by the lock around the list.
        weak var engine: QueueEngine?
    }

    /// Makes a harness with one queue.
    ///
    /// - Parameters:
    ///   - maxConcurrentJobCount: How many jobs may execute at once: as many workers take steps in turns.
    ///   - seed: Chooses among the steps that may happen. Print it with a failure, and the run can be repeated.
    public convenience init(maxConcurrentJobCount: Int = 2, seed: UInt64 = 0) {
        self.init(maxConcurrentJobCount: maxConcurrentJobCount, director: SeededDirector(seed: seed))
    }

    /// Makes a harness whose first queue has no observer, unless told otherwise: the engine goes other ways then, and the recorder sees
    /// nothing.
    package convenience init(maxConcurrentJobCount: Int, seed: UInt64, isObserved: Bool) {
        self.init(maxConcurrentJobCount: maxConcurrentJobCount, director: SeededDirector(seed: seed), isObserved: isObserved)
    }

    init(maxConcurrentJobCount: Int, director: any Director, isObserved: Bool = true) {
        clock = ManualClock()
        stage = Stage(time: clock.time, director: director, patience: .seconds(1))
        tasks = StageTasks(on: stage)
        queue = WorkQueue(name: "queue", width: maxConcurrentJobCount, place: stage, time: clock.time)
        admit(queue, isObserved: isObserved)
    }

    deinit {
        // What waits in a suspended or stuck queue would keep itself alive for ever.
        for job in unfinishedJobs { job.cancel(reason: .queueReleased) }
        var steps = 0
        while steps < 1_000_000 && stage.step() { steps += 1 }
        stage.clear()
    }

    /// Makes a further queue on the same clock, whose workers take steps among the others.
    public func makeQueue(name: String? = nil, maxConcurrentJobCount: Int = 2, isSuspended: Bool = false) -> WorkQueue {
        makeQueue(name: name, maxConcurrentJobCount: maxConcurrentJobCount, isSuspended: isSuspended, isObserved: true)
    }

    /// Makes a further queue, observed by the recorder or not.
    package func makeQueue(name: String? = nil, maxConcurrentJobCount: Int, isSuspended: Bool, isObserved: Bool) -> WorkQueue {
        let queue = WorkQueue(name: name, width: maxConcurrentJobCount, isSuspended: isSuspended, place: stage, time: clock.time)
        admit(queue, isObserved: isObserved)
        return queue
    }

    private func admit(_ queue: WorkQueue, isObserved: Bool) {
        if isObserved { queue.addObserver(recorder) }
        members.withLock { $0.append(Member(engine: queue.engine)) }
    }

    private var engines: [QueueEngine] { members.withLock { $0.compactMap(\.engine) } }

    /// The unfinished jobs of all queues, queue by queue in the order of adding.
    private var unfinishedJobs: [Job] { engines.flatMap(\.unfinishedJobs) }
}

// MARK: - Going on

extension QueueHarness {
    /// Takes one step, chosen by the seed among all that may happen. False if nothing can happen now.
    @discardableResult
    public func step() -> Bool { stage.step() }

    /// Takes steps until nothing can happen any more, and says what became of the jobs since the last tally.
    @discardableResult
    public func drain() -> Tally {
        while stage.step() {}
        return tally()
    }

    /// Moves the clock on, instant by instant: all timers of an instant fire together, then everything that follows from them happens, then
    /// comes the next instant. What can happen at once happens before the clock moves.
    public func advance(by duration: Duration) {
        let target = clock.time.deadline(after: duration)
        repeat { while stage.step() {} } while clock.time.moveToNextInstant(notAfter: target)
        while stage.step() {}
    }

    /// Runs `body` as a task of the harness: takes steps, of the task and of everybody else, until it has returned.
    ///
    /// When nobody can take a step the clock moves to its next instant. If the task left the harness, it has a second of real time to come
    /// back.
    ///
    /// - Throws: What `body` throws; an `ExpectationFailure` if it can never return.
    @discardableResult
    public func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let result = Locked<Result<Value, any Error>?>(nil)
        let task = Task(executorPreference: tasks) {
            let value: Result<Value, any Error>
            do { value = .success(try await body()) } catch { value = .failure(error) }
            result.withLock { $0 = value }
        }
        _ = stage.waitWhileStepping { result.withLock { $0 != nil } }
        guard let result = result.withLock({ $0 }) else {
            task.cancel()
            throw ExpectationFailure("The body of run was to return, but nothing can happen any more.", drawing: situation)
        }
        return try result.get()
    }

    /// Has `actions` happen as if another thread did them: one after the other, each as one step that may come at any time.
    ///
    /// With the explorer, this is how a cancel, a new job or a change of a queue meets the jobs at every point.
    public func concurrently(_ actions: (@Sendable () -> Void)...) { stage.enter(VisitorActor(actions)) }
}

// MARK: - What became of the jobs

extension QueueHarness {
    /// Checks that nothing is left: no unfinished job, no step to take, nobody asleep on the clock.
    ///
    /// - Throws: An `ExpectationFailure` that lists what is left.
    public func expectQuiescent() throws(ExpectationFailure) {
        let timers = clock.timerCount
        guard stage.isEmpty, timers == 0, unfinishedJobs.isEmpty else {
            throw ExpectationFailure("Nothing was to be left, but there is.", drawing: situation)
        }
    }

    private func tally() -> Tally {
        var tally = Tally()
        let ends = recorder.events.compactMap { event -> Job.Outcome? in
            if case .finished(let outcome) = event.kind { outcome } else { nil }
        }
        let known = tallied.withLock { tallied in
            defer { tallied = ends.count }
            return tallied
        }
        for end in ends[known...] { tally.count(end) }
        let sleepers = clock.time.sleepers
        for engine in engines {
            for job in engine.unfinishedJobs { tally.sort(job, of: engine, isAsleep: sleepers.contains(job.id)) }
        }
        return tally
    }

    /// What is left, for failures.
    private var situation: String {
        var lines = unfinishedJobs.map { "\($0)" }
        if let next = clock.nextInstant { lines.append("clock at \(clock.now), \(clock.timerCount) timers, the next one at \(next)") }
        if !stage.isEmpty { lines.append("steps can be taken: drain() takes them") }
        return (lines + ["\(recorder.diagram)"]).joined(separator: "\n")
    }
}
