// Where a job keeps its value.

/// Room for one value of any type: in place if it is no larger than a word, else on the heap.
///
/// The type is not a parameter of the slot. A stored `Success?` would be of a type that the runtime has to look up each time when generic
/// code touches it (measured: a sixth of the cost of a small job); every call names the type instead, and it must be the same one. Who
/// has a slot knows whether it is full, asks for the value of a full one only, and destroys that, once.
struct ValueSlot {
    private var word: UInt = 0

    @inline(__always)
    private static func fits<Value>(_ type: Value.Type) -> Bool {
        MemoryLayout<Value>.size <= MemoryLayout<UInt>.size && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
    }

    init() {}

    @inline(__always)
    init<Value>(_ value: Value) {
        if Self.fits(Value.self) {
            withUnsafeMutableBytes(of: &word) { _ = $0.baseAddress.unsafelyUnwrapped.initializeMemory(as: Value.self, to: value) }
        } else {
            let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            place.initialize(to: value)
            word = UInt(bitPattern: place)
        }
    }

    func value<Value>(_ type: Value.Type) -> Value {
        if Self.fits(Value.self) {
            return withUnsafeBytes(of: word) { $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Value.self).pointee }
        }
        return UnsafePointer<Value>(bitPattern: word).unsafelyUnwrapped.pointee
    }

    @inline(__always)
    func destroy<Value>(_ type: Value.Type) {
        if Self.fits(Value.self) {
            var word = word
            withUnsafeMutableBytes(of: &word) {
                _ = $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
            }
        } else {
            let place = UnsafeMutablePointer<Value>(bitPattern: word).unsafelyUnwrapped
            place.deinitialize(count: 1)
            place.deallocate()
        }
    }
}
