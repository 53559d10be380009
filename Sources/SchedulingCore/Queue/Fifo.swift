// First in, first out, in a circular buffer.

/// A queue of values that gives its memory back when it runs empty after a burst.
@usableFromInline
package struct Fifo<Element> {
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline package internal(set) var count = 0

    @inlinable
    package init() {}

    @inlinable package var isEmpty: Bool { count == 0 }
    @inlinable package var first: Element? { count == 0 ? nil : slots[head] }
    @inlinable package var last: Element? { count == 0 ? nil : slots[(head + count - 1) & (slots.count - 1)] }

    @inlinable
    package mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        slots[(head + count) & (slots.count - 1)] = element
        count += 1
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = slots[head]
        slots[head] = nil
        head = (head + 1) & (slots.count - 1)
        count -= 1
        if count == 0 && slots.count > 1024 {
            slots = []
            head = 0
        }
        return element
    }

    @usableFromInline
    mutating func grow() {
        var larger = [Element?](repeating: nil, count: Swift.max(16, slots.count * 2))
        for offset in 0..<count { larger[offset] = slots[(head + offset) & (slots.count - 1)] }
        slots = larger
        head = 0
    }
}

extension Fifo: Sequence {
    @inlinable
    package func makeIterator() -> some IteratorProtocol<Element> {
        (0..<count).lazy.compactMap { slots[(head + $0) & (slots.count - 1)] }.makeIterator()
    }
}

extension Fifo: Sendable where Element: Sendable {}
