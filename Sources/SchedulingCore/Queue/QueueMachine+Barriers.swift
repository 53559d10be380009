// Barriers: a living barrier is a gap between two stretches of jobs, so that it costs no edge per job.

extension QueueMachine {
    /// A barrier was registered: it closes the last stretch, and a new one begins.
    @usableFromInline @inline(never)
    mutating func openGap(behind barrier: UInt32) {
        let index = freeGap()
        gaps[Int(index)].previous = lastGap
        change(gap: lastGap) { gap in
            gap.next = index
            gap.barrier = barrier
        }
        lastGap = index
        letBarrierIn()
    }

    /// The newest job joins a stretch that is not the first.
    @usableFromInline @inline(never)
    mutating func enterLastGap(_ index: UInt32) {
        let record = record(index)
        gaps[Int(lastGap)].enter(index, lane: record.lane, isReady: record.standing == .ready, records)
    }

    /// A job of a stretch that is not the first leaves.
    @usableFromInline @inline(never)
    mutating func leaveGap(_ index: UInt32) { gaps[Int(record(index).gap)].count -= 1 }

    /// Lets the barrier of the first stretch in once all before it finished.
    @usableFromInline @inline(never)
    mutating func letBarrierIn() {
        let barrier = front.barrier
        guard barrier != .max, front.count == 0, !front.barrierIsIn else { return }
        front.barrierIsIn = true
        front.count = 1
        let records = self.records
        if records[Int(barrier)].standing.isPlaced { front.order.insert(barrier, records) }
    }

    /// A barrier left: what it held back goes on, or, if it left before its turn, its neighbours become one stretch.
    @usableFromInline @inline(never)
    mutating func closeGap(of barrier: UInt32) {
        let left = record(barrier).gap
        if left == firstGap && front.barrierIsIn {
            var next = take(gap: front.next)
            next.previous = .max
            firstGap = front.next
            front = next
            freeGaps.append(left)
        } else {
            merge(left, with: gap(left).next, around: barrier)
        }
        letBarrierIn()
    }

    /// Makes one stretch of two, at the cost of the smaller one.
    private mutating func merge(_ left: UInt32, with right: UInt32, around barrier: UInt32) {
        let records = self.records
        var merged = take(gap: left)
        let later = take(gap: right)
        let keepsLeft = merged.count >= later.count
        let kept = keepsLeft ? left : right
        if keepsLeft {
            relabel(from: records[Int(barrier)].next, forwards: true, gap: right, to: left)
        } else {
            relabel(from: records[Int(barrier)].previous, forwards: false, gap: left, to: right)
        }
        merged.count += later.count
        merged.order.append(later.order, records)
        merged.barrier = later.barrier
        merged.next = later.next
        if merged.next == .max { lastGap = kept } else { gaps[Int(merged.next)].previous = kept }
        if merged.previous == .max { firstGap = kept } else { change(gap: merged.previous) { $0.next = kept } }
        change(gap: kept) { $0 = merged }
        freeGaps.append(keepsLeft ? right : left)
    }

    /// Stretches are contiguous in the order of adding, so a walk from the barrier finds every member.
    private mutating func relabel(from start: UInt32, forwards: Bool, gap old: UInt32, to new: UInt32) {
        let records = self.records
        var index = start
        while index != .max, records[Int(index)].gap == old {
            records[Int(index)].gap = new
            index = forwards ? records[Int(index)].next : records[Int(index)].previous
        }
    }
}
