// How much of a download has arrived.

struct Progress: Sendable, CustomStringConvertible {
    var received: Int64 = 0

    /// What the server has announced; nil if it did not.
    var expected: Int64?

    /// From 0 to 1; 0 while nobody knows how much there is to come.
    var fraction: Double {
        guard let expected, expected > 0 else { return 0 }
        return min(1, Double(received) / Double(expected))
    }

    var description: String {
        guard let expected, received != expected else { return "\(received) bytes" }
        return "\(received) of \(expected) bytes"
    }
}
