// A unit of work: its identity, its state word, and what it stores.

import Dispatch
import SchedulingCore
import Synchronization

/// A unit of work that runs once, in a queue or by hand.
///
/// Subclass it and override `main()`, use one of the ready-made subclasses (`BlockJob`, `ResultJob`, `AsyncJob`), or let
/// `WorkQueue.addJob(_:)` make one from a closure. A job goes through the phases created, waiting, ready, executing and finished, in that
/// order; `phase` tells which, and the KVO-style properties `isReady`, `isExecuting` and `isFinished` say the same in the manner of
/// Foundation's `Operation`.
///
/// **Threads.** Every member may be used from any thread at any time. `start()`, `main()` and completions run on a worker of the job's
/// queue.
///
/// **Subclassing.** A subclass states `@unchecked Sendable` and sees to it that what it stores is safe to use from its body and from
/// whoever reads it; reading after the job has finished needs no lock, because a job's end happens before everything that follows from
/// it.
///
/// ```swift
/// final class Calculate: Job, @unchecked Sendable {
///     var sum: Int?
///     override func main() { sum = 5 + 10 }
/// }
/// ```
open class Job: @unchecked Sendable, Identifiable, CustomStringConvertible, JobObservable {
    // Who may touch what: `word`, `attachments`, `siteFile` and `stamp` are atomic. `intakeNext` belongs to the thread that adds the
    // job, then to the queue's lock; `handle` belongs to the queue's lock; `node`, `epoch` to the lock of the dependency graph.
    // `engine` and `queueID` are written once, before the word says that the job is queued, and read only after it does.

    /// Names the job: unique in the process, and larger for a job that was made later.
    public final let id: ID

    /// The state word, see `JobState`.
    final let word = Atomic<UInt64>(JobState().rawValue)
    // Beside the word, because whoever adds or meets an edge touches both, and what an edge costs is the lines of memory that it touches.
    /// The job in the dependency graph.
    final var node = Node.none
    /// How many barriers of its queue the job was added behind.
    final var epoch: UInt32 = 0
    /// Where name, completions, waiters and the like are kept, once there are any.
    final let attachments = LazyReference<JobExtras>()

    /// The next job of the intake.
    final var intakeNext: Unmanaged<Job>?
    /// The queue's engine, which outlives the job's stay in the queue.
    final var engine: Unmanaged<QueueEngine>?
    /// Names the queue, also when it is gone.
    final var queueID: UInt64 = 0
    /// The name of the file in which the job was added, see `Site`.
    final let siteFile = Atomic<UInt>(0)
    /// The line there, and since when the job waits or executes; see `JobStamp`.
    final let stamp = Atomic<UInt64>(0)
    /// The job in the queue's machine, from registration until it left.
    final var handle = Handle.none
    /// The raw value of `queuePriority`.
    final let priorityCode = Atomic<Int8>(QueuePriority.normal.rawValue)
    /// The code of `qualityOfService`; 0 for none.
    final let qualityCode = Atomic<UInt8>(0)
    /// What is known of the job before it is added.
    private final var traits: Traits

    private struct Traits: OptionSet {
        let rawValue: UInt8
        static let isPlain = Traits(rawValue: 1)
        static let isBarrier = Traits(rawValue: 2)
        static let isBareClosure = Traits(rawValue: 4)
        static let isBodyAsynchronous = Traits(rawValue: 8)
    }

    /// Makes a job that is in no queue.
    public init() {
        id = ID.next()
        traits = MethodOverride.ofIsReady.isAbsent(in: type(of: self)) ? .isPlain : []
    }

    deinit {
        if jobState.hasNode { DependencyRegistry.shared.forget(self) }
    }

    // MARK: Overridable behaviour; the doc comments are the contract of each override.

    /// Begins the work. The queue calls it on a worker, once; the base implementation calls `main()`, and the job ends when that returns.
    ///
    /// Override it for a job whose work goes on after `start()` returned. Such a job ends when it posts `isFinished`; if it never does, it
    /// never ends. For a cancelled job `start()` is called too, so that it can do its bookkeeping: check `isCancelled` first.
    ///
    /// Called by hand on a job that is in no queue, it does everything on the calling thread. Any other call by hand is reported as
    /// misuse and ignored.
    open func start() { performStart() }

    /// The work of a synchronous job. The base implementation does nothing.
    open func main() {}

    /// Asks the job to stop. The first call counts; after the end it changes nothing.
    ///
    /// A job in a queue that has not begun ends at once, on a worker. One that executes gets the flag and its `onCancel` handlers, and
    /// is never interrupted. A job in no queue gets the flag, and ends when it is added. Runs on the caller's thread; an override calls
    /// `super.cancel()`.
    open func cancel() { performCancel() }

    /// Whether the job could start as far as it knows: no dependency is unmet, or it was cancelled.
    ///
    /// An override can hold the job back; it is asked off every lock when the last dependency is met, and again after each
    /// `didChangeValue(forKey: "isReady")`, until it says yes.
    open var isReady: Bool { jobState.isBaseReady }

