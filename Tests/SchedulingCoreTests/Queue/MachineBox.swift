// A queue's machine that can be copied, which only worlds need.

@testable import SchedulingCore

/// Holds a machine for a value; the value makes another box before it changes a machine that others see.
final class MachineBox {
    var machine: QueueMachine

    init(_ machine: consuming QueueMachine) { self.machine = machine }

    func copy() -> MachineBox { MachineBox(machine.copy()) }
}

extension QueueMachine {
    static var bytesPerRecord: Int { MemoryLayout<Record>.stride }

    /// Every stored property; `MachineBoxTests` knows how many there are.
    func copy() -> QueueMachine {
        var copy = QueueMachine(width: width, isSuspended: isSuspended)
        copy.memory = RecordMemory(capacity: records.count, copying: records, count: recordCount)
        copy.recordCount = recordCount
        copy.freeRecord = freeRecord
        copy.oldest = oldest
        copy.newest = newest
        copy.lastSequence = lastSequence
        copy.front = front
        copy.gaps = gaps
        copy.freeGaps = freeGaps
        copy.firstGap = firstGap
        copy.lastGap = lastGap
        copy.jobCount = jobCount
        copy.executing = executing
        copy.lending = lending
        copy.returners = returners
        copy.doomedThrough = doomedThrough
        copy.unasked = unasked
        copy.staffing = staffing
        return copy
    }
}
