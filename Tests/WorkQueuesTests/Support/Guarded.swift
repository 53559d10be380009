// A value behind a lock that the thread sanitizer can see.
import Foundation

/// `NSLock` rather than `Mutex`: the sanitizer knows the lock below it, so that it judges the engine and not the tests.
final class Guarded<Value>: @unchecked Sendable {
    // Unchecked: the only stored variable is touched under the lock alone.
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
    }

    func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

extension Guarded where Value: Sendable {
    var current: Value {
        with { $0 }
    }

    func set(_ value: Value) {
        with { $0 = value }
    }
}
