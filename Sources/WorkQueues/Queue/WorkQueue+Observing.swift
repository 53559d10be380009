// Observing a queue's events.

import SchedulingCore

extension WorkQueue {
    /// Tells `observer` every event from now on, until it is removed or the queue ends; it is held strongly. Adding it twice is adding
    /// it once.
    public func addObserver(_ observer: some JobObserver) {
        _ = engine.hub.subscribe(observer: ObjectIdentifier(observer), record: { observer.record($0) })
    }

    /// Tells `observer` no further events; a call that is under way on another thread may still finish.
    public func removeObserver(_ observer: some JobObserver) {
        let identity = ObjectIdentifier(observer)
        engine.hub.unsubscribe { $0.observer == identity }
    }

    /// Calls `body` with every event until the returned handle is dropped or invalidated, or the queue ends.
    ///
    /// The calling thread is that of the event: a worker for ready, started, finished and idle in general, the causing thread for the
    /// others. Events of one job come one after the other; those of different jobs may come at the same time.
    public func observe(_ body: @escaping @Sendable (JobEvent) -> Void) -> JobObservation {
        let subscription = engine.hub.subscribe(record: body)
        return JobObservation { [weak hub = engine.hub] in hub?.unsubscribe { $0 === subscription } }
    }

    /// The events from now on as an asynchronous sequence. It does not keep the queue alive, and ends with it.
    public func events(
        bufferingPolicy: AsyncStream<JobEvent>.Continuation.BufferingPolicy = .unbounded
    ) -> some AsyncSequence<JobEvent, Never> & Sendable {
        let (stream, continuation) = AsyncStream.makeStream(of: JobEvent.self, bufferingPolicy: bufferingPolicy)
        let subscription = engine.hub.subscribe(record: { continuation.yield($0) }, end: { continuation.finish() })
        continuation.onTermination = { [weak hub = engine.hub] _ in hub?.unsubscribe { $0 === subscription } }
        return stream
    }
}
