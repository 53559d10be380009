// Reading a job's state, and the one way to change it.

public import Dispatch
import SchedulingCore
import Synchronization

extension Job {
    final var jobState: JobState { JobState(rawValue: word.load(ordering: .acquiring)) }

    /// Makes one indivisible change to the state word.
    @inline(__always)
    final func update<Result>(_ change: (inout JobState) -> Result) -> Result {
        var old = word.load(ordering: .acquiring)
        while true {
            var new = JobState(rawValue: old)
            let result = change(&new)
            if new.rawValue == old { return result }
            let (exchanged, current) = word.weakCompareExchange(
                expected: old, desired: new.rawValue, successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
            if exchanged { return result }
            old = current
        }
    }

    /// The phase as the engine knows it, whatever a subclass's overrides say.
    public final var phase: Phase { Phase(jobState.phase) }

    /// Whether the job was cancelled before it ended.
    public final var isCancelled: Bool { jobState.isCancelled }

    /// Why the job was cancelled; nil if it was not.
    public final var cancellationReason: CancellationReason? {
        guard isCancelled else { return nil }
        return extras?.contents.withLock { $0.reason } ?? .requested
    }

    /// How the job ended; nil until it has.
    public final var outcome: Outcome? {
        let state = jobState
        guard state.isFinished else { return nil }
        if state.isFailed, let error = extras?.contents.withLock({ $0.error }) { return .failed(error) }
        if state.isCancelled { return .cancelled(cancellationReason ?? .requested) }
        return .succeeded
    }

    /// The completions of the ended job have run, and an edge that is added to it now is met at once. For tests that follow each step.
    package final var isResolved: Bool { jobState.isResolved }

    /// The ended job has left its queue, and the edges that pointed at it are met. For tests that follow each step.
    package final var isClosed: Bool { jobState.isClosed }

    /// The queue the job was added to, while that queue exists.
    public final var queue: WorkQueue? {
        guard jobState.isQueued, queueID != 0 else { return nil }
        return QueueDirectory.shared.engine(queueID)?.handle()
    }

    /// A name for people: logs, events, explanations.
    public final var name: String? {
        get { extras?.contents.withLock { $0.name } }
        set {
            if newValue == nil && extras == nil { return }
            extrasOrNew.contents.withLock { $0.name = newValue }
        }
    }

    /// A hint for the system how important the work is; nil: the queue's. A worker that is woken for the job is woken at it.
    public final var qualityOfService: DispatchQoS.QoSClass? {
        get { DispatchQoS.QoSClass(code: qualityCode.load(ordering: .relaxed)) }
        set { qualityCode.store(newValue?.code ?? 0, ordering: .relaxed) }
    }

    /// How urgent the job is among the ready jobs of its queue. A change while it waits counts at once, in O(log n).
    public final var queuePriority: QueuePriority {
        get { QueuePriority(rawValue: priorityCode.load(ordering: .relaxed)) ?? .normal }
        set {
            let old = priorityCode.exchange(newValue.rawValue, ordering: .acquiringAndReleasing)
            guard old != newValue.rawValue, jobState.isQueued, !jobState.isFinished else { return }
            QueueDirectory.shared.engine(queueID)?.priorityChanged(self)
        }
    }
}

// MARK: - Extras

extension Job {
    final var extras: JobExtras? { jobState.hasExtras ? attachments.value : nil }

    /// The job's extras, attached to its state word so that its end will see to them.
    final var extrasOrNew: JobExtras {
        let extras = attachments.value(orMake: JobExtras.init)
        if !jobState.hasExtras { update { $0.attachExtras() } }
        return extras
    }
}
