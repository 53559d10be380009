// What observers of a queue are told.

/// Something that happened to a job or its queue.
public struct JobEvent: Sendable {
    /// The job; nil for an event of the queue itself.
    public let jobID: Job.ID?
    /// The job's name when it happened.
    public let jobName: String?
    /// Orders the events of one queue: larger means later. Numbers may have gaps.
    public let sequence: UInt64
    /// When it happened; never earlier than an event with a smaller `sequence`.
    public var instant: ContinuousClock.Instant { EventClock.instant(at: moment) }
    public let kind: Kind
    // The instant in nanoseconds on the system's source. The standard library does not show the layout of its own type to other modules,
    // and an event that contained one would be copied by way of its type's description.
    private let moment: Int64

    init(job: Job?, sequence: UInt64, moment: Int64, kind: Kind) {
        jobID = job?.id
        jobName = job?.name
        self.sequence = sequence
        self.moment = moment
        self.kind = kind
    }

    /// What happened. More kinds may come: write `@unknown default`.
    @nonexhaustive
    public enum Kind: Sendable {
        /// The queue accepted the job. Delivered on the adding thread, before the job can start.
        case added
        /// Nothing but a slot is missing.
        case ready
        /// A worker is about to call `start()`.
        case started
        /// The job was cancelled for the first time. Delivered on the cancelling thread.
        case cancelRequested(Job.CancellationReason)
        /// The job ended. Delivered on a worker, before the job's completions.
        case finished(Job.Outcome)
        /// The job now waits for the one named.
        case dependencyAdded(Job.ID)
        /// The job waits no longer for the one named.
        case dependencyRemoved(Job.ID)
        /// The queue starts no job until it is resumed.
        case suspended
        case resumed
        /// The limit on executing jobs was set.
        case widthChanged(Int)
        /// The last job left the queue.
        case idle
    }
}

/// Receives the events of the queues it is added to.
///
/// `record` may be called from several threads at the same time; events of one job come one after the other, in the order of its
/// phases. It may call anything in the package.
public protocol JobObserver: AnyObject, Sendable {
    func record(_ event: JobEvent)
}
