// Hand-made posts: a subclass says that one of its properties is about to change or has changed.

import SchedulingCore
import Synchronization

extension Job {
    /// Says that a property is about to change. `key` is "isReady", "isExecuting", "isFinished" or "isCancelled".
    public final func willChangeValue(forKey key: String) { announceChange(of: JobKey(rawValue: key)) }

    /// Says that a property has changed, and makes the queue act on it: `isFinished` that is true ends the job, `isReady` is asked again.
    ///
    /// A post is never missed, also before the job is added, or without its `willChangeValue`. It may be made on any thread; observers
    /// of the property are called on that thread, everything else is done by a worker.
    public final func didChangeValue(forKey key: String) { takePost(of: JobKey(rawValue: key)) }

    /// Says that a property is about to change.
    public final func willChangeValue<Value>(for keyPath: KeyPath<Job, Value>) { announceChange(of: Self.key(of: keyPath)) }

    /// Says that a property has changed, as `didChangeValue(forKey:)` does.
    public final func didChangeValue<Value>(for keyPath: KeyPath<Job, Value>) { takePost(of: Self.key(of: keyPath)) }

    private static func key(of keyPath: AnyKeyPath) -> JobKey? {
        switch keyPath {
        case \Job.isReady: .isReady
        case \Job.isExecuting: .isExecuting
        case \Job.isFinished: .isFinished
        case \Job.isCancelled: .isCancelled
        default: nil
        }
    }

    final func announceChange(of key: JobKey?) {
        for observation in observations where observation.key == key { observation.announce(on: self) }
    }

    private final func takePost(of key: JobKey?) {
        noticeChange(of: key)
        switch key {
        case .isFinished where isFinished: end(error: nil)
        case .isReady:
            if update({ $0.post() }) { QueueDirectory.shared.engine(queueID)?.place(self) }
        case .isFinished, .isExecuting, .isCancelled, .state, nil: break
        }
    }

    /// Has every observer read its property again, those of `key` first: an override may follow from anything.
    final func noticeChange(of key: JobKey?) {
        let all = observations
        for observation in all where observation.key == key { observation.look(at: self) }
        for observation in all where observation.key != key { observation.look(at: self) }
    }

    private final var observations: [any PropertyObservation] {
        guard let extras, extras.isObserved.load(ordering: .sequentiallyConsistent) else { return [] }
        return extras.contents.withLock { $0.observations }
    }
}
