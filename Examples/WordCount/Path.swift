// A path as the bytes the system knows it by, which need not be UTF-8.

struct Path: Sendable, CustomStringConvertible {
    /// The bytes, with a zero at the end, ready for a call to the system.
    let bytes: [CChar]

    init(_ bytes: UnsafePointer<CChar>) {
        var length = 0
        while bytes[length] != 0 { length += 1 }
        self.bytes = Array(UnsafeBufferPointer(start: bytes, count: length + 1))
    }

    private init(bytes: [CChar]) { self.bytes = bytes }

    func appending(_ name: UnsafePointer<CChar>) -> Path {
        Path(bytes: bytes.dropLast() + [CChar(UInt8(ascii: "/"))] + Path(name).bytes)
    }

    var description: String { String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }
}
