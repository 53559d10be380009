// The observers of one queue, and the stamps that order its events.

import Synchronization

/// Numbers events and hands them to whoever observes the queue.
final class EventHub: Sendable {
    /// One observer's place in the list.
    final class Subscription: Sendable {
        /// The stamp of joining: later events are delivered.
        let joined: UInt64
        let observer: ObjectIdentifier?
        let isActive = Atomic(true)
        let record: @Sendable (JobEvent) -> Void
        /// Called when the queue ends.
        let end: (@Sendable () -> Void)?

        init(
            joined: UInt64, observer: ObjectIdentifier?, record: @escaping @Sendable (JobEvent) -> Void, end: (@Sendable () -> Void)? = nil
        ) {
            self.joined = joined
            self.observer = observer
            self.record = record
            self.end = end
        }
    }

    /// Counts the queues of the process that have observers, so that a job on a process without any pays one load.
    private static let observedHubs = Atomic<Int>(0)
    static var anyObserved: Bool { observedHubs.load(ordering: .sequentiallyConsistent) != 0 }

    private let time: any TimeSource
    private let lastStamp = Atomic<UInt64>(0)
    private let subscriptions = Locked<[Subscription]>([])
    private let observed = Atomic(false)

    init(time: any TimeSource) { self.time = time }

    var isObserved: Bool { observed.load(ordering: .sequentiallyConsistent) }

    /// A stamp that is larger than every stamp before it and no earlier than the clock: number and time in one word, so that no lock is
    /// needed to make both agree.
    func stamp() -> UInt64 {
        let now = time.eventNow()
        var last = lastStamp.load(ordering: .relaxed)
        while true {
            let next = max(now, last + 1)
            let (exchanged, current) = lastStamp.weakCompareExchange(expected: last, desired: next, ordering: .acquiringAndReleasing)
            if exchanged { return next }
            last = current
        }
    }

    func deliver(_ kind: JobEvent.Kind, stamp: UInt64, job: Job?) {
        let entries = subscriptions.withLock { $0 }
        guard !entries.isEmpty else { return }
        let event = JobEvent(jobID: job?.id, jobName: job?.name, sequence: stamp, instant: time.instant(at: stamp), kind: kind)
        for entry in entries where entry.joined < stamp && entry.isActive.load(ordering: .acquiring) { entry.record(event) }
    }

    func subscribe(
        observer: ObjectIdentifier? = nil, record: @escaping @Sendable (JobEvent) -> Void, end: (@Sendable () -> Void)? = nil
    ) -> Subscription? {
        let subscription = Subscription(joined: stamp(), observer: observer, record: record, end: end)
        return subscriptions.withLock { subscriptions in
            if let observer, subscriptions.contains(where: { $0.observer == observer }) { return nil }
            // A new array each time: a thread that delivers may be reading the old one.
            subscriptions = subscriptions + [subscription]
            setObserved(true)
            return subscription
        }
    }

    func unsubscribe(where isMeant: (Subscription) -> Bool) {
        let removed = subscriptions.withLock { subscriptions in
            let removed = subscriptions.filter(isMeant)
            subscriptions = subscriptions.filter { !isMeant($0) }
            if subscriptions.isEmpty { setObserved(false) }
            return removed
        }
        for subscription in removed { subscription.isActive.store(false, ordering: .releasing) }
    }

    /// The queue ended.
    func end() {
        let all = subscriptions.withLock { subscriptions in
            defer { subscriptions = [] }
            setObserved(false)
            return subscriptions
        }
        for subscription in all { subscription.end?() }
    }

    private func setObserved(_ value: Bool) {
        guard observed.exchange(value, ordering: .sequentiallyConsistent) != value else { return }
        if value {
            Self.observedHubs.add(1, ordering: .sequentiallyConsistent)
        } else {
            Self.observedHubs.subtract(1, ordering: .sequentiallyConsistent)
        }
    }
}
