// What producers do, and what every thread does after a section: paying its orders, and going back to the pool.

extension LostWakeUpModel {
    /// `add`: push, then look at the bell.
    func produce(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) {
        switch state.threads[index].step {
        case .atRest where omission == .bellReadBeforePush:
            let isOn = loadBell(index, state)
            note(&words, index, state, "reads the bell: \(isOn ? "on" : "off")")
            state.threads[index].register = isOn ? 1 : 0
            state.threads[index].step = .latePush
        case .atRest where setting.hasCanceller: accept(index, &state, &words)
        case .atRest where omission == .edgeReadBeforePush && hasUnmetEdge(batch(of: index, state), state):
            note(&words, index, state, "looks for the edge: unmet")
            state.threads[index].step = .earlyEdge
        case .earlyEdge:
            push(index, &state, &words)
            finishAdding(index, &state)
        case .lookAtEdge:
            let isUnmet = hasUnmetEdge(batch(of: index, state), state)
            note(&words, index, state, "looks for the edge: \(isUnmet ? "unmet" : "met")")
            if isUnmet { finishAdding(index, &state) } else { state.threads[index].step = .lookAtBell }
        case .earlyWord:
            state.threads[index].register = marked(index, state)
            note(&words, index, state, "looks for the mark: \(state.threads[index].register == 0 ? "none" : "there")")
            state.threads[index].step = .push
        case .lookAtWord:
            let isMarked = marked(index, state) != 0
            note(&words, index, state, "looks for the mark: \(isMarked ? "there" : "none")")
            if isMarked { state.threads[index].step = .lock } else { finishAdding(index, &state) }
        case .latePush:
            push(index, &state, &words)
            let isOn = state.threads[index].register == 1
            state.threads[index].register = 0
            if isOn { state.threads[index].step = .takeBell } else { finishAdding(index, &state) }
        case .atRest, .push:
            push(index, &state, &words)
            state.threads[index].step = omission == .linkAfterPush ? .lateLink : setting.hasEdge ? .lookAtEdge : .lookAtBell
        case .lateLink:
            note(&words, index, state, "writes the link")
            state.setLink(of: batch(of: index, state)[0], to: state.threads[index].register)
            state.threads[index].register = 0
            state.threads[index].step = .lookAtBell
        case .lookAtBell:
            let isOn = loadBell(index, state)
            note(&words, index, state, "reads the bell: \(isOn ? "on" : "off")")
            guard isOn else { return lookAtWord(index, &state) }
            state.threads[index].section = .ring
            state.threads[index].step = omission == .bellTurnedOffLate ? .lock : .takeBell
        case .takeBell:
            let isMine = exchangeBell(false, index, &state)
            note(&words, index, state, isMine ? "turns the bell off" : "finds the bell turned off by another thread")
            guard isMine, omission != .ringWithoutFunnel else { return lookAtWord(index, &state) }
            state.threads[index].section = .ring
            state.threads[index].step = .lock
        default:
            _ = exchangeBell(false, index, &state)
            note(&words, index, state, "turns the bell off")
            finishAdding(index, &state)
        }
    }

    private func push(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) {
        let jobs = batch(of: index, state)
        note(&words, index, state, "pushes \(jobs.map { "job \($0)" }.joined(separator: ", "))")
        drain(index, &state)
        for (job, next) in zip(jobs, jobs.dropFirst()) { state.setLink(of: next, to: job) }
        if omission == .linkAfterPush {
            state.threads[index].register = state.head
        } else {
            state.setLink(of: jobs[0], to: state.head)
        }
        state.head = jobs[jobs.count - 1]
        for job in jobs { state.pushed |= 1 << job }
    }

    private func finishAdding(_ index: Int, _ state: inout ModelState) {
        state.threads[index].position += 1
        state.threads[index].step = .atRest
    }
}

// MARK: - After a section

extension LostWakeUpModel {
    /// Where a thread goes when its section has ended.
    func goOn(_ index: Int, _ state: inout ModelState) {
        let thread = state.threads[index]
        if omission == .summonsNotPaid {
            state.threads[index].siteFirst = false
            state.threads[index].siteWorkers = 0
        } else if thread.siteFirst || thread.siteWorkers > 0 {
            state.threads[index].step = .pay
            return
        }
        if thread.refused > 0 {
            state.threads[index].section = .bookRefusal
            state.threads[index].step = .lock
            return
        }
        if thread.pacesAt {
            state.threads[index].step = .setTimer
            return
        }
        switch thread.role {
        case .producer where omission == .bellTurnedOffLate: state.threads[index].step = .lateBell
        case .producer: finishAdding(index, &state)
        case .controller:
            state.threads[index].position += 1
            state.threads[index].step = .atRest
        case .finisher, .timer: state.threads[index].step = .atRest
        case .canceller, .meeter: state.threads[index].step = .atRest
        case .guest: state.threads[index].step = .nextRefused
        case .worker:
            state.threads[index].step = thread.job != 0 ? .running : thread.hasGivenBack ? .nextRefused : .giveBack
        }
    }

    /// One access to the pool or to the source of time.
    func pay(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) {
        switch state.threads[index].step {
        case .pay:
            summonOne(index, &state, &words)
            goOn(index, &state)
        case .setTimer:
            note(&words, index, state, "schedules a look at the pace")
            state.timerIsSet = true
            state.threads[index].pacesAt = false
            goOn(index, &state)
        case .nextRefused:
            if state.budget > 0 && state.isNoted {
                note(&words, index, state, "the pool has a worker again for the queue")
                state.isNoted = false
                if omission != .laneNotTold {
                    state.threads[index].section = .laneBecameFree
                    state.threads[index].step = .lock
                }
            } else if state.threads[index].role == .guest {
                state.threads[index].step = .atRest
            } else {
                note(&words, index, state, "is gone")
                state.threads.remove(at: index)
            }
        default:
            note(&words, index, state, "goes back to the pool")
            let isOfBudget = !state.threads[index].isFirst || omission == .firstOutOfBudget
            if isOfBudget && state.budget < .max { state.budget += 1 }
            state.threads[index].hasGivenBack = true
            state.threads[index].step = .nextRefused
        }
    }

    /// `place.summon`
    private func summonOne(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) {
        let isFirst = state.threads[index].siteFirst
        if isFirst { state.threads[index].siteFirst = false } else { state.threads[index].siteWorkers -= 1 }
        if !isFirst || omission == .firstOutOfBudget {
            guard state.budget > 0 else {
                note(&words, index, state, "is refused a worker")
                state.threads[index].refused += 1
                if !state.isNoted { state.threads[index].notes += 1 }
                state.isNoted = true
                return
            }
            if state.budget < .max { state.budget -= 1 }
        }
        var number: UInt8 = 1
        while state.threads[firstWorker...].contains(where: { $0.number == number }) { number += 1 }
        note(&words, index, state, "summons worker \(number)\(isFirst ? ", the first one" : "")")
        var worker = ModelThread(.worker, number)
        worker.isFirst = isFirst
        worker.step = .coming
        worker.section = .look
        state.threads.append(worker)
    }
}
