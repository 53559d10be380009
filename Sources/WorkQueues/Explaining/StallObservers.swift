// Who wants to be told that a queue has stalled.

import Synchronization

/// The observers of a queue's stalls.
final class StallObservers: Sendable {
    final class Subscription: Sendable {
        let report: @Sendable (QueueExplanation) -> Void

        init(_ report: @escaping @Sendable (QueueExplanation) -> Void) { self.report = report }
    }

    private let subscriptions = Locked<[Subscription]>([])
    private let exist = Atomic(false)

    /// Whether anybody wants to know: a queue that nobody asks does not look.
    var isEmpty: Bool { !exist.load(ordering: .sequentiallyConsistent) }

    func add(_ subscription: Subscription) {
        subscriptions.withLock { subscriptions in
            subscriptions.append(subscription)
            exist.store(true, ordering: .sequentiallyConsistent)
        }
    }

    func remove(_ subscription: Subscription) {
        let removed = subscriptions.withLock { subscriptions in
            let removed = subscriptions
            subscriptions.removeAll { $0 === subscription }
            exist.store(!subscriptions.isEmpty, ordering: .sequentiallyConsistent)
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    func report(_ explanation: QueueExplanation) {
        for subscription in subscriptions.withLock({ $0 }) { subscription.report(explanation) }
    }
}

extension WorkQueue {
    /// Calls `body` when the queue has stalled: it has jobs, and as things are none of them can ever run, because each waits, through
    /// whatever others, for jobs that were never added, or whose `isReady` says no.
    ///
    /// It gets the explanation of that moment. Called on a worker, a second after the queue came to stand still, and once until a job
    /// comes or goes; until the returned handle is dropped or invalidated. A queue that is suspended, or of width 0, has not stalled:
    /// whoever did that can undo it. A queue that nobody observes in this way does not look.
    ///
    /// ```swift
    /// let stalls = queue.observeStalls { print("Nothing can run any more:", $0) }
    /// ```
    public func observeStalls(_ body: @escaping @Sendable (QueueExplanation) -> Void) -> JobObservation {
        let subscription = StallObservers.Subscription(body)
        engine.stallObservers.add(subscription)
        // It may stand still already.
        engine.decide { _, _ in }
        return JobObservation { [weak observers = engine.stallObservers] in observers?.remove(subscription) }
    }
}
