// The memory in which the records of a queue's jobs stand.

/// The records by index. An index that is the machine's own needs no check, except in debug builds.
@usableFromInline typealias JobRecords = UnsafeMutableBufferPointer<Record>

/// Room for records. Who uses it knows which of them are initialized; they are plain data, so nothing is lost when it goes.
@usableFromInline
struct RecordMemory: ~Copyable {
    @usableFromInline let records: JobRecords

    @inlinable
    init() { records = JobRecords(start: nil, count: 0) }

    /// Room for this many, with the first `count` of `others` in it.
    @usableFromInline
    init(capacity: Int, copying others: JobRecords, count: Int) {
        records = .allocate(capacity: capacity)
        _ = records.initialize(fromContentsOf: others[..<count])
    }

    @inlinable
    deinit { records.deallocate() }
}

extension QueueMachine {
    /// An empty queue keeps storage for this many jobs.
    @inlinable
    static var spareRecords: Int { 4096 }

    @inlinable @inline(__always)
    var records: JobRecords { memory.records }

    /// A record to be filled in.
    @inlinable @inline(__always)
    mutating func takeRecord() -> UInt32 {
        let free = freeRecord
        if free != .max {
            freeRecord = records[Int(free)].next
            return free
        }
        if recordCount == records.count { growMemory() }
        recordCount &+= 1
        return UInt32(truncatingIfNeeded: recordCount - 1)
    }

    @usableFromInline @inline(never)
    mutating func growMemory() {
        memory = RecordMemory(capacity: max(16, 2 * recordCount), copying: records, count: recordCount)
    }

    /// Takes a record out of the order of adding, for another job to use.
    @inlinable @inline(__always)
    mutating func unlink(_ index: UInt32, _ records: JobRecords) {
        let (next, previous) = (records[Int(index)].next, records[Int(index)].previous)
        if previous == .max { oldest = next } else { records[Int(previous)].next = next }
        if next == .max { newest = previous } else { records[Int(next)].previous = previous }
        // A question or a lender may still name this record; the number 0 is nobody's.
        records[Int(index)].sequence = 0
        records[Int(index)].standing = .free
        records[Int(index)].next = freeRecord
        freeRecord = index
        jobCount &-= 1
        if jobCount == 0 { becomeEmpty() }
    }

    /// Gives back what a burst of jobs needed.
    @inlinable
    mutating func becomeEmpty() {
        if !unasked.isEmpty { unasked = Fifo() }
        if recordCount > Self.spareRecords { releaseStorage() }
    }

    @usableFromInline @inline(never)
    mutating func releaseStorage() {
        memory = RecordMemory()
        recordCount = 0
        freeRecord = .max
        front = Gap()
        gaps = []
        freeGaps = []
        firstGap = 0
        lastGap = 0
    }
}
