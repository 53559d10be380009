// The jobs that could start now, in the order in which they will.

/// An order by priority, then by the time of adding.
///
/// Per priority a line, linked through the records, takes the jobs that become ready in the order they were added (flat work, a fan); one
/// heap takes the latecomers, which become ready out of order. The next job is the sooner of the two heads. A job leaves from wherever it
/// stands, and nothing of it stays: O(1) for jobs in a line, O(log n) for latecomers.
@usableFromInline
struct ReadyOrder: Sendable {
    @usableFromInline static let laneCount = 5

    /// The ends of one priority's line; `.max` where it is empty.
    @usableFromInline
    struct Line: Sendable {
        @usableFromInline var first: UInt32 = .max
        @usableFromInline var last: UInt32 = .max

        @inlinable
        init() {}
    }

    /// A line per priority; a tuple, because an array would have memory of its own.
    @usableFromInline var lines = (Line(), Line(), Line(), Line(), Line())
    /// A bit per line that is not empty.
    @usableFromInline var occupied: UInt8 = 0
    /// The heap.
    @usableFromInline var latecomers: [UInt32] = []
    /// The first job of the order; `.max` if it is empty.
    @usableFromInline var head: UInt32 = .max
    /// Jobs that stand in this order.
    @usableFromInline var count = 0

    @inlinable
    init() {}

    /// The ends of a line.
    @inlinable
    func line(_ lane: UInt8) -> Line {
        // The elements of a tuple of one type lie in memory as those of an array do.
        withUnsafePointer(to: lines) { UnsafeRawPointer($0).assumingMemoryBound(to: Line.self)[Int(lane)] }
    }

    @inlinable @inline(__always)
    mutating func withLine<Result>(_ lane: UInt8, _ body: (inout Line) -> Result) -> Result {
        withUnsafeMutablePointer(to: &lines) { body(&UnsafeMutableRawPointer($0).assumingMemoryBound(to: Line.self)[Int(lane)]) }
    }

    /// The highest priority that has a line; there must be one.
    @inlinable @inline(__always)
    var topLane: UInt8 { 7 &- UInt8(truncatingIfNeeded: occupied.leadingZeroBitCount) }

    /// A job became ready.
    @usableFromInline
    mutating func insert(_ index: UInt32, _ records: JobRecords) {
        let lane = records[Int(index)].lane
        let last = line(lane).last
        if last == .max || records[Int(last)].sequence < records[Int(index)].sequence {
            link(index, lane, records)
        } else {
            push(index, records)
        }
        if head == .max || records[Int(index)].rank < records[Int(head)].rank { head = index }
        count += 1
    }

    /// The newest of all jobs is ready as it comes.
    @inlinable @inline(__always)
    mutating func append(_ index: UInt32, lane: UInt8, _ records: JobRecords) {
        link(index, lane, records)
        if head == .max || records[Int(head)].lane < lane { head = index }
        count &+= 1
    }

    @inlinable @inline(__always)
    mutating func link(_ index: UInt32, _ lane: UInt8, _ records: JobRecords) {
        let last = withLine(lane) { line in
            let last = line.last
            line.last = index
            if last == .max { line.first = index }
            return last
        }
        if last == .max { occupied |= 1 &<< lane } else { records[Int(last)].readyNext = index }
        records[Int(index)].readyPrevious = last
        records[Int(index)].readyNext = .max
        records[Int(index)].isLate = false
    }

    /// Takes the head out.
    @inlinable @inline(__always)
    mutating func removeFirst(_ records: JobRecords) {
        guard latecomers.isEmpty else { return remove(head, records) }
        let (lane, next) = (records[Int(head)].lane, records[Int(head)].readyNext)
        count &-= 1
        withLine(lane) { $0.first = next }
        head = next
        if next == .max { closeLine(lane) } else { records[Int(next)].readyPrevious = .max }
    }

    /// The last job of the highest line left; the first of the next one is the head.
    @inlinable @inline(__always)
    mutating func closeLine(_ lane: UInt8) {
        withLine(lane) { $0.last = .max }
        occupied &= ~(1 &<< lane)
        if occupied != 0 { head = line(topLane).first }
    }

    /// Takes a job out, wherever it stands.
    @usableFromInline @inline(never)
    mutating func remove(_ index: UInt32, _ records: JobRecords) {
        if records[Int(index)].isLate { pull(index, records) } else { unlink(index, records) }
        if index == head { findHead(records) }
        count -= 1
    }

