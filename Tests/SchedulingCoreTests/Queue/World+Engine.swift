// The engine's protocols around the machine, as far as they decide anything.

import SchedulingCore

extension World {
    /// Looks for a site worker: a job that was claimed and may not start is put back, and the next one is tried.
    mutating func nextAssignment() -> ReferenceScheduler.Claim? {
        while let claim = machine.claim() {
            switch claim {
            case .ask(let handle):
                guard let number = numbers[Int(handle.index)] else { continue }
                if members[number].word.awaitsAnswer { return .ask(number) }
                // An edge was added in time or the job was cancelled: whatever it says counts for nothing.
                machine.mustWait(handle)
            case .job(let handle):
                guard let number = numbers[Int(handle.index)] else { continue }
                if members[number].word.claim() == .begun { return .job(number) }
                machine.unclaim(handle)
                place(number)
            }
        }
        return nil
    }

    /// A job's last obstacle went away, or it must be asked again.
    mutating func place(_ number: Int) {
        let (word, handle) = (members[number].word, members[number].handle)
        if handle == .none || word.isCancelled || word.isEndOwed { return }
        if word.phase == .ready {
            machine.becameReady(handle)
        } else if word.awaitsAnswer {
            machine.mustBeAsked(handle)
        }
    }

    mutating func meetEdge(of number: Int) {
        guard members[number].word.isQueued else {
            _ = members[number].word.removeUnmetEdge()
            return
        }
        if members[number].word.meetEdge(isPlain: members[number].plan.isPlain) != .unmet { place(number) }
    }

    /// What every critical section does last: lenders come back, oldest first.
    mutating func settle() {
        while machine.admitsReturner, !returning.isEmpty {
            machine.admitReturner(members[returning.removeFirst()].handle)
        }
        reference.admitReturners()
    }

    // MARK: Asking

    mutating func beginAsking(_ number: Int) {
        members[number].askedAt = members[number].word.posts
        reference.ask(number)
    }

    mutating func askOnErrand() throws(Disagreement) {
        while let handle = machine.takeUnasked() {
            guard let number = numbers[Int(handle.index)] else { continue }
            guard members[number].word.awaitsAnswer else {
                machine.mustWait(handle)
                continue
            }
            try expect(reference[number]?.mayBeAsked ?? false, "job \(number) need not be asked")
            return beginAsking(number)
        }
        let unasked = reference.jobs.filter(\.mustBeAsked).map(\.number)
        try expect(unasked.isEmpty, "nobody asks \(unasked)")
    }

    /// The job answers what it was asked.
    mutating func answer(_ number: Int, _ answer: Bool) {
        guard let posts = members[number].askedAt else { return }
        reference.answer(number, answer)
        if members[number].word.answer(answer, posts: posts) == .askAgain {
            members[number].askedAt = members[number].word.posts
            return
        }
        members[number].askedAt = nil
        if members[number].handle == .none { return }
        if members[number].word.phase == .ready {
            machine.becameReady(members[number].handle)
        } else {
            machine.mustWait(members[number].handle)
        }
    }
}
