// Observing a property of a job, as key-value observation does.

import SchedulingCore
import Synchronization

/// A handle on an observation. Dropping it, like `invalidate()`, ends the observation.
public final class JobObservation: Sendable {
    private let isActive = Atomic(true)
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { invalidate() }

    /// Ends the observation: its handler is not called any more, though a call under way on another thread may still finish.
    public func invalidate() {
        if isActive.exchange(false, ordering: .acquiringAndReleasing) { end() }
    }
}

/// What an observation of a property wants to be told, with the meaning the options have in key-value observation.
public struct JobObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Changes carry the new value.
    public static let new = JobObservingOptions(rawValue: 1)
    /// Changes carry the value before.
    public static let old = JobObservingOptions(rawValue: 2)
    /// The handler is called once with the value at the time of observing, on the observing thread.
    public static let initial = JobObservingOptions(rawValue: 4)
    /// The handler is also called before each change.
    public static let prior = JobObservingOptions(rawValue: 8)
}

/// One change of an observed property.
public struct JobObservedChange<Value> {
    /// The value after the change, if asked for with `.new`; nil before a change.
    public let newValue: Value?
    /// The value before the change, if asked for with `.old`.
    public let oldValue: Value?
    /// Whether the change is still to come.
    public let isPrior: Bool
}

/// What a job can be observed through; exists so that the key path's root is the subclass.
public protocol JobObservable: AnyObject {}

extension JobObservable where Self: Job {
    /// Observes a property until the returned handle is dropped or the job has ended.
    ///
    /// The property is read again after each transition of the job and each `didChangeValue`, and reported when it differs from what was
    /// reported last. Changes that the engine makes are reported on a worker of the job's queue; those of a hand-made post inside
    /// `didChangeValue`, on its thread.
    ///
    /// ```swift
    /// let observation = job.observe(\.isFinished) { job, _ in print(job, "has ended") }
    /// ```
    public func observe<Value: Equatable & Sendable>(
        _ keyPath: any KeyPath<Self, Value> & Sendable, options: JobObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, JobObservedChange<Value>) -> Void
    ) -> JobObservation {
        let observation = Observation<Self, Value>(
            keyPath: keyPath, key: Self.key(of: keyPath), options: options, handler: changeHandler)
        let extras = extrasOrNew
        observation.begin(on: self) {
            extras.contents.withLock { contents in
                if self.jobState.isClosed { return }
                contents.observations.append(observation)
                extras.isObserved.store(true, ordering: .sequentiallyConsistent)
            }
        }
        return JobObservation { [weak extras, weak observation] in
            guard let observation else { return }
            observation.stop()
            extras?.contents.withLock { contents in
                contents.observations.removeAll { $0 === observation }
                if contents.observations.isEmpty { extras?.isObserved.store(false, ordering: .sequentiallyConsistent) }
            }
        }
    }

    /// The name of the property, if it is one that the engine changes.
    private static func key<Value>(of keyPath: KeyPath<Self, Value>) -> JobKey? {
        if Value.self == AsyncJob.State.self { return .state }
        let path: AnyKeyPath = keyPath
        let isReady: KeyPath<Self, Bool> = \.isReady
        let isExecuting: KeyPath<Self, Bool> = \.isExecuting
        let isFinished: KeyPath<Self, Bool> = \.isFinished
        let isCancelled: KeyPath<Self, Bool> = \.isCancelled
        return switch path {
        case isReady: .isReady
        case isExecuting: .isExecuting
        case isFinished: .isFinished
        case isCancelled: .isCancelled
        default: nil
        }
    }
}

/// An observation whose root and value are forgotten.
protocol PropertyObservation: AnyObject, Sendable {
    /// The property's name, nil if it is one of a subclass.
    var key: JobKey? { get }
    /// The property is about to change.
    func announce(on job: Job)
    /// The property may have changed.
    func look(at job: Job)
}

/// One observer of one property of one job.
private final class Observation<Root: Job, Value: Equatable & Sendable>: PropertyObservation {
    private struct Progress: Sendable {
        var last: Value?
        /// A thread is reading and reporting.
        var isLooking = false
        /// Another thread wanted to look meanwhile.
        var mustLookAgain = false
        /// The change to come was announced.
        var isAnnounced = false
        var isActive = true
    }

    let key: JobKey?
    private let keyPath: any KeyPath<Root, Value> & Sendable
    private let options: JobObservingOptions
    private let handler: @Sendable (Root, JobObservedChange<Value>) -> Void
    private let progress = Locked(Progress())

    init(
        keyPath: any KeyPath<Root, Value> & Sendable, key: JobKey?, options: JobObservingOptions,
        handler: @escaping @Sendable (Root, JobObservedChange<Value>) -> Void
    ) {
        self.keyPath = keyPath
        self.key = key
        self.options = options
        self.handler = handler
    }

    func stop() { progress.withLock { $0.isActive = false } }

    /// Joins the job's observers, then reads the first value; a change that comes by meanwhile is looked at afterwards.
    func begin(on job: Root, join: () -> Void) {
        progress.withLock { $0.isLooking = true }
        join()
        let value = job[keyPath: keyPath]
        progress.withLock { $0.last = value }
        if options.contains(.initial) { handler(job, change(from: nil, to: value)) }
        lookUntilQuiet(at: job, mustRead: false)
    }

    func announce(on job: Job) {
        guard options.contains(.prior), let root = job as? Root else { return }
        let old = progress.withLock { progress -> Value?? in
            guard progress.isActive, !progress.isAnnounced else { return nil }
            progress.isAnnounced = true
            return .some(progress.last)
        }
        if let old { report(prior: old, on: root) }
    }

    func look(at job: Job) {
        guard let root = job as? Root else { return }
        let mayLook = progress.withLock { progress in
            if progress.isLooking {
                progress.mustLookAgain = true
                return false
            }
            progress.isLooking = true
            return true
        }
        if mayLook { lookUntilQuiet(at: root, mustRead: true) }
    }

    private func lookUntilQuiet(at job: Root, mustRead: Bool) {
        var mustRead = mustRead
        while true {
            if mustRead { reportDifference(on: job) }
            let isQuiet = progress.withLock { progress in
                if progress.mustLookAgain {
                    progress.mustLookAgain = false
                    return false
                }
                progress.isLooking = false
                return true
            }
            if isQuiet { return }
            mustRead = true
        }
    }

    private func reportDifference(on job: Root) {
        let value = job[keyPath: keyPath]
        let (isReported, old, isAnnounced) = progress.withLock { progress -> (Bool, Value?, Bool) in
            guard progress.isActive, progress.last != value else { return (false, nil, false) }
            let old = progress.last
            let isAnnounced = progress.isAnnounced
            progress.last = value
            progress.isAnnounced = false
            return (true, old, isAnnounced)
        }
        guard isReported else { return }
        if options.contains(.prior) && !isAnnounced { report(prior: old, on: job) }
        handler(job, change(from: old, to: value))
    }

    private func report(prior old: Value?, on job: Root) {
        handler(job, JobObservedChange(newValue: nil, oldValue: options.contains(.old) ? old : nil, isPrior: true))
    }

    private func change(from old: Value?, to new: Value) -> JobObservedChange<Value> {
        JobObservedChange(
            newValue: options.contains(.new) ? new : nil, oldValue: options.contains(.old) ? old : nil, isPrior: false)
    }
}
