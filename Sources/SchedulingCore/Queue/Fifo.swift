// First in, first out, in a circular buffer.

/// A queue of values that gives its memory back when it runs empty after a burst.
@usableFromInline
package struct Fifo<Element> {
    @usableFromInline var ring: Ring<Element>?
    /// As the ring says, at hand because most looks find nothing.
    @usableFromInline package internal(set) var count = 0

    @inlinable
    package init() {}

    /// For how many there is room.
    @inlinable
    package var capacity: Int { ring.map { ring in ring.withUnsafeMutablePointerToHeader { $0.pointee.capacity } } ?? 0 }

    @inlinable package var isEmpty: Bool { count == 0 }
    @inlinable package var first: Element? { isEmpty ? nil : self[0] }

    /// The element that has so many before it; there must be one.
    @inlinable
    subscript(offset: Int) -> Element {
        ring.unsafelyUnwrapped.withUnsafeMutablePointers { header, slots in slots[header.pointee.slot(offset)] }
    }

    @inlinable
    package mutating func append(_ element: Element) {
        if !isKnownUniquelyReferenced(&ring) || ring.unsafelyUnwrapped.isFull { moveElements() }
        ring.unsafelyUnwrapped.append(element)
        count &+= 1
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        if isEmpty { return nil }
        if !isKnownUniquelyReferenced(&ring) { moveElements() }
        let element = ring.unsafelyUnwrapped.removeFirst()
        count &-= 1
        if count == 0 && ring.unsafelyUnwrapped.isLarge { ring = nil }
        return element
    }

    /// Moves on to a ring of its own, and to a larger one if this is full. Inlinable, so that its loop is made for the type of the elements.
    @inlinable @inline(never)
    mutating func moveElements() {
        let new = Ring<Element>.make(capacity: count == capacity ? Swift.max(16, 2 * capacity) : capacity)
        for offset in 0..<count { new.append(self[offset]) }
        ring = new
    }
}

extension Fifo: Sequence {
    @inlinable
    package func makeIterator() -> some IteratorProtocol<Element> { (0..<count).lazy.map { self[$0] }.makeIterator() }
}

// Unchecked for the ring, which nobody changes while others have it.
extension Fifo: @unchecked Sendable where Element: Sendable {}

/// Where the elements of a ring are; its capacity is a power of two.
@usableFromInline
struct RingHeader {
    @usableFromInline var head = 0
    @usableFromInline var count = 0
    @usableFromInline let capacity: Int

    @inlinable
    init(capacity: Int) { self.capacity = capacity }

    @inlinable
    func slot(_ offset: Int) -> Int { (head &+ offset) & (capacity &- 1) }
}

/// The memory of a `Fifo`: slots of which only those in use are initialized.
@usableFromInline
final class Ring<Element>: ManagedBuffer<RingHeader, Element> {
    @inlinable
    static func make(capacity: Int) -> Ring<Element> {
        unsafeDowncast(create(minimumCapacity: capacity) { _ in RingHeader(capacity: capacity) }, to: Ring<Element>.self)
    }

    deinit {
        while !isEmpty { _ = removeFirst() }
    }

    @inlinable var isEmpty: Bool { withUnsafeMutablePointerToHeader { $0.pointee.count == 0 } }
    @inlinable var isFull: Bool { withUnsafeMutablePointerToHeader { $0.pointee.count == $0.pointee.capacity } }
    /// Too large to be kept when it is empty.
    @inlinable var isLarge: Bool { withUnsafeMutablePointerToHeader { $0.pointee.capacity > 1024 } }

    @inlinable
    func append(_ element: Element) {
        withUnsafeMutablePointers { header, slots in
            (slots + header.pointee.slot(header.pointee.count)).initialize(to: element)
            header.pointee.count &+= 1
        }
    }

    @inlinable
    func removeFirst() -> Element {
        withUnsafeMutablePointers { header, slots in
            let element = (slots + header.pointee.head).move()
            header.pointee.head = header.pointee.slot(1)
            header.pointee.count &-= 1
            return element
        }
    }
}
