// The funnel: lock, take in, tell the machine, settle the staff, look at the intake again, unlock.

extension LostWakeUpModel {
    func section(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) throws(ModelViolation) {
        switch state.threads[index].step {
        case .atRest, .lock, .coming, .running: try begin(index, &state, &words)
        case .takeIn:
            try registerAll(index, &state, &words)
            try tellMachine(index, &state, &words)
        case .readBell: readBell(index, &state, &words)
        case .setBell:
            let wantsBell = state.threads[index].wantsBell
            note(&words, index, state, "sets the bell: \(wantsBell ? "on" : "off")")
            storeBell(wantsBell, index, &state)
            bellIsSet(index, &state)
        case .lookAgain:
            let head = loadHead(index, state)
            note(&words, index, state, "looks at the intake again: \(head == 0 ? "empty" : "not empty")")
            if omission == .secondLookBeforeBell {
                state.threads[index].register = head
                state.threads[index].step = .readBell
            } else if head == 0 {
                unlock(index, &state)
            } else {
                if omission == .intakeEmptiedByStore { state.threads[index].register = head }
                state.threads[index].step = .takeInAgain
            }
        case .unlock:
            note(&words, index, state, "unlocks")
            unlock(index, &state)
        default:
            try registerAll(index, &state, &words)
            if omission == .secondLookWithoutSettling { unlock(index, &state) } else { settleStaff(index, &state) }
        }
    }

    /// Lock, and the first look at the intake.
    private func begin(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) throws(ModelViolation) {
        drain(index, &state)
        if state.threads[index].step == .running { state.threads[index].section = .look }
        state.isLocked = true
        let head = loadHead(index, state)
        note(&words, index, state, "locks (\(state.threads[index].section)); the intake is \(head == 0 ? "empty" : "not empty")")
        let takesIn: Bool
        switch omission {
        case .noTakingInAtBegin: takesIn = false
        case .neverTakenIn: takesIn = state.threads[index].section != .look
        default: takesIn = true
        }
        if state.threads[index].step == .coming { state.threads[index].position = Self.comesFromOutside }
        if takesIn && head != 0 {
            if omission == .intakeEmptiedByStore { state.threads[index].register = head }
            state.threads[index].step = .takeIn
        } else {
            try tellMachine(index, &state, &words)
        }
    }

    /// A worker has no program, so its position is free to say that it was summoned and has not looked yet.
    private static var comesFromOutside: UInt8 { 1 }

    private func registerAll(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) throws(ModelViolation) {
        var job = takeAll(index, &state)
        state.threads[index].register = 0
        var registered: [UInt8] = []
        while job != 0 {
            if state.registered >> job & 1 != 0 { throw ModelViolation(what: "job \(job) comes in twice") }
            register(job, &state)
            if words != nil { registered.append(job) }
            let next = state.link(of: job)
            state.setLink(of: job, to: 0)
            job = next
        }
        note(&words, index, state, "takes in \(registered.reversed().map { "job \($0)" }.joined(separator: ", "))")
    }

    /// The body of the section.
    private func tellMachine(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) throws(ModelViolation) {
        switch state.threads[index].section {
        case .ring: break
        case .look:
            try look(index, &state, &words)
            if omission == .goingHomeWithoutSettling && state.threads[index].job == 0 { return unlock(index, &state) }
        case .control:
            let control = setting.controls[Int(state.threads[index].position)]
            note(&words, index, state, "\(control)")
            switch control {
            case .suspend: state.isSuspended = true
            case .resume:
                state.isSuspended = false
                if omission == .resumeWithoutSettling { return unlock(index, &state) }
            case .width(let width):
                state.width = width
                if omission == .wideningWithoutSettling { return unlock(index, &state) }
            }
        case .bookRefusal:
            state.refusals += Int8(state.threads[index].notes)
            if omission != .refusalNotBooked { state.siteOnTheirWay -= Int8(state.threads[index].refused) }
            state.threads[index].notes = 0
            state.threads[index].refused = 0
        case .laneBecameFree:
            state.refusals -= 1
            if omission == .refusalsNotNegative { state.refusals = max(0, state.refusals) }
        case .handOver:
            let job = state.away & (~state.away + 1)
            state.away &= ~job
            state.ends |= job
        case .pace: state.isPacingArmed = false
        case .endUnstarted: return startHandingOver(index, &state)
        case .meet:
            state.threads[index].step = .meetEdge
            return
        }
        settleStaff(index, &state)
    }

