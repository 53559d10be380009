// The jobs that could start now, in the order in which they will.

/// An order by priority, then by the time of adding.
///
/// Per priority a ring serves the jobs that become ready in the order they were added (flat work, a fan), and a heap beside it those that
/// become ready out of order; the next job is the smaller of the two heads. Nothing is removed from the middle: an entry whose job no
/// longer stands ready is passed over when its turn comes, and the order is rebuilt when such entries are the majority, so every
/// operation is O(log n) amortised at worst and O(1) for jobs in order.
struct ReadyOrder: Sendable {
    struct Entry: Sendable {
        var sequence: UInt64
        var index: UInt32
    }

    static let laneCount = 5

    private var lanes = [Lane](repeating: Lane(), count: laneCount)
    /// A bit per lane that has entries.
    private var occupied: UInt8 = 0
    private(set) var entryCount = 0
    /// Jobs that stand in this order; the entries may be more.
    private(set) var count = 0

    mutating func insert(_ index: UInt32, records: [Record]) {
        let record = records[Int(index)]
        count += 1
        entryCount += 1
        occupied |= 1 << record.lane
        lanes[Int(record.lane)].insert(Entry(sequence: record.sequence, index: index))
        if entryCount > 2 * count + 64 { rebuild(records: records) }
    }

    /// The job at `index` stands ready no longer; its entry stays until its turn.
    mutating func forget() { count -= 1 }

    /// The first job of the order, left in place.
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
    mutating func removeFirst() {
        let lane = 7 - occupied.leadingZeroBitCount
        lanes[lane].removeFirst()
        entryCount -= 1
        count -= 1
    }

    /// Takes over every entry of `other`, at the cost of the smaller of both.
    mutating func merge(_ other: consuming ReadyOrder, records: [Record]) {
        let both = count + other.count
        if other.entryCount > entryCount { swap(&self, &other) }
        for lane in 0..<Self.laneCount {
            for entry in other.lanes[lane].entries where Self.isValid(entry, lane: lane, records: records) {
                insert(entry.index, records: records)
            }
        }
        count = both
    }

    private static func isValid(_ entry: Entry, lane: Int, records: [Record]) -> Bool {
        let record = records[Int(entry.index)]
        return record.sequence == entry.sequence && Int(record.lane) == lane && record.standing.isPlaced
    }

    private mutating func rebuild(records: [Record]) {
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
    private struct Lane: Sendable {
        private var ring = Fifo<Entry>()
        private var heap: [Entry] = []

        var count: Int { ring.count + heap.count }

        var entries: [Entry] { Array(ring) + heap }

        var first: Entry? {
            guard let late = heap.first else { return ring.first }
            guard let inOrder = ring.first else { return late }
            return inOrder.sequence <= late.sequence ? inOrder : late
        }

        mutating func insert(_ entry: Entry) {
            if let last = ring.last, entry.sequence <= last.sequence {
                heap.append(entry)
                siftUp(heap.count - 1)
            } else {
                ring.append(entry)
            }
        }

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

        private mutating func siftUp(_ start: Int) {
            var child = start
            while child > 0 {
                let parent = (child - 1) / 2
                guard heap[child].sequence < heap[parent].sequence else { return }
                heap.swapAt(child, parent)
                child = parent
            }
        }

        private mutating func siftDown(_ start: Int) {
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
