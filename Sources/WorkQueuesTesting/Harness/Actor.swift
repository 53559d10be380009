// Those who take the steps: workers, segments of tasks, and what other threads do.

import WorkQueues

/// Somebody who can take a step.
class Actor: @unchecked Sendable {
    // Unchecked: what an actor stores belongs to the thread that takes its step, and `isBusy` to the lock of the stage.

    enum Step {
        case taken
        /// It was the last one; `isSeen` if anybody could have noticed it.
        case gone(isSeen: Bool)
    }

    /// Inside a step, which may be waiting for steps of others.
    final var isBusy = false

    func step() -> Step { .gone(isSeen: false) }
}

/// A worker of a queue.
final class WorkerActor: Actor, @unchecked Sendable {
    private var worker: Worker

    init(_ worker: consuming Worker) { self.worker = worker }

    override func step() -> Step {
        // Going home, it may let the job leave that it comes from.
        let letsLeave = worker.isLeaving
        return worker.step() ? .taken : .gone(isSeen: letsLeave)
    }
}

/// A segment of a task that belongs to no queue.
final class SegmentActor: Actor, @unchecked Sendable {
    private let segment: UnownedJob
    private let executor: StageTasks

    init(_ segment: UnownedJob, on executor: StageTasks) {
        self.segment = segment
        self.executor = executor
    }

    override func step() -> Step {
        segment.runSynchronously(on: executor.asUnownedTaskExecutor())
        return .gone(isSeen: true)
    }
}

/// What another thread does, one closure a step.
final class VisitorActor: Actor, @unchecked Sendable {
    private var actions: ArraySlice<@Sendable () -> Void>

    init(_ actions: [@Sendable () -> Void]) { self.actions = actions[...] }

    override func step() -> Step {
        actions.popFirst()?()
        return actions.isEmpty ? .gone(isSeen: true) : .taken
    }
}

/// Runs tasks as steps of the stage.
final class StageTasks: TaskExecutor {
    private let stage: Stage

    init(on stage: Stage) { self.stage = stage }

    func enqueue(_ job: consuming ExecutorJob) { stage.enter(SegmentActor(UnownedJob(job), on: self)) }
}
