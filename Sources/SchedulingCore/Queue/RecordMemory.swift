// The memory in which the records of a queue's jobs stand.

/// The records by index. An index that is the machine's own needs no check, except in debug builds.
@usableFromInline typealias Records = UnsafeMutableBufferPointer<Record>

/// Room for records. What uses one knows which of them are initialized; they are plain data, so nothing is lost when it goes.
@usableFromInline
final class RecordMemory {
    @usableFromInline let records: Records

    /// Room for this many, with the first `count` of `others` in it.
    @usableFromInline
    init(capacity: Int, copying others: Records, count: Int) {
        records = .allocate(capacity: capacity)
        _ = records.initialize(fromContentsOf: others[..<count])
    }

    deinit { records.deallocate() }
}

extension QueueMachine {
    /// An empty queue keeps storage for this many jobs.
    @inlinable
    static var spareRecords: Int { 4096 }

    /// The records, to be changed: a copy of the machine shares its memory until one of the two comes here.
    @inlinable @inline(__always)
    mutating func ownRecords() -> Records {
        if !isKnownUniquelyReferenced(&memory) { moveRecords(capacity: records.count) }
        return records
    }

    /// A record to be filled in.
    @inlinable @inline(__always)
    mutating func takeRecord() -> UInt32 {
        let records = ownRecords()
        let free = freeRecord
        if free != .max {
            freeRecord = records[Int(free)].next
            return free
        }
        if recordCount == records.count { moveRecords(capacity: max(16, 2 * recordCount)) }
        recordCount += 1
        return UInt32(truncatingIfNeeded: recordCount - 1)
    }

    @usableFromInline
    mutating func moveRecords(capacity: Int) {
        let larger = RecordMemory(capacity: capacity, copying: records, count: recordCount)
        records = larger.records
        memory = larger
    }

    /// Takes a record out of the order of adding, for another job to use.
    @inlinable @inline(__always)
    mutating func unlink(_ index: UInt32, _ records: Records) {
        let (next, previous) = (records[Int(index)].next, records[Int(index)].previous)
        if previous == .max { oldest = next } else { records[Int(previous)].next = next }
        if next == .max { newest = previous } else { records[Int(next)].previous = previous }
        // A question or a lender may still name this record; the number 0 is nobody's.
        records[Int(index)].sequence = 0
        records[Int(index)].standing = .free
        records[Int(index)].next = freeRecord
        freeRecord = index
        jobCount -= 1
        if jobCount == 0 { becomeEmpty() }
    }

    /// Gives back what a burst of jobs needed.
    @inlinable
    mutating func becomeEmpty() {
        if !unasked.isEmpty { unasked = Fifo() }
        if recordCount > Self.spareRecords { releaseStorage() }
    }

    @usableFromInline
    mutating func releaseStorage() {
        records = Records(start: nil, count: 0)
        memory = nil
        recordCount = 0
        freeRecord = .max
        front = Gap()
        gaps = []
        freeGaps = []
        firstGap = 0
        lastGap = 0
    }
}