    /// Whether the work is under way.
    open var isExecuting: Bool { jobState.phase == .executing }

    /// Whether the job has ended.
    open var isFinished: Bool { jobState.isFinished }

    /// Whether the work goes on after `start()` returned. For information only: the engine looks at what happened.
    open var isAsynchronous: Bool { false }

    /// The job's class, id, name and phase, for logs.
    open var description: String {
        let title = name.map { " \"\($0)\"" } ?? ""
        return "\(type(of: self)) \(id)\(title) (\(phase))"
    }

    /// Whether the work is a task, which may be suspended anywhere.
    package var runsAsTask: Bool { false }

    /// The work of a bare closure.
    func runClosure() {}

    /// Lets go of what the body captured; called once, when it will not run any more.
    func releaseBody() {}

    /// The value of a typed job is not to be had: the outcome is no success.
    func dropValue() {}
}

extension Job {
    /// Whether the job's class does not override `isReady`, so that it need not be asked.
    final var isPlain: Bool { traits.contains(.isPlain) }

    /// Whether the job is a barrier of its queue.
    final var isBarrier: Bool { traits.contains(.isBarrier) }

    /// Whether the job is of a class of the package's own and does nothing but run a closure, so that `start()` and `main()`, which nobody
    /// can have overridden, need not be called.
    final var isBareClosure: Bool { traits.contains(.isBareClosure) }

    /// Says that the job is a bare closure, when it is made.
    final func becomeBareClosure() { traits.insert(.isBareClosure) }

    /// Whether what is kept as the job's body is an asynchronous closure. Here, because a typed job has no byte left for it.
    final var isBodyAsynchronous: Bool { traits.contains(.isBodyAsynchronous) }

    /// Says that the body is an asynchronous closure, when the job is made.
    final func becomeAsynchronous() { traits.insert(.isBodyAsynchronous) }

    /// Makes the job a barrier, before it is added.
    final func becomeBarrier() { traits.insert(.isBarrier) }
}

// MARK: - Identity

extension Job: Hashable {
    public static func == (left: Job, right: Job) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Job {
    /// The name of a job in this process.
    public struct ID: Hashable, Comparable, Sendable, CustomStringConvertible {
        let rawValue: UInt64

        private static let last = Atomic<UInt64>(0)

        static func next() -> ID { ID(rawValue: last.wrappingAdd(1, ordering: .relaxed).newValue) }

        public static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
        public var description: String { "#\(rawValue)" }
    }

    /// How urgent a job is among the ready jobs of its queue.
    public enum QueuePriority: Int8, Sendable, Comparable, CaseIterable {
        case veryLow = -8
        case low = -4
        case normal = 0
        case high = 4
        case veryHigh = 8

        public static func < (left: QueuePriority, right: QueuePriority) -> Bool { left.rawValue < right.rawValue }

        /// The machine's lane: 0 for the lowest.
        var lane: UInt8 { Self.lane(ofCode: rawValue) }

        static func lane(ofCode rawValue: Int8) -> UInt8 { UInt8(truncatingIfNeeded: (rawValue &+ 8) / 4) }
    }

    /// Where a job is in its life. Phases only go down this list, except that a ready job waits again when it gets a dependency in time.
    public enum Phase: Sendable, Hashable {
        /// In no queue yet.
        case created
        /// In a queue, but a dependency is unmet or `isReady` said no.
        case waiting
        /// In a queue, and next when a slot is free.
        case ready
        /// Its work is under way.
        case executing
        /// Ended; `outcome` says how.
        case finished

        init(_ phase: JobPhase) {
            switch phase {
            case .created: self = .created
            case .waiting: self = .waiting
            case .ready: self = .ready
            case .executing: self = .executing
            case .finished: self = .finished
            }
        }
    }

    /// How a job ended.
    public enum Outcome: Sendable {
        case succeeded
        case failed(any Error)
        case cancelled(CancellationReason)
    }

    /// Why a job was cancelled. An open set: compare with the members below.
    public struct CancellationReason: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: Hashable, Sendable {
            case requested
            case queueReleased
            case dependency(ID)
            case custom(String)
        }

        private let kind: Kind

        /// Somebody called `cancel()`.
        public static let requested = CancellationReason(kind: .requested)
        /// The last reference to the suspended queue went away.
        public static let queueReleased = CancellationReason(kind: .queueReleased)
        /// A dependency that was required to succeed did not; the job that began it is named.
        public static func dependency(_ id: ID) -> CancellationReason { CancellationReason(kind: .dependency(id)) }
        /// A reason of the caller's own.
        public static func custom(_ text: String) -> CancellationReason { CancellationReason(kind: .custom(text)) }

        public var description: String {
            switch kind {
            case .requested: "requested"
            case .queueReleased: "the queue was released"
            case .dependency(let id): "dependency \(id) did not succeed"
            case .custom(let text): text
            }
        }

        /// The job that a cancellation by dependency began with.
        var root: ID? {
            guard case .dependency(let id) = kind else { return nil }
            return id
        }
    }
}
