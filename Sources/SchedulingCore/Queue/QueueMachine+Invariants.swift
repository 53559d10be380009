// What must hold in a queue's machine between any two calls, written down as a check for tests.

extension QueueMachine {
    /// Everything that is wrong with the machine; empty when all is well. Costs O(n log n) for n jobs.
    package func checkInvariants() -> [String] {
        var faults = checkList() + checkFreeRecords() + checkGaps()
        // The rest walks along the links, and must be able to.
        guard faults.isEmpty else { return faults }
        faults += checkStretches() + checkOrders() + checkCounts() + checkAsking()
        return faults
    }

    /// The records of the registered jobs in the order of adding; stops where a broken link would lead round for ever.
    @inlinable
    var listed: [UInt32] {
        var found: [UInt32] = []
        var index = oldest
        while index != .max, found.count <= records.count {
            found.append(index)
            index = records[Int(index)].next
        }
        return found
    }

    /// The living gaps, first to last.
    @inlinable
    var chain: [UInt32] {
        var found: [UInt32] = []
        var index = firstGap
        while index != .max, found.count <= gaps.count {
            found.append(index)
            index = gaps[Int(index)].next
        }
        return found
    }

    private func checkList() -> [String] {
        var faults: [String] = []
        var previous: UInt32 = .max
        var lastNumber: UInt64 = 0
        var count = 0
        for index in listed {
            let record = records[Int(index)]
            if record.previous != previous { faults.append("record \(index) does not know the one before it") }
            if record.sequence <= lastNumber { faults.append("the sequence of record \(index) does not rise") }
            if record.standing == .free { faults.append("record \(index) is listed and free") }
            if Int(record.lane) >= ReadyOrder.laneCount { faults.append("record \(index) is in lane \(record.lane)") }
            previous = index
            lastNumber = record.sequence
            count += 1
        }
        if newest != previous { faults.append("the newest record is \(previous), not \(newest)") }
        if lastNumber > lastSequence { faults.append("sequence \(lastNumber) was never given out") }
        if count != jobCount { faults.append("\(count) records are listed, jobCount is \(jobCount)") }
        return faults
    }

    private func checkFreeRecords() -> [String] {
        var faults: [String] = []
        var count = 0
        var index = freeRecord
        while index != .max, count <= records.count {
            let record = records[Int(index)]
            if record.standing != .free || record.sequence != 0 { faults.append("free record \(index) is \(record.standing)") }
            count += 1
            index = record.next
        }
        if count + jobCount != records.count { faults.append("\(count) records are free and \(jobCount) in use, of \(records.count)") }
        return faults
    }

    private func checkGaps() -> [String] {
        var faults: [String] = []
        var previous: UInt32 = .max
        let living = chain
        for index in living {
            let gap = gaps[Int(index)]
            if gap.previous != previous { faults.append("gap \(index) does not know the one before it") }
            if gap.barrierIsIn && index != firstGap { faults.append("the barrier of gap \(index) was let in before its turn") }
            if (gap.barrier == .max) != (index == lastGap) {
                faults.append("gap \(index) is closed by \(gap.barrier), the last one is \(lastGap)")
            }
            if gap.barrier != .max {
                let barrier = records[Int(gap.barrier)]
                if !barrier.isBarrier || barrier.standing == .free || barrier.gap != index {
                    faults.append("gap \(index) has a wrong barrier")
                }
            }
            previous = index
        }
        if previous != lastGap { faults.append("the last gap is \(previous), not \(lastGap)") }
        if living.count + freeGaps.count != gaps.count {
            faults.append("\(living.count) gaps live and \(freeGaps.count) are free, of \(gaps.count)")
        }
        if Set(living + freeGaps).count != gaps.count { faults.append("a gap is in use twice") }
        return faults
    }

    /// Each gap holds one stretch of the list, which its barrier closes, and counts it.
    private func checkStretches() -> [String] {
        var faults: [String] = []
        var counts = [Int](repeating: 0, count: gaps.count)
        var current = firstGap
        for index in listed {
            let record = records[Int(index)]
            if record.gap != current { faults.append("record \(index) is in gap \(record.gap) instead of \(current)") }
            guard record.isBarrier else {
                counts[Int(current)] += 1
                continue
            }
            if gaps[Int(current)].barrier != index { faults.append("barrier \(index) does not close gap \(current)") }
            if gaps[Int(current)].barrierIsIn { counts[Int(current)] += 1 }
            current = gaps[Int(current)].next
            if current == .max { return faults + ["no gap behind barrier \(index)"] }
        }
        for index in chain where gaps[Int(index)].count != counts[Int(index)] {
            faults.append("gap \(index) counts \(gaps[Int(index)].count) jobs instead of \(counts[Int(index)])")
        }
        let first = gaps[Int(firstGap)]
        if first.barrierIsIn && first.count != 1 { faults.append("a barrier was let in beside others") }
        if first.barrier != .max && first.count == 0 { faults.append("a barrier that is next was not let in") }
        return faults
    }

    /// How many entries the ready orders hold, those of jobs that left their places included.
    package var reservedEntries: Int { chain.reduce(0) { $0 + gaps[Int($1)].order.entryCount } }

    /// Each ready order yields the jobs that have a place in it, and no others, by lane and by the time of adding.
    private func checkOrders() -> [String] {
        var faults: [String] = []
        var placed = [[UInt32]](repeating: [], count: gaps.count)
        for index in listed {
            let record = records[Int(index)]
            guard record.standing.isPlaced, !record.isBarrier || gaps[Int(record.gap)].barrierIsIn else { continue }
            placed[Int(record.gap)].append(index)
        }
        for index in chain {
            let members = placed[Int(index)]
            let expected = (0..<ReadyOrder.laneCount).reversed().flatMap { lane in
                members.filter { Int(records[Int($0)].lane) == lane }
            }
            var order = gaps[Int(index)].order
            if order.count != members.count {
                faults.append("the order of gap \(index) counts \(order.count) jobs instead of \(members.count)")
            }
            var found: [UInt32] = []
            while let next = order.first(records: records) {
                order.removeFirst()
                // A job that changed its lane and changed it back may have two entries, one behind the other.
                if found.last != next { found.append(next) }
            }
            if found != expected { faults.append("the order of gap \(index) is \(found) instead of \(expected)") }
        }
        return faults
    }

    private func checkCounts() -> [String] {
        var faults: [String] = []
        var counted: [Standing: Int] = [:]
        for index in listed { counted[records[Int(index)].standing, default: 0] += 1 }
        let (slots, lent) = (counted[.executing, default: 0], counted[.lending, default: 0])
        if executing != slots { faults.append("executing is \(executing), found \(slots)") }
        if lending != lent { faults.append("lending is \(lending), found \(lent)") }
        if returners < 0 || returners > lending { faults.append("\(returners) of \(lending) lenders return") }
        return faults
    }

    private func checkAsking() -> [String] {
        var faults: [String] = []
        var order = gaps[Int(firstGap)].order
        if headIsAsked, let head = order.first(records: records), records[Int(head)].standing != .asking {
            faults.append("job \(head) is first in the order and said to be asked, but is \(records[Int(head)].standing)")
        }
        let noted = Set(unasked.map(\.sequence))
        for index in listed where records[Int(index)].standing == .unasked && !noted.contains(records[Int(index)].sequence) {
            faults.append("nobody is going to ask job \(index) while the queue is suspended or full")
        }
        return faults
    }
}
