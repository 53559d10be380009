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

@usableFromInline
struct Record: Sendable {
    /// The time of adding, as a number that only grows.
    @usableFromInline var sequence: UInt64 = 0
    /// Neighbours in the order of adding.
    @usableFromInline var next: UInt32 = .max
    @usableFromInline var previous: UInt32 = .max
    /// The gap between barriers that the job belongs to; for a barrier, the gap it closes.
    @usableFromInline var gap: UInt32 = 0
    @usableFromInline var lane: UInt8 = 0
    @usableFromInline var standing: Standing = .free
    @usableFromInline var isBarrier = false

    @inlinable
    init() {}
}
