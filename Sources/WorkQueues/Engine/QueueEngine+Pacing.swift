// Pacing: a look every ten milliseconds while work waits and all workers are taken.

import SchedulingCore

/// What the pacing of a queue remembers from look to look.
struct Pacing: Sendable {
    static let interval: UInt64 = 10_000_000

    /// A look is scheduled.
    var isArmed = false
    var lastLook: UInt64 = 0
    var lastCPU: UInt64 = 0
    /// How many errands were taken by workers, and how many had been at the last look.
    var errandsTaken: UInt64 = 0
    var errandsTakenAtLastLook: UInt64 = 0
}

extension QueueEngine.Guarded {
    /// Whether jobs wait though every worker of the automatic width is taken.
    private var isShortOfWidth: Bool { setWidth < 0 && machine.claimable > 0 && machine.freeSlots == 0 }

    /// Whether errands wait though every errand worker is taken.
    private var isShortOfErrandWorkers: Bool {
        machine.staffing.errands > 0 && machine.staffing.errandWorkers >= machine.staffing.errandLimit
    }

    /// Whether a producer that adds a job must see to it that the queue looks: every worker of the automatic width is taken and may be
    /// blocked, and no look is scheduled, because nothing waited when the last one was claimed.
    @inline(__always)
    var wantsPacingBell: Bool {
        setWidth < 0 && !pacing.isArmed && machine.freeSlots == 0 && !machine.isSuspended && machine.staffing.siteOnTheirWay == 0
    }

    /// Schedules a look if one is needed.
    @inline(__always)
    mutating func pace(_ orders: inout Orders, time: any TimeSource) {
        if setWidth >= 0 && machine.staffing.errands == 0 { return }
        guard !pacing.isArmed, isShortOfWidth || isShortOfErrandWorkers else { return }
        armPacing(&orders, time: time)
    }

    private mutating func armPacing(_ orders: inout Orders, time: any TimeSource) {
        let now = time.now()
        if now > pacing.lastLook + 2 * Pacing.interval {
            // There was a pause: the first look measures from here.
            pacing.lastLook = now
            pacing.lastCPU = time.processorTime()
            pacing.errandsTakenAtLastLook = pacing.errandsTaken
        }
        pacing.isArmed = true
        orders.rareOrNew.pacesAt = now + Pacing.interval
    }

    /// A look: grows what is short and stuck.
    mutating func look(now: UInt64, cpu: UInt64) {
        pacing.isArmed = false
        if setWidth < 0 {
            automatic.look(
                cpuNanoseconds: cpu &- pacing.lastCPU, elapsedNanoseconds: now &- pacing.lastLook,
                everyWorkerTaken: machine.freeSlots == 0, readyJobsWait: machine.claimable > 0)
            machine.setWidth(automatic.width)
        }
        if isShortOfErrandWorkers && pacing.errandsTaken == pacing.errandsTakenAtLastLook { machine.staffing.errandLimit += 1 }
        if machine.staffing.errands == 0 { machine.staffing.errandLimit = 1 }
        pacing.errandsTakenAtLastLook = pacing.errandsTaken
        pacing.lastLook = now
        pacing.lastCPU = cpu
    }
}

extension QueueEngine {
    func pace() {
        let (now, cpu) = (time.now(), time.processorTime())
        decide { state, _ in state.look(now: now, cpu: cpu) }
    }
}
