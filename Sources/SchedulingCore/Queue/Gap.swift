// The stretches of jobs between living barriers, and where each is kept.

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

    /// The newest of all jobs joins the stretch.
    @inlinable @inline(__always)
    mutating func enter(_ index: UInt32, lane: UInt8, isReady: Bool, _ records: JobRecords) {
        count &+= 1
        if isReady { order.append(index, lane: lane, records) }
    }
}

extension QueueMachine {
    /// Changes a gap where it stands: the first one is at hand, and only the others lie in the array.
    @inlinable @inline(__always)
    mutating func change<Result>(gap index: UInt32, _ body: (inout Gap) -> Result) -> Result {
        index == firstGap ? body(&front) : body(&gaps[Int(index)])
    }

    /// A gap as it is now.
    @inlinable
    func gap(_ index: UInt32) -> Gap { index == firstGap ? front : gaps[Int(index)] }

    /// Takes a gap from where it stands and leaves an empty one there.
    @usableFromInline
    mutating func take(gap index: UInt32) -> Gap {
        var taken = Gap()
        change(gap: index) { Swift.swap(&$0, &taken) }
        return taken
    }

    /// The index of an empty gap that is in no use.
    @usableFromInline
    mutating func freeGap() -> UInt32 {
        if let free = freeGaps.popLast() { return free }
        // The first gap of a queue that never had a barrier has no place of its own.
        if gaps.isEmpty { gaps.append(Gap()) }
        gaps.append(Gap())
        return UInt32(gaps.count - 1)
    }
}
