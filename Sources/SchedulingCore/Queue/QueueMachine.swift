// The decisions of one queue: which jobs it holds, who may start, who holds a slot, and how many workers it wants.

/// The state machine of a queue.
///
/// It knows jobs as `Handle`s, has no lock, thread or clock of its own, and calls nobody: each method says what happened and returns
/// what is owed for it. The engine calls it under the queue's lock and pays afterwards. Four families of events live in files of their
/// own: admission (who may start), completion (who left), control (width, suspension, cancelling all), staffing (how many workers).
@usableFromInline
package struct QueueMachine: ~Copyable, @unchecked Sendable {
    // Unchecked for the records, which are this machine's alone.
    @usableFromInline var memory = RecordMemory()
    /// The number of records there are; handles are smaller than this.
    @usableFromInline package internal(set) var recordCount = 0
    /// Head of the list of free records, linked through `next`.
    @usableFromInline var freeRecord: UInt32 = .max
    /// First and last job in the order of adding.
    @usableFromInline var oldest: UInt32 = .max
    @usableFromInline var newest: UInt32 = .max
    @usableFromInline var lastSequence: UInt64 = 0

    /// The first stretch between living barriers, whose jobs may start; kept at hand, because most queues have no other.
    @usableFromInline var front = Gap()
    /// The others, linked in order; what has the index of the first is empty.
    @usableFromInline var gaps: [Gap] = []
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
    /// Jobs to be asked, for the errand crew; one that a site worker asked, or that is gone, is passed over.
    @usableFromInline var unasked = Fifo<Question>()

    @usableFromInline package var staffing = Staffing()

    @inlinable
    package init(width: Int, isSuspended: Bool) {
        self.width = width
        self.isSuspended = isSuspended
    }

    @inlinable @inline(__always)
    package var freeSlots: Int { max(0, width - executing) }

    /// Jobs that a worker with a slot could claim at once.
    @inlinable @inline(__always)
    package var claimable: Int { isSuspended || front.order.count == 0 || headIsAsked ? 0 : front.order.count }

    /// The first job of the ready order is being asked; nothing overtakes it, so nothing can be claimed.
    @inlinable @inline(__always)
    var headIsAsked: Bool {
        let head = records[Int(front.order.head)]
        return head.standing == .asking && head.sequence > doomedThrough
    }

    /// The first job of the ready order.
    @inlinable @inline(__always)
    package var firstReady: Handle? { front.order.count == 0 ? nil : Handle(index: front.order.head) }

    /// Every registered job in the order of adding.
    @inlinable
    package func handles() -> [Handle] {
        var handles: [Handle] = []
        handles.reserveCapacity(jobCount)
        var index = oldest
        while index != .max {
            handles.append(Handle(index: index))
            index = record(index).next
        }
        return handles
    }

    @inlinable @inline(__always)
    func record(_ index: UInt32) -> Record { records[Int(index)] }

    @inlinable @inline(__always)
    package func standing(of handle: Handle) -> Standing { record(handle.index).standing }

    /// The word that the job was registered with.
    @inlinable @inline(__always)
    package func payload(of handle: Handle) -> UInt { record(handle.index).payload }

    /// The number that orders the job among those of its queue.
    @inlinable @inline(__always)
    package func sequence(of handle: Handle) -> UInt64 { record(handle.index).sequence }

    @inlinable @inline(__always)
    package func isDoomed(_ handle: Handle) -> Bool { record(handle.index).sequence <= doomedThrough }

    @inlinable @inline(__always)
    package func isBarrier(_ handle: Handle) -> Bool { record(handle.index).isBarrier }
}
