// A moment that one thread notes and another one reads.

import Synchronization

final class Moment: Sendable {
    private let nanoseconds = Atomic<UInt64>(0)

    /// Notes that it is now.
    func note() { nanoseconds.store(Clock.now, ordering: .releasing) }

    /// Nanoseconds from another moment to this one. Both must have been noted.
    func since(_ earlier: Moment) -> Double { Double(value) - Double(earlier.value) }

    private var value: UInt64 { nanoseconds.load(ordering: .acquiring) }
}
