// An object that most jobs never need, made once by whoever needs it first.

import Synchronization

/// A reference that is empty at first, is set once, and is released with its owner.
///
/// `AtomicLazyReference` of the standard library does the same, but the compiler does not make its code for the type at hand (Swift 6.3):
/// each look searched for types at run time, which took a thousand instructions.
struct LazyReference<Value: AnyObject & Sendable>: ~Copyable {
    private let bits = Atomic<UInt>(0)

    deinit { Self.reference(bits.load(ordering: .acquiring))?.release() }

    /// The object, if there is one. Sequentially consistent, as is the setting: of two threads that each set one thing and then look at
    /// the other's, one sees it.
    @inline(__always)
    var value: Value? { Self.reference(bits.load(ordering: .sequentiallyConsistent))?.takeUnretainedValue() }

    /// The object; if there is none, the one that `make` makes, unless another thread is faster.
    @inline(__always)
    func value(orMake make: () -> Value) -> Value { value ?? set(make()) }

    private func set(_ value: Value) -> Value {
        let made = Unmanaged.passRetained(value)
        let (isSet, known) = bits.compareExchange(
            expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .sequentiallyConsistent)
        if isSet { return value }
        made.release()
        return Self.reference(known).unsafelyUnwrapped.takeUnretainedValue()
    }

    @inline(__always)
    private static func reference(_ bits: UInt) -> Unmanaged<Value>? { UnsafeRawPointer(bitPattern: bits).map { Unmanaged.fromOpaque($0) } }
}
