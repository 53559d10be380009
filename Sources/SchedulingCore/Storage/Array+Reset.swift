// Emptying an array that is used again, without keeping what a burst needed.

extension Array {
    /// Empties the array, and gives its storage back when that is larger than `limit` elements.
    @inlinable
    package mutating func reset(keeping limit: Int) {
        if capacity > limit {
            self = []
        } else if !isEmpty {
            removeAll(keepingCapacity: true)
        }
    }
}
