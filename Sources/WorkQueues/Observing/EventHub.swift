// The observers of one queue, and the stamps that order its events.

import Synchronization

/// Numbers events and hands them to whoever observes the queue.
final class EventHub: Sendable {
    private struct Members: Sendable {
        var subscriptions: [Subscription] = []
        var replaced = CurrentAudience.Replaced()
    }

    /// Counts the queues of the process that have observers, so that a job on a process without any pays one load.
    private static let observedHubs = Atomic<Int>(0)
    static var anyObserved: Bool { observedHubs.load(ordering: .sequentiallyConsistent) != 0 }

    private let clock: EventClock
    private let lastStamp = Atomic<UInt64>(0)
    private let audience = CurrentAudience()
    private let observed = Atomic(false)
    private let members = Locked(Members())

    init(time: any TimeSource) {
        clock = EventClock(time)
    }

    @inline(__always)
    var isObserved: Bool { observed.load(ordering: .sequentiallyConsistent) }

    /// A stamp that is larger than every stamp before it and no earlier than the clock: number and time in one word, so that no lock is
    /// needed to make both agree.
    ///
    /// With a `count`, the first of so many successive stamps, for what happens at once.
    func stamp(count: UInt64 = 1) -> UInt64 {
        let now = clock.read()
        var last = lastStamp.load(ordering: .relaxed)
        while true {
            let next = max(now, last + 1)
            let (exchanged, current) = lastStamp.weakCompareExchange(
                expected: last, desired: next + (count - 1), ordering: .acquiringAndReleasing)
            if exchanged { return next }
            last = current
        }
    }

    func deliver(_ kind: JobEvent.Kind, stamp: UInt64, job: Job?) {
        let mustLook = audience.visit { audience in audience.hear(event(kind, stamp: stamp, job: job)) }
        if mustLook { letGoOfReplaced() }
    }

    /// Delivers two events of a job in a row, with successive stamps. Who comes to observe during the first hears neither: it joins later
    /// than both were stamped.
    func deliver(_ first: JobEvent.Kind, and second: JobEvent.Kind, firstStamp stamp: UInt64, job: Job) {
        let mustLook = audience.visit { audience in
            audience.hear(event(first, stamp: stamp, job: job))
            audience.hear(event(second, stamp: stamp + 1, job: job))
        }
        if mustLook { letGoOfReplaced() }
    }

    @inline(__always)
    private func event(_ kind: JobEvent.Kind, stamp: UInt64, job: Job?) -> JobEvent {
        JobEvent(job: job, sequence: stamp, moment: clock.moment(of: stamp), kind: kind)
    }

    private func letGoOfReplaced() {
        let garbage = members.withLock { members in audience.takeReplaced(&members.replaced) }
        withExtendedLifetime(garbage) {}
    }

    func subscribe(
        observer: ObjectIdentifier? = nil, record: @escaping @Sendable (JobEvent) -> Void, end: (@Sendable () -> Void)? = nil
    ) -> Subscription? {
        let subscription = Subscription(joined: stamp(), observer: observer, record: record, end: end)
        let (isNew, garbage) = members.withLock { members -> (Bool, [Audience]) in
            if let observer, members.subscriptions.contains(where: { $0.observer == observer }) { return (false, []) }
            members.subscriptions.append(subscription)
            return (true, publish(&members))
        }
        withExtendedLifetime(garbage) {}
        return isNew ? subscription : nil
    }

    func unsubscribe(where isMeant: (Subscription) -> Bool) {
        let (removed, garbage) = members.withLock { members -> ([Subscription], [Audience]) in
            let removed = members.subscriptions.filter(isMeant)
            if removed.isEmpty { return ([], []) }
            members.subscriptions.removeAll(where: isMeant)
            return (removed, publish(&members))
        }
        for subscription in removed { subscription.isActive.store(false, ordering: .releasing) }
        withExtendedLifetime(garbage) {}
    }

    /// The queue ended.
    func end() {
        let (all, garbage) = members.withLock { members in
            let all = members.subscriptions
            members.subscriptions = []
            return (all, publish(&members))
        }
        for subscription in all { subscription.end?() }
        withExtendedLifetime(garbage) {}
    }

    /// Makes the list the one that is read; under the lock. To be released outside it: audiences that nobody reads any more.
    private func publish(_ members: inout Members) -> [Audience] {
        let isEmpty = members.subscriptions.isEmpty
        setObserved(!isEmpty)
        return audience.replace(by: isEmpty ? nil : Audience(members.subscriptions), &members.replaced)
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
