// Who is asking: the job whose own thread, or whose own task, the caller is.

import SchedulingCore

/// The job in whose name a thread or task waits.
struct Turn {
    let job: Job
    /// The queue in which the job holds a slot; nil for a job started by hand.
    let engine: QueueEngine?

    /// The job that runs on this very thread, or in this very task.
    ///
    /// Tasks that merely descend from an asynchronous body inherit its task-locals, so its own task is told by identity.
    static var current: Turn? {
        if let context = ThreadContext.current, let job = context.job?.takeUnretainedValue() {
            return Turn(job: job, engine: job.jobState.isQueued ? context.engine?.takeUnretainedValue() : nil)
        }
        guard let body = AsyncBody.current, body.isOwnTask else { return nil }
        // The job cannot leave its queue while its own task is asking.
        return Turn(job: body.job, engine: body.job.jobState.isQueued ? body.job.engine?.takeUnretainedValue() : nil)
    }
}

/// The asynchronous body of a job, as its task knows it.
struct AsyncBody: Sendable {
    @TaskLocal static var current: AsyncBody?

    let job: Job
    /// Tells the body's own task from those that inherited its task-locals.
    private let task: UInt

    /// Made inside the task that runs the body.
    init(job: Job) {
        self.job = job
        task = Self.currentTask
    }

    var isOwnTask: Bool { task != 0 && task == Self.currentTask }

    /// A number for the current task that no other living task has, 0 if there is none: its address, which nobody follows. A hash would
    /// cost more, and might be another task's.
    private static var currentTask: UInt { withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } ?? 0 } }
}

extension Job {
    /// The job whose work the caller is part of: on a worker's thread, or in an asynchronous body and the tasks that descend from it.
    public static var current: Job? {
        if let job = ThreadContext.current?.job { return job.takeUnretainedValue() }
        return AsyncBody.current?.job
    }

    /// Stops the work of a cancelled job: throws `CancellationError` if `Job.current` was cancelled.
    public static func checkCancellation() throws {
        if let current, current.isCancelled { throw CancellationError() }
    }
}
