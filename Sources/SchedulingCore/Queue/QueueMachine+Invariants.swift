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
    var listed: [UInt32] {
        var found: [UInt32] = []
        var index = oldest
        while index != .max, found.count <= recordCount {
            found.append(index)
            index = record(index).next
        }
        return found
    }

    /// How many gaps there are, in use or not; the first of a queue that never had a barrier has no place of its own.
    private var gapCount: Int { Swift.max(1, gaps.count) }

    /// The living gaps, first to last.
    var chain: [UInt32] {
        var found: [UInt32] = []
        var index = firstGap
        while index != .max, found.count <= gapCount {
            found.append(index)
            index = gap(index).next
        }
        return found
    }

    private func checkList() -> [String] {
        var faults: [String] = []
        var previous: UInt32 = .max
        var lastNumber: UInt64 = 0
        var count = 0
        for index in listed {
            let record = record(index)
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
        while index != .max, count <= recordCount {
            let record = record(index)
            if record.standing != .free || record.sequence != 0 { faults.append("free record \(index) is \(record.standing)") }
            count += 1
            index = record.next
        }
        if count + jobCount != recordCount { faults.append("\(count) records are free and \(jobCount) in use, of \(recordCount)") }
        return faults
    }

    private func checkGaps() -> [String] {
        var faults: [String] = []
        var previous: UInt32 = .max
        let living = chain
        for index in living {
            let gap = gap(index)
            if gap.previous != previous { faults.append("gap \(index) does not know the one before it") }
            if gap.barrierIsIn && index != firstGap { faults.append("the barrier of gap \(index) was let in before its turn") }
            if (gap.barrier == .max) != (index == lastGap) {
                faults.append("gap \(index) is closed by \(gap.barrier), the last one is \(lastGap)")
            }
            if gap.barrier != .max {
                let barrier = record(gap.barrier)
                if !barrier.isBarrier || barrier.standing == .free || barrier.gap != index {
                    faults.append("gap \(index) has a wrong barrier")
                }
            }
            previous = index
        }
        if previous != lastGap { faults.append("the last gap is \(previous), not \(lastGap)") }
        if living.count + freeGaps.count != gapCount {
            faults.append("\(living.count) gaps live and \(freeGaps.count) are free, of \(gapCount)")
        }
        if Set(living + freeGaps).count != gapCount { faults.append("a gap is in use twice") }
        for index in (freeGaps + [firstGap]).map({ Int($0) }) where index < gaps.count {
            if gaps[index].count != 0 || gaps[index].order.count != 0 || gaps[index].next != .max || gaps[index].barrier != .max {
                faults.append("gap \(index) is in no use and not empty")
            }
        }
        return faults
    }

    /// Each gap holds one stretch of the list, which its barrier closes, and counts it.
    private func checkStretches() -> [String] {
        var faults: [String] = []
        var counts = [Int](repeating: 0, count: gapCount)
        var current = firstGap
        for index in listed {
            let record = record(index)
            if record.gap != current { faults.append("record \(index) is in gap \(record.gap) instead of \(current)") }
            guard record.isBarrier else {
                counts[Int(current)] += 1
                continue
            }
            if gap(current).barrier != index { faults.append("barrier \(index) does not close gap \(current)") }
            if gap(current).barrierIsIn { counts[Int(current)] += 1 }
            current = gap(current).next
            if current == .max { return faults + ["no gap behind barrier \(index)"] }
        }
        for index in chain where gap(index).count != counts[Int(index)] {
            faults.append("gap \(index) counts \(gap(index).count) jobs instead of \(counts[Int(index)])")
        }
        if front.barrierIsIn && front.count != 1 { faults.append("a barrier was let in beside others") }
        if front.barrier != .max && front.count == 0 { faults.append("a barrier that is next was not let in") }
        return faults
    }

    /// Each ready order holds the jobs that have a place in it, and no others, by lane and by the time of adding.
    private func checkOrders() -> [String] {
        var faults: [String] = []
        var placed = [[UInt32]](repeating: [], count: gapCount)
        for index in listed {
            let record = record(index)
            guard record.standing.isPlaced, !record.isBarrier || gap(record.gap).barrierIsIn else { continue }
            placed[Int(record.gap)].append(index)
        }
        for index in chain {
            let order = gap(index).order
            faults += order.checkLinks(records).map { "gap \(index): \($0)" }
            guard faults.isEmpty else { continue }
            let found = order.members(records).sorted { record($0).rank < record($1).rank }
            let expected = (0..<ReadyOrder.laneCount).reversed().flatMap { lane in
                placed[Int(index)].filter { Int(record($0).lane) == lane }
            }
            if found != expected { faults.append("the order of gap \(index) is \(found) instead of \(expected)") }
            if order.count != expected.count {
                faults.append("the order of gap \(index) counts \(order.count) jobs instead of \(expected.count)")
            }
            if order.head != expected.first ?? .max { faults.append("\(order.head) is first in the order of gap \(index)") }
        }
        return faults
    }

    /// How many places the ready orders hold, however they came by them.
    package var placeCount: Int { chain.reduce(0) { $0 + gap($1).order.members(records).count } }

    private func checkCounts() -> [String] {
        var faults: [String] = []
        var counted: [Standing: Int] = [:]
        for index in listed { counted[record(index).standing, default: 0] += 1 }
        let (slots, lent) = (counted[.executing, default: 0], counted[.lending, default: 0])
        if executing != slots { faults.append("executing is \(executing), found \(slots)") }
        if lending != lent { faults.append("lending is \(lending), found \(lent)") }
        if returners < 0 || returners > lending { faults.append("\(returners) of \(lending) lenders return") }
        return faults
    }

    private func checkAsking() -> [String] {
        var faults: [String] = []
        let noted = Set(unasked.map(\.sequence))
        for index in listed where record(index).standing == .unasked && !noted.contains(record(index).sequence) {
            faults.append("nobody is going to ask job \(index) while the queue is suspended or full")
        }
        return faults
    }
}
