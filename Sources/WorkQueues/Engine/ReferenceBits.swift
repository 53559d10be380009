// References as plain words, for atomics and for records that know nothing of classes.

extension Unmanaged {
    /// The reference that `bits` was made of; nil for 0.
    @inline(__always)
    init?(bits: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
        self = .fromOpaque(pointer)
    }

    /// The reference as a word, which is never 0.
    @inline(__always)
    var bits: UInt { UInt(bitPattern: toOpaque()) }
}