    private mutating func unlink(_ index: UInt32, _ records: JobRecords) {
        let (lane, next, previous) = (records[Int(index)].lane, records[Int(index)].readyNext, records[Int(index)].readyPrevious)
        if next != .max { records[Int(next)].readyPrevious = previous }
        if previous != .max { records[Int(previous)].readyNext = next }
        withLine(lane) { line in
            if next == .max { line.last = previous }
            if previous == .max { line.first = next }
        }
        if next == .max && previous == .max { occupied &= ~(1 << lane) }
    }

    /// The sooner of the first of the highest line and the first of the heap.
    private mutating func findHead(_ records: JobRecords) {
        head = occupied == 0 ? .max : line(topLane).first
        guard let late = latecomers.first else { return }
        if head == .max || records[Int(late)].rank < records[Int(head)].rank { head = late }
    }

    /// Takes over every job of `later`, whose jobs were all added after those of this order, at the cost of the smaller heap.
    @usableFromInline
    mutating func append(_ later: consuming ReadyOrder, _ records: JobRecords) {
        for lane in 0..<UInt8(Self.laneCount) where later.occupied & (1 << lane) != 0 {
            let (mine, theirs) = (line(lane), later.line(lane))
            if mine.last == .max {
                withLine(lane) { $0 = theirs }
            } else {
                records[Int(mine.last)].readyNext = theirs.first
                records[Int(theirs.first)].readyPrevious = mine.last
                withLine(lane) { $0.last = theirs.last }
            }
        }
        occupied |= later.occupied
        count += later.count
        if later.latecomers.count > latecomers.count { swap(&latecomers, &later.latecomers) }
        for index in later.latecomers { push(index, records) }
        findHead(records)
    }
}

// MARK: - The heap

extension ReadyOrder {
    /// An empty heap keeps room for this many.
    @usableFromInline static let spareLatecomers = 1024

    @usableFromInline
    mutating func push(_ index: UInt32, _ records: JobRecords) {
        records[Int(index)].isLate = true
        latecomers.append(index)
        latecomers.withUnsafeMutableBufferPointer { Self.rise(index, from: $0.count - 1, in: $0, records) }
    }

    /// Takes a job out from where its record says that it stands.
    @usableFromInline
    mutating func pull(_ index: UInt32, _ records: JobRecords) {
        let place = Int(records[Int(index)].readyNext)
        let last = latecomers.removeLast()
        if last != index {
            latecomers.withUnsafeMutableBufferPointer { heap in
                // The last one takes the place, from which it may have to go either way.
                let isSooner = place > 0 && records[Int(last)].rank < records[Int(heap[(place - 1) / 2])].rank
                if isSooner { Self.rise(last, from: place, in: heap, records) } else { Self.sink(last, from: place, in: heap, records) }
            }
        } else if latecomers.isEmpty && latecomers.capacity > Self.spareLatecomers {
            latecomers = []
        }
    }

    /// Puts a job at `start` or as far above as it belongs.
    private static func rise(_ index: UInt32, from start: Int, in heap: UnsafeMutableBufferPointer<UInt32>, _ records: JobRecords) {
        let rank = records[Int(index)].rank
        var place = start
        while place > 0 {
            let parent = heap[(place - 1) / 2]
            if records[Int(parent)].rank < rank { break }
            heap[place] = parent
            records[Int(parent)].readyNext = UInt32(place)
            place = (place - 1) / 2
        }
        heap[place] = index
        records[Int(index)].readyNext = UInt32(place)
    }

    /// Puts a job at `start` or as far below as it belongs.
    private static func sink(_ index: UInt32, from start: Int, in heap: UnsafeMutableBufferPointer<UInt32>, _ records: JobRecords) {
        let rank = records[Int(index)].rank
        var place = start
        while 2 * place + 1 < heap.count {
            var below = 2 * place + 1
            if below + 1 < heap.count && records[Int(heap[below + 1])].rank < records[Int(heap[below])].rank { below += 1 }
            let child = heap[below]
            if rank < records[Int(child)].rank { break }
            heap[place] = child
            records[Int(child)].readyNext = UInt32(place)
            place = below
        }
        heap[place] = index
        records[Int(index)].readyNext = UInt32(place)
    }
}
