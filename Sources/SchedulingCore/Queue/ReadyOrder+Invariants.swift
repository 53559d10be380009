// What must hold in a ready order between any two changes, written down as a check for tests.

extension ReadyOrder {
    /// The jobs in the lines, first to last, and then the heap; stops where a broken link would lead round for ever.
    func members(_ records: JobRecords) -> [UInt32] {
        (0..<UInt8(Self.laneCount)).flatMap { members(ofLane: $0, records) } + latecomers
    }

    private func members(ofLane lane: UInt8, _ records: JobRecords) -> [UInt32] {
        var found: [UInt32] = []
        var index = line(lane).first
        while index != .max, found.count <= records.count {
            found.append(index)
            index = records[Int(index)].readyNext
        }
        return found
    }

    /// Everything that is wrong with the links; empty when all is well.
    func checkLinks(_ records: JobRecords) -> [String] {
        (0..<UInt8(Self.laneCount)).flatMap { checkLine($0, records) } + checkHeap(records)
    }

    private func checkLine(_ lane: UInt8, _ records: JobRecords) -> [String] {
        var faults: [String] = []
        let line = members(ofLane: lane, records)
        if line.isEmpty == (occupied & (1 << lane) != 0) { faults.append("lane \(lane) has \(line.count) jobs, which its bit denies") }
        if (line.last ?? .max) != self.line(lane).last { faults.append("lane \(lane) ends with \(self.line(lane).last), found \(line)") }
        var previous: UInt32 = .max
        for index in line {
            let record = records[Int(index)]
            if record.lane != lane { faults.append("record \(index) of lane \(record.lane) stands in lane \(lane)") }
            if record.isLate { faults.append("record \(index) stands in a line and says that it is late") }
            if record.readyPrevious != previous { faults.append("record \(index) does not know the one before it in lane \(lane)") }
            if previous != .max, records[Int(previous)].sequence >= record.sequence {
                faults.append("record \(index) stands too far back in lane \(lane)")
            }
            previous = index
        }
        return faults
    }

    private func checkHeap(_ records: JobRecords) -> [String] {
        var faults: [String] = []
        for (place, index) in latecomers.enumerated() {
            let record = records[Int(index)]
            if !record.isLate { faults.append("record \(index) stands in the heap and does not say so") }
            if Int(record.readyNext) != place { faults.append("record \(index) stands at \(place), not at \(record.readyNext)") }
            if place > 0, records[Int(latecomers[(place - 1) / 2])].rank >= record.rank {
                faults.append("record \(index) stands too far down the heap")
            }
        }
        return faults
    }
}