    /// A look: the job leaves, the worker is booked, and the next job is claimed; none if it goes home.
    private func look(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) throws(ModelViolation) {
        let isFromOutside = state.threads[index].position & Self.comesFromOutside != 0
        state.threads[index].position = 0
        if isFromOutside {
            if omission != .arrivalNotBooked { state.siteOnTheirWay -= 1 }
            if state.siteOnTheirWay < 0 { throw ModelViolation(what: "a worker came that was not counted") }
        } else {
            let job = state.threads[index].job
            if setting.isAsynchronous && !state.threads[index].isEnding {
                note(&words, index, state, "leaves job \(job) going on without it")
                state.away |= 1 << job
            } else {
                note(&words, index, state, "lets job \(job) leave")
                state.left |= 1 << job
                state.executing -= 1
            }
        }
        state.threads[index].isEnding = false
        state.threads[index].job = 0
        if isFromOutside || !setting.givesWayAfterEachJob { try findNext(index, &state) }
        let job = state.threads[index].job
        if job == 0 && state.threads[index].isFirst && omission != .firstNotGivenUp { state.hasFirst = false }
        note(&words, index, state, job == 0 ? "goes home" : state.threads[index].isEnding ? "ends job \(job)" : "claims job \(job)")
    }

    private func findNext(_ index: Int, _ state: inout ModelState) throws(ModelViolation) {
        if state.ends != 0 {
            let job = UInt8(state.ends.trailingZeroBitCount)
            state.ends &= ~(1 << job)
            state.threads[index].job = job
            state.threads[index].isEnding = true
            return
        }
        // The word of a cancelled job refuses the claim.
        state.ready &= ~state.cancelled
        if state.claimable > 0 && (state.freeSlots > 0 || omission == .claimWithoutSlot) {
            let job = UInt8(state.ready.trailingZeroBitCount)
            if omission != .claimKeepsPlace { state.ready &= ~(1 << job) }
            state.executing += 1
            state.threads[index].job = job
            if state.started >> job & 1 != 0 { throw ModelViolation(what: "job \(job) begins twice") }
            if state.executing > state.width { throw ModelViolation(what: "more jobs execute than the width allows") }
            state.started |= 1 << job
        }
    }

    /// `siteShortage` of the machine.
    func siteShortage(_ state: ModelState) -> Int8 {
        let ends = omission == .endsNotCounted ? 0 : Int8(state.ends.nonzeroBitCount)
        return ends + min(state.claimable, state.freeSlots) - state.siteOnTheirWay
    }

    /// `wantsBell` of the machine, and `wantsPacingBell`.
    func wantsBell(_ state: ModelState) -> Bool {
        guard !state.isSuspended, state.siteOnTheirWay == 0 else { return false }
        return state.freeSlots > 0 || setting.isAutomatic && !state.isPacingArmed && omission != .noPacingBell
    }

    /// Orders workers, and decides whether the bell is on.
    func settleStaff(_ index: Int, _ state: inout ModelState) {
        var shortage = siteShortage(state)
        if shortage > 0 && !state.hasFirst {
            state.hasFirst = true
            state.threads[index].siteFirst = true
            if omission != .summonsNotBooked { state.siteOnTheirWay += 1 }
            shortage -= 1
        }
        if shortage > 0 && state.refusals <= 0 {
            state.threads[index].siteWorkers += UInt8(shortage)
            if omission != .summonsNotBooked { state.siteOnTheirWay += shortage }
        }
        if setting.isAutomatic && !state.isPacingArmed && state.claimable > 0 && state.freeSlots == 0 {
            state.isPacingArmed = true
            state.threads[index].pacesAt = true
        }
        state.threads[index].wantsBell = wantsBell(state)
        state.threads[index].step = omission == .secondLookBeforeBell && state.threads[index].wantsBell ? .lookAgain : .readBell
    }

    private func readBell(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) {
        let isOn = loadBell(index, state)
        note(&words, index, state, "reads the bell: \(isOn ? "on" : "off")")
        if isOn != state.threads[index].wantsBell { state.threads[index].step = .setBell } else { bellIsSet(index, &state) }
    }

    private func bellIsSet(_ index: Int, _ state: inout ModelState) {
        let isLookForgetful = omission == .neverTakenIn && state.threads[index].section == .look
        if !state.threads[index].wantsBell || omission == .noSecondLook || isLookForgetful {
            unlock(index, &state)
        } else if omission == .secondLookBeforeBell {
            if state.threads[index].register == 0 { unlock(index, &state) } else { state.threads[index].step = .takeInAgain }
        } else {
            state.threads[index].step = .lookAgain
        }
    }

    private func unlock(_ index: Int, _ state: inout ModelState) {
        if state.threads[index].buffer != 0 && state.threads[index].step != .unlock {
            state.threads[index].step = .unlock
            return
        }
        drain(index, &state)
        state.threads[index].register = 0
        state.threads[index].wantsBell = false
        state.isLocked = false
        goOn(index, &state)
    }
}
