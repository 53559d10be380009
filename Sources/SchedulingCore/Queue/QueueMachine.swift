// The decisions of one queue: which jobs it holds, who may start, who holds a slot, and how many workers it wants.

/// The state machine of a queue.
///
/// It knows jobs as `Handle`s, has no lock, thread or clock of its own, and calls nobody: each method says what happened and returns
/// what is owed for it. The engine calls it under the queue's lock and pays afterwards. Four families of events live in files of their
/// own: admission (who may start), completion (who left), control (width, suspension, cancelling all), staffing (how many workers).
@usableFromInline
package struct QueueMachine: Sendable {
    @usableFromInline var records: [Record] = []
    /// Head of the list of free records, linked through `next`.
    @usableFromInline var freeRecord: UInt32 = .max
    /// First and last job in the order of adding.
    @usableFromInline var oldest: UInt32 = .max
    @usableFromInline var newest: UInt32 = .max
    @usableFromInline var lastSequence: UInt64 = 0

    /// The stretches between living barriers, linked in order; the first is the one whose jobs may start.
    @usableFromInline var gaps: [Gap] = [Gap()]
    @usableFromInline var freeGaps: [UInt32] = []
    @usableFromInline var firstGap: UInt32 = 0
    @usableFromInline var lastGap: UInt32 = 0

    /// Unfinished jobs that are registered here.
    @usableFromInline package var jobCount = 0
    /// The number of jobs that may execute at once.
    @usableFromInline package internal(set) var width: Int
    @usableFromInline package internal(set) var isSuspended: Bool
    /// Slots that are taken.
    @usableFromInline package internal(set) var executing = 0
    /// Jobs that lent their slot and do not have it back, those in line for one included.
    @usableFromInline package internal(set) var lending = 0
    /// Jobs whose wait is over and that wait for a slot, oldest first; the engine keeps who they are.
    @usableFromInline package internal(set) var returners = 0
    /// Jobs up to this sequence number that have not begun never will: `cancelAllJobs` marked them.
    @usableFromInline var doomedThrough: UInt64 = 0
    /// The first job of the ready order is being asked; nothing overtakes it, so nothing can be claimed.
    @usableFromInline var headIsAsked = false
    /// Jobs to be asked, for the errand crew; one that a site worker asked, or that is gone, is passed over.
    @usableFromInline var unasked = Fifo<ReadyOrder.Entry>()

    @usableFromInline package var staffing = Staffing()

    @inlinable
    package init(width: Int, isSuspended: Bool) {
        self.width = width
        self.isSuspended = isSuspended
    }

    @inlinable
    package var freeSlots: Int { max(0, width - executing) }

    /// Jobs that a worker with a slot could claim at once.
    @inlinable
    package var claimable: Int { isSuspended || headIsAsked ? 0 : gaps[Int(firstGap)].order.count }

    /// Every registered job in the order of adding.
    @inlinable
    package func handles() -> [Handle] {
        var handles: [Handle] = []
        handles.reserveCapacity(jobCount)
        var index = oldest
        while index != .max {
            handles.append(Handle(index: index))
            index = records[Int(index)].next
        }
        return handles
    }

    @inlinable
    package func standing(of handle: Handle) -> Standing { records[Int(handle.index)].standing }

    /// The number that orders the job among those of its queue.
    @inlinable
    package func sequence(of handle: Handle) -> UInt64 { records[Int(handle.index)].sequence }

    @inlinable
    package func isDoomed(_ handle: Handle) -> Bool { records[Int(handle.index)].sequence <= doomedThrough }

    @inlinable
    package func isBarrier(_ handle: Handle) -> Bool { records[Int(handle.index)].isBarrier }
}

/// The stretch of jobs between two living barriers.
@usableFromInline
struct Gap: Sendable {
    /// Unfinished jobs in it, the closing barrier included once it was let in.
    @usableFromInline var count = 0
    @usableFromInline var order = ReadyOrder()
    /// The barrier that closes it, if there is one.
    @usableFromInline var barrier: UInt32 = .max
    /// The closing barrier is next: all before it finished.
    @usableFromInline var barrierIsIn = false
    @usableFromInline var next: UInt32 = .max
    @usableFromInline var previous: UInt32 = .max

    @inlinable
    init() {}

    /// A job that is ready as it comes joins the stretch.
    @inlinable
    mutating func enter(_ index: UInt32, _ record: Record) {
        count += 1
        order.insert(index, record)
    }
}

// MARK: - Records

extension QueueMachine {
    @inlinable
    mutating func link(_ record: Record) -> UInt32 {
        var record = record
        record.previous = newest
        record.next = .max
        let index: UInt32
        if freeRecord != .max {
            index = freeRecord
            freeRecord = records[Int(index)].next
            records[Int(index)] = record
        } else {
            index = UInt32(records.count)
            records.append(record)
        }
        if newest == .max { oldest = index } else { records[Int(newest)].next = index }
        newest = index
        jobCount += 1
        return index
    }

    @inlinable
    mutating func unlink(_ index: UInt32) {
        let record = records[Int(index)]
        if record.previous == .max { oldest = record.next } else { records[Int(record.previous)].next = record.next }
        if record.next == .max { newest = record.previous } else { records[Int(record.next)].previous = record.previous }
        jobCount -= 1
        // Stale entries of the ready order may still name this record; its number, 0, is nobody's.
        var free = Record()
        free.next = freeRecord
        records[Int(index)] = free
        freeRecord = index
        if jobCount == 0 { unasked = Fifo() }
        if jobCount == 0 && records.count > Self.spareRecords { releaseStorage() }
    }

    /// An empty queue keeps storage for this many jobs.
    @inlinable
    static var spareRecords: Int { 4096 }

    /// Gives back what a burst of jobs needed.
    @inlinable
    mutating func releaseStorage() {
        records = []
        freeRecord = .max
        gaps[Int(firstGap)].order = ReadyOrder()
    }

    /// The number of records there are; handles are smaller than this.
    @inlinable
    package var recordCount: Int { records.count }
}
