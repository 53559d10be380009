// Barriers: a living barrier is a gap between two stretches of jobs, so that it costs no edge per job.

extension QueueMachine {
    /// A barrier was registered: it closes the last stretch, and a new one begins.
    @inlinable
    mutating func openGap(behind barrier: UInt32) {
        let index: UInt32
        if let free = freeGaps.popLast() {
            index = free
            gaps[Int(index)] = Gap()
        } else {
            index = UInt32(gaps.count)
            gaps.append(Gap())
        }
        gaps[Int(index)].previous = lastGap
        gaps[Int(lastGap)].next = index
        gaps[Int(lastGap)].barrier = barrier
        lastGap = index
        letBarrierIn()
    }

    /// Lets the barrier of the first stretch in once all before it finished.
    @inlinable
    mutating func letBarrierIn() {
        let barrier = gaps[Int(firstGap)].barrier
        guard barrier != .max, gaps[Int(firstGap)].count == 0, !gaps[Int(firstGap)].barrierIsIn else { return }
        gaps[Int(firstGap)].barrierIsIn = true
        gaps[Int(firstGap)].count = 1
        if records[Int(barrier)].standing.isPlaced { insert(barrier) }
    }

    /// A barrier left: what it held back goes on, or, if it left before its turn, its neighbours become one stretch.
    @inlinable
    mutating func closeGap(of barrier: UInt32) {
        let left = records[Int(barrier)].gap
        if left == firstGap && gaps[Int(left)].barrierIsIn {
            firstGap = gaps[Int(left)].next
            gaps[Int(firstGap)].previous = .max
            free(gap: left)
        } else {
            merge(left, with: gaps[Int(left)].next, around: barrier)
        }
        letBarrierIn()
        headIsAsked = false
    }

    /// Makes one stretch of two, at the cost of the smaller one.
    @inlinable
    mutating func merge(_ left: UInt32, with right: UInt32, around barrier: UInt32) {
        let keepsLeft = gaps[Int(left)].count >= gaps[Int(right)].count
        let kept = keepsLeft ? left : right
        let dropped = keepsLeft ? right : left
        if keepsLeft {
            relabel(from: records[Int(barrier)].next, forwards: true, gap: right, to: left)
            gaps[Int(left)].barrier = gaps[Int(right)].barrier
            gaps[Int(left)].next = gaps[Int(right)].next
            if gaps[Int(left)].next == .max { lastGap = left } else { gaps[Int(gaps[Int(left)].next)].previous = left }
        } else {
            relabel(from: records[Int(barrier)].previous, forwards: false, gap: left, to: right)
            gaps[Int(right)].previous = gaps[Int(left)].previous
            if gaps[Int(right)].previous == .max { firstGap = right } else { gaps[Int(gaps[Int(right)].previous)].next = right }
        }
        gaps[Int(kept)].count += gaps[Int(dropped)].count
        let order = gaps[Int(dropped)].order
        free(gap: dropped)
        gaps[Int(kept)].order.merge(order, records: records)
    }

    /// Stretches are contiguous in the order of adding, so a walk from the barrier finds every member.
    @inlinable
    mutating func relabel(from start: UInt32, forwards: Bool, gap old: UInt32, to new: UInt32) {
        var index = start
        while index != .max, records[Int(index)].gap == old {
            records[Int(index)].gap = new
            index = forwards ? records[Int(index)].next : records[Int(index)].previous
        }
    }

    @inlinable
    mutating func free(gap index: UInt32) {
        gaps[Int(index)] = Gap()
        freeGaps.append(index)
    }
}
