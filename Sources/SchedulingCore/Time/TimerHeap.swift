// The deadlines that somebody waits for, earliest first.

/// A binary heap of deadlines, from which any one can be taken out by its token.
///
/// Deadlines are nanoseconds on whatever clock the caller reads. Equal ones come out in the order in which they were put in.
///
/// Cost: inserting, removing and popping are O(log n); the earliest deadline is known at once.
package struct TimerHeap: Sendable {
    private struct Entry {
        let deadline: UInt64
        let sequence: UInt64
        let slot: Int

        func isBefore(_ other: Entry) -> Bool {
            (deadline, sequence) < (other.deadline, other.sequence)
        }
    }

    /// Where the timer of a token is in the heap. Entries move through the heap by way of their slots, so that a token is hashed
    /// once when it comes and once when it goes.
    private struct Slot {
        let token: UInt64
        var position: Int
    }

    /// A heap that was never larger than this keeps its storage when its last timer goes.
    private static let keptCapacity = 4096

    private var heap: [Entry] = []
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var slotOfToken: [UInt64: Int] = [:]
    private var nextSequence: UInt64 = 0

    package init() {}

    package var count: Int { heap.count }

    package var isEmpty: Bool { heap.isEmpty }

    /// The deadline that comes first, in nanoseconds, or nil when there is none.
    package var earliest: UInt64? { heap.first?.deadline }

    /// Puts in a deadline under a token; one that the token had already is replaced.
    package mutating func insert(deadline: UInt64, token: UInt64) {
        remove(token: token)
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count {
            slots.append(Slot(token: token, position: heap.count))
        } else {
            slots[slot] = Slot(token: token, position: heap.count)
        }
        slotOfToken[token] = slot
        heap.append(Entry(deadline: deadline, sequence: nextSequence, slot: slot))
        nextSequence += 1
        siftUp(from: heap.count - 1)
    }

    /// Takes the deadline of a token out; false when it has none.
    @discardableResult
    package mutating func remove(token: UInt64) -> Bool {
        guard let slot = slotOfToken[token] else { return false }
        remove(at: slots[slot].position)
        return true
    }

    /// Takes out the token whose deadline is first, if that is at or before `now`; called until it returns nil, it gives all that are due.
    package mutating func popDue(now: UInt64) -> UInt64? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        let token = slots[first.slot].token
        remove(at: 0)
        return token
    }

    private mutating func remove(at position: Int) {
        let slot = heap[position].slot
        slotOfToken[slots[slot].token] = nil
        freeSlots.append(slot)
        let last = heap.removeLast()
        if position < heap.count {
            set(last, at: position)
            siftDown(from: position)
            siftUp(from: position)
        }
        if heap.isEmpty {
            giveBackStorage()
        }
    }

    private mutating func giveBackStorage() {
        if slots.count > Self.keptCapacity {
            heap = []
            slots = []
            freeSlots = []
            slotOfToken = [:]
        }
    }

    private mutating func set(_ entry: Entry, at position: Int) {
        heap[position] = entry
        slots[entry.slot].position = position
    }

    private mutating func siftUp(from position: Int) {
        let entry = heap[position]
        var hole = position
        while hole > 0, entry.isBefore(heap[(hole - 1) / 2]) {
            set(heap[(hole - 1) / 2], at: hole)
            hole = (hole - 1) / 2
        }
        set(entry, at: hole)
    }

    private mutating func siftDown(from position: Int) {
        let entry = heap[position]
        var hole = position
        while true {
            var child = 2 * hole + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) {
                child += 1
            }
            guard heap[child].isBefore(entry) else { break }
            set(heap[child], at: hole)
            hole = child
        }
        set(entry, at: hole)
    }
}
