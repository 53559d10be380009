// Counts how many are inside at once, how many were at most, and how many came in all.
import Synchronization

final class Meter: Sendable {
    private let inside = Atomic<Int>(0)
    private let highest = Atomic<Int>(0)
    private let entries = Atomic<Int>(0)

    init() {}

    var current: Int { inside.load(ordering: .sequentiallyConsistent) }
    var peak: Int { highest.load(ordering: .sequentiallyConsistent) }
    var total: Int { entries.load(ordering: .sequentiallyConsistent) }

    func enter() {
        entries.wrappingAdd(1, ordering: .sequentiallyConsistent)
        let now = inside.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
        highest.max(now, ordering: .sequentiallyConsistent)
    }

    func leave() {
        inside.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
}
