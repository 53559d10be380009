// The public face of a queue: making it, and its life.

public import Dispatch
import SchedulingCore

/// Runs jobs, a limited number at a time, in order of priority and then of being added.
///
/// A `WorkQueue` is what Foundation calls an operation queue. Jobs are added with `addJob`, wait until their dependencies are met, and
/// run on the queue's own workers. Nothing that was accepted is lost: a queue with work keeps itself alive until the work is done.
///
/// ```swift
/// let queue = WorkQueue(maxConcurrentJobCount: 2)
/// let sum = queue.addJob { 5 + 10 }
/// queue.addJob(after: sum) { print("Sum = \($0)") }
/// queue.waitUntilAllJobsAreFinished()
/// ```
///
/// **Threads.** Every member may be used from any thread at any time, also from bodies, completions and observers of its own jobs.
public final class WorkQueue: Sendable {
    package let engine: QueueEngine

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - name: For people: logs and explanations.
    ///   - maxConcurrentJobCount: How many jobs may execute at once: -1 for the automatic width, 0 to hold everything, or a number of
    ///     slots. That many jobs that block really run at the same time, within a budget of 192 threads for all queues of the process.
    ///   - qualityOfService: At what quality of service workers are woken.
    ///   - underlyingQueue: Runs the jobs on this Dispatch queue, one block per job, instead of workers of the queue's own.
    ///   - isSuspended: Whether the queue begins suspended.
    public convenience init(
        name: String? = nil, maxConcurrentJobCount: Int = WorkQueue.defaultMaxConcurrentJobCount,
        qualityOfService: DispatchQoS.QoSClass = .default, underlyingQueue: DispatchQueue? = nil, isSuspended: Bool = false
    ) {
        self.init(
            name: name, width: maxConcurrentJobCount, qualityOfService: qualityOfService, underlyingQueue: underlyingQueue,
            isSuspended: isSuspended, place: underlyingQueue.map { UnderlyingPlace(queue: $0) }, time: DispatchTimeSource.shared)
    }

    /// Makes a queue on given threads, or on the process's lanes, and a given clock.
    package init(
        name: String?, width: Int, qualityOfService: DispatchQoS.QoSClass = .default, underlyingQueue: DispatchQueue? = nil,
        isSuspended: Bool = false, place: (any Workplace)? = nil, time: any TimeSource
    ) {
        engine = QueueEngine(
            name: name, width: Self.checkedWidth(width) ?? Self.defaultMaxConcurrentJobCount, qualityOfService: qualityOfService,
            underlyingQueue: underlyingQueue,
            isSuspended: isSuspended, place: place ?? LanePool.shared, time: time)
        engine.adopt(self)
    }

    /// Another object for a queue that is still at work though the last one was released.
    init(engine: QueueEngine) { self.engine = engine }

    deinit { engine.handleIsGone(self) }

    /// Stands for the automatic width: the queue starts with one worker per core (what affinity and the control group's quota leave, at
    /// least 2) and adds workers, up to 64, while jobs wait and the process uses less than 80 % of its cores.
    public static let defaultMaxConcurrentJobCount = -1

    /// A queue whose jobs run on the main thread, one Dispatch block per job.
    public static let main = WorkQueue(name: "main", maxConcurrentJobCount: 1, underlyingQueue: .main)

    /// The queue on whose worker the caller runs, or whose job's task it belongs to; nil elsewhere.
    public static var current: WorkQueue? {
        if let context = ThreadContext.current, context.job != nil { return context.engine?.takeUnretainedValue().handle() }
        return AsyncBody.current?.job.queue
    }

    /// Receives a line for each misuse that no call could refuse; the default writes it to standard error. Called on the thread of the
    /// misuse, off every lock.
    public static var misuseHandler: @Sendable (String) -> Void {
        get { Misuse.handler.withLock { $0 } }
        set {
            let old = Misuse.handler.withLock { handler in
                defer { handler = newValue }
                return handler
            }
            withExtendedLifetime(old) {}
        }
    }

    /// The width, or nil after a report if it is none.
    static func checkedWidth(_ width: Int) -> Int? {
        guard width < defaultMaxConcurrentJobCount else { return width }
        Misuse.report(
            "maxConcurrentJobCount of \(width) was asked for; that was ignored.", cause: "a computed width went below zero.",
            remedy: "use -1 for the automatic width, 0 to hold jobs back, or a positive number.")
        return nil
    }
}

// MARK: - The public object's life

extension QueueEngine {
    /// The public objects of an engine; there is at most one at a time that is not being freed.
    struct Handles: @unchecked Sendable {
        // Unchecked for the reference, which is guarded by the lock around this value. It is not counted: an object that goes takes it out.
        var current: Unmanaged<WorkQueue>?
        var count = 0
        /// The waiting jobs were cancelled because nobody could resume the queue any more.
        var isReleased = false
    }

    func adopt(_ handle: WorkQueue) {
        handles.withLock { handles in
            handles.current = .passUnretained(handle)
            handles.count += 1
        }
    }

    /// The public object of this queue, a new one if it was released while the queue still works; nil if its jobs were cancelled for that.
    func handle() -> WorkQueue? {
        handles.withLock { handles in
            if let current = handles.current?.living { return current }
            if handles.isReleased { return nil }
            let handle = WorkQueue(engine: self)
            handles.current = .passUnretained(handle)
            handles.count += 1
            return handle
        }
    }

    /// The last reference to the public object went away. A queue that nobody can resume any more ends its waiting jobs.
    func handleIsGone(_ handle: WorkQueue) {
        let reference = Unmanaged.passUnretained(handle).toOpaque()
        let isLast = handles.withLock { handles in
            if handles.current?.toOpaque() == reference { handles.current = nil }
            handles.count -= 1
            return handles.count == 0
        }
        guard isLast else { return }
        let waiting = decide { state, _ -> [Job] in
            guard state.machine.isSuspended || state.machine.width == 0 else { return [] }
            let waiting = state.unstartedJobs
            if !waiting.isEmpty { state.machine.doomAll() }
            return waiting
        }
        guard !waiting.isEmpty else { return }
        handles.withLock { $0.isReleased = true }
        for job in waiting { job.cancel(reason: .queueReleased) }
    }
}
