// The errors of the package.

/// Why a call was refused, or why a job failed without its own fault.
public struct JobError: Error, Sendable, CustomStringConvertible {
    /// What kind of error it is. An open set: compare with the members below.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        /// The edge, or the adding of the job, would have made jobs wait for each other; `cyclePath` shows the ring.
        public static let dependencyCycle = Code(name: "dependencyCycle")
        /// The job is in a queue already.
        public static let alreadyAdded = Code(name: "alreadyAdded")
        /// The job has begun.
        public static let alreadyStarted = Code(name: "alreadyStarted")
        /// The job has ended.
        public static let alreadyFinished = Code(name: "alreadyFinished")
        /// A dependency that was required to succeed failed; `jobID` and `underlying` name the job that began it, and its error.
        public static let dependencyFailed = Code(name: "dependencyFailed")
        /// The completion of a callback job was dropped without having been called.
        public static let completionDropped = Code(name: "completionDropped")
        /// A typed job has neither a closure nor an override of `run()`, or ended without a value.
        public static let missingValue = Code(name: "missingValue")
        /// The wait could never end.
        public static let wouldDeadlock = Code(name: "wouldDeadlock")

        public var description: String { name }
    }

    public let code: Code
    /// What happened, why, and what to do.
    public let message: String
    /// The ring of a `dependencyCycle`: each job depends on the next; it begins and ends with the job that was to get the edge.
    public let cyclePath: [Job]
    /// The job concerned.
    public let jobID: Job.ID?
    /// The error behind this one.
    public let underlying: (any Error)?

    init(_ code: Code, _ message: String, cyclePath: [Job] = [], jobID: Job.ID? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cyclePath = cyclePath
        self.jobID = jobID
        self.underlying = underlying
    }

    public var description: String { "\(code): \(message)" }
}

extension JobError {
    static func cycle(_ path: [Job]) -> JobError {
        let shown = path.count <= 12 ? path[...] : path.prefix(6) + path.suffix(6)
        let names = shown.map { $0.name ?? $0.id.description }
        let ring =
            path.count <= 12
            ? names.joined(separator: " → ")
            : names.prefix(6).joined(separator: " → ") + " → … → " + names.suffix(6).joined(separator: " → ")
        return JobError(
            .dependencyCycle,
            "These jobs would wait for each other and none could ever start: \(ring). The edge was not added; leave out one of the others first.",
            cyclePath: path, jobID: path.first?.id)
    }

    static func alreadyAdded(_ job: Job) -> JobError {
        JobError(.alreadyAdded, "\(job) is in a queue already, and a job runs once. Make a new job for another run.", jobID: job.id)
    }

    static func alreadyStarted(_ job: Job, _ attempt: String) -> JobError {
        JobError(
            .alreadyStarted, "\(job) has begun, so \(attempt). Do it before the job is added, or while the queue is suspended.",
            jobID: job.id)
    }

    static func alreadyFinished(_ job: Job, _ attempt: String) -> JobError {
        JobError(.alreadyFinished, "\(job) has ended, so \(attempt). Make a new job.", jobID: job.id)
    }

    static func dependencyFailed(root: Job.ID, error: any Error) -> JobError {
        JobError(
            .dependencyFailed,
            "Job \(root) failed (\(error)), and this job required its success, directly or through others. Its body did not run.",
            jobID: root, underlying: error)
    }

    static func completionDropped(_ id: Job.ID) -> JobError {
        JobError(
            .completionDropped,
            "The completion of job \(id) was released without finish(returning:) or finish(throwing:) having been called on it. Call one of them on every path.",
            jobID: id)
    }

    static func missingValue(_ job: Job) -> JobError {
        JobError(
            .missingValue,
            "\(job) ended without a value: it was made without a closure, and its class does not override run(), or it was ended by hand. Override run(), or pass a closure.",
            jobID: job.id)
    }

    static func wouldDeadlock(_ waiter: Job?, _ target: String) -> JobError {
        let who = waiter.map { "\($0)" } ?? "The main thread"
        return JobError(
            .wouldDeadlock,
            "\(who) would wait for \(target), which cannot end before the waiter goes on. The wait returned at once; make the rest a job that depends on it instead.",
            jobID: waiter?.id)
    }
}
