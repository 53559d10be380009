// What the owner of a queue sets and asks.

public import Dispatch
import SchedulingCore

extension WorkQueue {
    /// A name for people: logs and explanations.
    public var name: String? {
        get { engine.guarded.withLock { $0.name } }
        set { engine.guarded.withLock { $0.name = newValue } }
    }

    /// How many jobs may execute at once; -1 stands for the automatic width, 0 holds everything.
    ///
    /// Raising it starts jobs at once; lowering it leaves running jobs alone. The setter returns at once. A number below -1 is reported
    /// as misuse and ignored.
    public var maxConcurrentJobCount: Int {
        get { engine.guarded.withLock { $0.setWidth } }
        set { if let width = Self.checkedWidth(newValue) { engine.setWidth(width) } }
    }

    /// Whether the queue starts no jobs. Once the setter has returned with true, no job becomes executing until the queue is resumed;
    /// those that execute go on. A flag, not a counter.
    public var isSuspended: Bool {
        get { engine.guarded.withLock { $0.machine.isSuspended } }
        set { engine.setSuspended(newValue) }
    }

    /// At what quality of service workers are woken.
    public var qualityOfService: DispatchQoS.QoSClass {
        get { engine.guarded.withLock { $0.qualityOfService } }
        set { engine.guarded.withLock { $0.qualityOfService = newValue } }
    }

    /// The Dispatch queue that the jobs run on, if one was given.
    public var underlyingQueue: DispatchQueue? { engine.underlyingQueue }

    /// The queue's workers as an executor for tasks; asynchronous bodies run on it.
    ///
    /// Other tasks that are given it are no jobs: they need no slot, are not suspended, and run on at most as many threads as the
    /// queue's width, at least one.
    public var taskExecutor: any TaskExecutor { engine }

    /// The unfinished jobs, in the order they were added. O(n).
    public var jobs: [Job] { engine.unfinishedJobs }

    /// The number of unfinished jobs. O(1).
    public var jobCount: Int { engine.jobCount }

    /// Cancels every job that was added so far.
    ///
    /// In one step all that have not begun are marked never to run their bodies; then `cancel()` is called on each, on this thread, in
    /// the order of adding. O(n) for n jobs.
    public func cancelAllJobs(reason: Job.CancellationReason = .requested) {
        let jobs = engine.decide { state, _ in
            state.machine.doomAll()
            return state.allJobs
        }
        engine.cancel(jobs, reason: reason)
    }
}

extension QueueEngine {
    /// How many ends of jobs that were cancelled together are handed over together.
    private static let handOverCount = 32

    /// Cancels registered jobs one after the other. The ends of those that nobody else has to do with are handed to a worker some at a
    /// time, but before any code of others runs, which may wait for them.
    fileprivate func cancel(_ jobs: [Job], reason: Job.CancellationReason) {
        var owed: [Job] = []
        for job in jobs {
            switch job.cancelUnnoticed(on: self, reason: reason) {
            case .ignored, .executing, .flagged: break
            case .owesEnd: owed.append(job)
            case nil:
                handOver(unstarted: &owed)
                job.cancel(reason: reason)
            }
            if owed.count == Self.handOverCount { handOver(unstarted: &owed) }
        }
        handOver(unstarted: &owed)
    }

    private func handOver(unstarted jobs: inout [Job]) {
        if jobs.isEmpty { return }
        decide { state, _ in
            for job in jobs where state.machine.mustEnd(job.handle) { state.enlist(.unstarted(Unmanaged.passUnretained(job))) }
        }
        jobs.removeAll(keepingCapacity: true)
    }
}

extension QueueEngine {
    var jobCount: Int { decide { state, _ in state.machine.jobCount } }

    package var unfinishedJobs: [Job] { decide { state, _ in state.allJobs } }

    var title: String { guarded.withLock { $0.name }.map { "queue \"\($0)\"" } ?? "the queue" }

    func setWidth(_ width: Int) {
        let stamp = decide { state, _ -> UInt64? in
            let isChanged = state.setWidth != width
            state.setWidth = width
            state.machine.setWidth(width < 0 ? state.automatic.width : width)
            return isChanged ? self.controlStamp : nil
        }
        if let stamp { hub.deliver(.widthChanged(width), stamp: stamp, job: nil) }
    }

    func setSuspended(_ isSuspended: Bool) {
        let stamp = decide { state, _ -> UInt64? in
            let isChanged = state.machine.isSuspended != isSuspended
            state.machine.setSuspended(isSuspended)
            return isChanged ? self.controlStamp : nil
        }
        if let stamp { hub.deliver(isSuspended ? .suspended : .resumed, stamp: stamp, job: nil) }
    }

    /// Taken under the lock, so that what the change lets happen is stamped later.
    private var controlStamp: UInt64? { hub.isObserved ? hub.stamp() : nil }

    /// A segment of a task that runs on this queue's workers.
    package func enqueue(_ job: consuming ExecutorJob) {
        let segment = UnownedJob(job)
        decide { state, _ in
            state.segments.append(segment)
            state.machine.staffing.segments += 1
        }
    }
}

extension QueueEngine.Guarded {
    /// The registered jobs in the order of adding.
    var allJobs: [Job] { machine.handles().map { registeredJob($0) } }

    /// Those that have not begun and whose end nobody has taken in hand.
    var unstartedJobs: [Job] {
        machine.handles().compactMap { handle in
            switch machine.standing(of: handle) {
            case .waiting, .unasked, .asking, .ready: registeredJob(handle)
            case .free, .executing, .lending, .ending: nil
            }
        }
    }
}
