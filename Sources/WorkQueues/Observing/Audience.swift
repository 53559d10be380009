// Who observes a queue, as the threads that deliver read it: without a lock.

import Synchronization

/// One observer's place among those of a queue.
final class Subscription: Sendable {
    /// The stamp of joining: later events are delivered.
    let joined: UInt64
    let observer: ObjectIdentifier?
    let isActive = Atomic(true)
    let record: @Sendable (JobEvent) -> Void
    /// Called when the queue ends.
    let end: (@Sendable () -> Void)?

    init(joined: UInt64, observer: ObjectIdentifier?, record: @escaping @Sendable (JobEvent) -> Void, end: (@Sendable () -> Void)? = nil) {
        self.joined = joined
        self.observer = observer
        self.record = record
        self.end = end
    }

    @inline(__always)
    fileprivate func hear(_ event: JobEvent) {
        if joined < event.sequence && isActive.load(ordering: .acquiring) { record(event) }
    }
}

/// The observers of a queue at one time. Never changed; another one takes its place.
final class Audience: @unchecked Sendable {
    // Unchecked for the pointer to memory of its own, which is filled in `init` and only read afterwards. Members are held by hand, so that
    // a thread that tells them something need not count its reference to each.
    private let members: UnsafeMutableBufferPointer<Unmanaged<Subscription>>

    init(_ subscriptions: [Subscription]) {
        members = .allocate(capacity: subscriptions.count)
        _ = members.initialize(fromContentsOf: subscriptions.map { Unmanaged.passRetained($0) })
    }

    deinit {
        for member in members { member.release() }
        members.deallocate()
    }

    @inline(__always)
    func hear(_ event: JobEvent) {
        for member in members { member._withUnsafeGuaranteedRef { $0.hear(event) } }
    }
}

/// The present audience, which many threads read and few replace.
///
/// Reading is a *visit*, and visits are counted. A replaced audience is let go of at a moment, after it was replaced, at which no visit was
/// under way: whoever came before that moment has left, and whoever comes after it finds the new one. Who replaces looks for that moment at
/// once; if visits are under way, it leaves a mark with their count, and the visit that leaves none but the mark looks again.
struct CurrentAudience: ~Copyable, Sendable {
    /// The audiences that were replaced while somebody visited, for the lock of who replaces.
    struct Replaced: Sendable {
        fileprivate var audiences: [Audience] = []
    }

    /// Audiences were replaced and wait for the end of the visits.
    private static let mark: UInt = 1
    private static let oneVisit: UInt = 2
    private let visits = Atomic<UInt>(0)
    private let bits = Atomic<UInt>(0)

    deinit { Unmanaged<Audience>(bits: bits.load(ordering: .acquiring))?.release() }

    /// Reads the audience. True if the caller is to look for replaced ones: `takeReplaced`, under the lock.
    @inline(__always)
    func visit(_ body: (Audience) -> Void) -> Bool {
        // Sequentially consistent, as the exchange of the audience and the look at the visits are: of a visitor that counts itself and then
        // reads the audience, and somebody who replaces it and then reads the count, one sees the other.
        visits.add(Self.oneVisit, ordering: .sequentiallyConsistent)
        Unmanaged<Audience>(bits: bits.load(ordering: .sequentiallyConsistent))?._withUnsafeGuaranteedRef(body)
        return visits.subtract(Self.oneVisit, ordering: .sequentiallyConsistent).newValue == Self.mark
    }

    /// Puts another audience in the place of the present one; under the lock. To be released outside it: what can be let go of.
    func replace(by audience: Audience?, _ replaced: inout Replaced) -> [Audience] {
        let old = bits.exchange(audience.map { Unmanaged.passRetained($0).bits } ?? 0, ordering: .sequentiallyConsistent)
        if let old = Unmanaged<Audience>(bits: old) { replaced.audiences.append(old.takeRetainedValue()) }
        visits.bitwiseOr(Self.mark, ordering: .sequentiallyConsistent)
        return takeReplaced(&replaced)
    }

    /// What nobody can be reading any more; under the lock.
    func takeReplaced(_ replaced: inout Replaced) -> [Audience] {
        guard visits.load(ordering: .sequentiallyConsistent) == Self.mark else { return [] }
        visits.bitwiseAnd(~Self.mark, ordering: .sequentiallyConsistent)
        defer { replaced.audiences = [] }
        return replaced.audiences
    }
}
