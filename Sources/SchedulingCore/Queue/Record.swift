// What a queue's machine remembers of one unfinished job.

/// A job as the machine sees it: an index into its records, valid from registration until the job left.
@usableFromInline
package struct Handle: Hashable, Sendable {
    @usableFromInline package let index: UInt32

    @inlinable
    package init(index: UInt32) { self.index = index }

    @inlinable
    package static var none: Handle { Handle(index: .max) }
}

/// How a registered job stands in its queue.
@usableFromInline
package enum Standing: UInt8, Sendable {
    /// The record is not in use.
    case free
    /// Edges are unmet, or `isReady` said no.
    case waiting
    /// It has a place in the ready order, but `isReady` must be asked first.
    case unasked
    /// It has a place in the ready order, and `isReady` is being asked.
    case asking
    /// It has a place in the ready order.
    case ready
    /// It holds a slot.
    case executing
    /// It is executing but lent its slot to wait for somebody.
    case lending
    /// It was cancelled, or ended itself, before it was started; it needs no slot.
    case ending
}

extension Standing {
    /// Whether the job has a place in the ready order.
    @inlinable
    var isPlaced: Bool {
        switch self {
        case .unasked, .asking, .ready: true
        case .free, .waiting, .executing, .lending, .ending: false
        }
    }
}

/// 40 bytes for each waiting job. A field of a record that is not in use, or not in the ready order, may hold anything unless it says so.
@usableFromInline
struct Record: Sendable {
    /// The time of adding, as a number that only grows; 0 in a free record.
    @usableFromInline var sequence: UInt64
    /// The engine's own word for the job.
    @usableFromInline var payload: UInt
    /// Neighbours in the order of adding; `next` of a free record is the next free one.
    @usableFromInline var next: UInt32
    @usableFromInline var previous: UInt32
    /// Neighbours in the ready order's line; for a latecomer, `readyNext` is its place in the heap.
    @usableFromInline var readyNext: UInt32 = .max
    @usableFromInline var readyPrevious: UInt32 = .max
    /// The gap between barriers that the job belongs to; for a barrier, the gap it closes.
    @usableFromInline var gap: UInt32
    @usableFromInline var lane: UInt8
    @usableFromInline var standing: Standing
    @usableFromInline var isBarrier: Bool
    /// The job became ready out of order and stands in the heap.
    @usableFromInline var isLate = false

    @inlinable
    init(
        sequence: UInt64, payload: UInt, next: UInt32, previous: UInt32, gap: UInt32, lane: UInt8, standing: Standing, isBarrier: Bool
    ) {
        self.sequence = sequence
        self.payload = payload
        self.next = next
        self.previous = previous
        self.gap = gap
        self.lane = lane
        self.standing = standing
        self.isBarrier = isBarrier
    }

    /// The smaller, the sooner the job's turn: by priority, then by the time of adding.
    @inlinable var rank: UInt64 { UInt64(7 &- lane) << 61 | sequence }
}
