// The jobs that could start now, in the order in which they will.

/// An order by priority, then by the time of adding.
///
/// Per priority a ring serves the jobs that become ready in the order they were added (flat work, a fan), and a heap beside it those that
/// become ready out of order; the next job is the smaller of the two heads. Nothing is removed from the middle: an entry whose job no
/// longer stands ready is passed over when its turn comes, and the order is rebuilt when such entries are the majority, so every
/// operation is O(log n) amortised at worst and O(1) for jobs in order.
@usableFromInline
struct ReadyOrder: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var sequence: UInt64
        @usableFromInline var index: UInt32

        @inlinable
        init(sequence: UInt64, index: UInt32) {
            self.sequence = sequence
            self.index = index
        }
    }

    @usableFromInline static let laneCount = 5

    @usableFromInline var lanes = [Lane](repeating: Lane(), count: laneCount)
    /// A bit per lane that has entries.
    @usableFromInline var occupied: UInt8 = 0
    @usableFromInline var entryCount = 0
    /// Jobs that stand in this order; the entries may be more.
    @usableFromInline var count = 0

    @inlinable
    init() {}

    @inlinable
    mutating func insert(_ index: UInt32, _ record: Record) {
        count += 1
        entryCount += 1
        occupied |= 1 << record.lane
        lanes[Int(record.lane)].insert(Entry(sequence: record.sequence, index: index))
    }

    /// Entries of jobs that stand ready no longer are the majority: it is time to rebuild.
    @inlinable
    var isUntidy: Bool { entryCount > 2 * count + 64 }

    /// The job at `index` stands ready no longer; its entry stays until its turn.
    @inlinable
    mutating func forget() { count -= 1 }

    /// The first job of the order, left in place.
    @inlinable
    mutating func first(records: [Record]) -> UInt32? {
        while occupied != 0 {
            let lane = 7 - occupied.leadingZeroBitCount
            while let entry = lanes[lane].first {
                if Self.isValid(entry, lane: lane, records: records) { return entry.index }
                lanes[lane].removeFirst()
                entryCount -= 1
            }
            occupied &= ~(1 << UInt8(lane))
        }
        return nil
    }

    /// Takes the job that `first` returned.
    @inlinable
    mutating func removeFirst() {
        let lane = 7 - occupied.leadingZeroBitCount
        lanes[lane].removeFirst()
        entryCount -= 1
        count -= 1
    }

    /// Takes over every entry of `other`, at the cost of the smaller of both.
    @inlinable
    mutating func merge(_ other: consuming ReadyOrder, records: [Record]) {
        let both = count + other.count
        if other.entryCount > entryCount { swap(&self, &other) }
        for lane in 0..<Self.laneCount {
            for entry in other.lanes[lane].entries where Self.isValid(entry, lane: lane, records: records) {
                insert(entry.index, records[Int(entry.index)])
            }
        }
        count = both
    }

    @inlinable
    static func isValid(_ entry: Entry, lane: Int, records: [Record]) -> Bool {
        let record = records[Int(entry.index)]
        return record.sequence == entry.sequence && Int(record.lane) == lane && record.standing.isPlaced
    }

    @usableFromInline
    mutating func rebuild(records: [Record]) {
        entryCount = 0
        occupied = 0
        for lane in 0..<Self.laneCount {
            lanes[lane].keep { Self.isValid($0, lane: lane, records: records) }
            entryCount += lanes[lane].count
            if lanes[lane].count > 0 { occupied |= 1 << UInt8(lane) }
        }
    }
}

extension ReadyOrder {
    /// The entries of one priority.
    @usableFromInline
    struct Lane: Sendable {
        @usableFromInline var ring = Fifo<Entry>()
        @usableFromInline var heap: [Entry] = []

        @inlinable
        init() {}

        @inlinable var count: Int { ring.count + heap.count }

        @inlinable var entries: [Entry] { Array(ring) + heap }

        @inlinable var first: Entry? {
            guard let late = heap.first else { return ring.first }
            guard let inOrder = ring.first else { return late }
            return inOrder.sequence <= late.sequence ? inOrder : late
        }

        @inlinable
        mutating func insert(_ entry: Entry) {
            if let last = ring.last, entry.sequence <= last.sequence {
                heap.append(entry)
                siftUp(heap.count - 1)
            } else {
                ring.append(entry)
            }
        }

        @inlinable
        mutating func removeFirst() {
            guard let late = heap.first else {
                _ = ring.popFirst()
                return
            }
            if let inOrder = ring.first, inOrder.sequence <= late.sequence {
                _ = ring.popFirst()
                return
            }
            let last = heap.removeLast()
            guard !heap.isEmpty else {
                heap = []
                return
            }
            heap[0] = last
            siftDown(0)
        }

        @inlinable
        mutating func keep(where isKept: (Entry) -> Bool) {
            let kept = entries.filter(isKept).sorted { $0.sequence < $1.sequence }
            ring = Fifo()
            heap = []
            var last: UInt64?
            for entry in kept where entry.sequence != last {
                ring.append(entry)
                last = entry.sequence
            }
        }

        @inlinable
        mutating func siftUp(_ start: Int) {
            var child = start
            while child > 0 {
                let parent = (child - 1) / 2
                guard heap[child].sequence < heap[parent].sequence else { return }
                heap.swapAt(child, parent)
                child = parent
            }
        }

        @inlinable
        mutating func siftDown(_ start: Int) {
            var parent = start
            while true {
                var child = 2 * parent + 1
                guard child < heap.count else { return }
                if child + 1 < heap.count && heap[child + 1].sequence < heap[child].sequence { child += 1 }
                guard heap[child].sequence < heap[parent].sequence else { return }
                heap.swapAt(child, parent)
                parent = child
            }
        }
    }
}
