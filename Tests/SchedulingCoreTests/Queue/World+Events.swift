// What each event does to the machine, to the words, and to the reference scheduler.

import SchedulingCore

extension World {
    mutating func apply(_ event: Event) throws(Disagreement) {
        switch event {
        case .make(let plan, let dependencies): make(plan, dependencies)
        case .add(let number): try add(number)
        case .arrive(let plan):
            make(plan, [])
            try add(members.count - 1)
        case .look: try look()
        case .finish(let number): try finish(number)
        case .finishAwaited(let number):
            let lenders = reference.jobs.filter { $0.state == .lending }.map(\.number)
            try finish(number)
            for lender in lenders { comeBack(lender) }
        case .cancel(let number):
            if try flag(number) { try handOver(number) }
        case .flag(let number): _ = try flag(number)
        case .handOver(let number): try handOver(number)
        case .endItself(let number): try endItself(number)
        case .end(let number): try end(number)
        case .work(let number): try work(number)
        case .doomAll:
            machine.doomAll()
            reference.doomAll()
        case .addEdge(let number, let dependency): try addEdge(number, dependency)
        case .removeEdge(let number, let dependency): removeEdge(number, dependency)
        case .setPriority(let number, let priority):
            members[number].priority = priority
            machine.setLane(members[number].handle, to: UInt8(priority))
            reference.setPriority(number, to: priority)
        case .setWidth(let width):
            machine.setWidth(width)
            reference.width = width
        case .setSuspended(let isSuspended):
            machine.setSuspended(isSuspended)
            reference.isSuspended = isSuspended
        case .askOnErrand: try askOnErrand()
        case .answer(let number, let answer): self.answer(number, answer)
        case .post(let number):
            if members[number].word.post() { place(number) }
            reference.post(number)
        case .lend(let number):
            machine.lend(members[number].handle)
            reference.lend(number)
        case .comeBack(let number): comeBack(number)
        case .swap(let waiter, let number): try swap(waiter, number)
        }
    }

    // MARK: Coming

    private mutating func make(_ plan: Plan, _ dependencies: [Int]) {
        members.append(Member(plan: plan, priority: plan.priority))
        for dependency in dependencies {
            edges.append((members.count - 1, dependency))
            _ = members[members.count - 1].word.addUnmetEdge()
        }
    }

    private mutating func add(_ number: Int) throws(Disagreement) {
        let plan = members[number].plan
        let isCancelled = members[number].word.isCancelled
        let reservation = members[number].word.reserve()
        try expect(reservation == .reserved, "job \(number) is \(reservation)")
        let acceptance = members[number].word.accept(isPlain: plan.isPlain)
        try expect(acceptance == .accepted || acceptance == .ready, "job \(number) is \(acceptance)")
        let word = members[number].word
        let standing: Standing = word.endsOnArrival ? .ending : word.phase == .ready && !word.isEndOwed ? .ready : .waiting
        let handle = machine.register(lane: UInt8(members[number].priority), isBarrier: plan.isBarrier, standing: standing)
        members[number].handle = handle
        while numbers.count <= Int(handle.index) { numbers.append(nil) }
        try expect(numbers[Int(handle.index)] == nil, "the handle of job \(number) is in use")
        numbers[Int(handle.index)] = number
        if standing != .ending && word.awaitsAnswer { machine.mustBeAsked(handle) }
        reference.add(
            number, priority: members[number].priority, isBarrier: plan.isBarrier, isPlain: plan.isPlain,
            dependencies: edges.filter { $0.dependent == number }.map(\.dependency), isCancelled: isCancelled)
    }

    // MARK: Starting

    private mutating func look() throws(Disagreement) {
        let expected = reference.nextClaim
        let found = nextAssignment()
        try expect(found == expected, "a worker that looks gets \(describe(found)) instead of \(describe(expected))")
        switch found {
        case .job(let number)?:
            if members[number].plan.isAsynchronous {
                let stage = members[number].word.leaveStart()
                try expect(stage == .continues, "job \(number) ended inside its start")
            }
            reference.start(number)
        case .ask(let number)?: beginAsking(number)
        case nil: break
        }
    }

    // MARK: Ending

    private mutating func finish(_ number: Int) throws(Disagreement) {
        let expected: JobState.EndDuty = members[number].word.isInStart ? .starter : .workerWithSlot
        let duty = members[number].word.finish(failed: false)
        try expect(duty == expected, "whoever ends job \(number) is told \(duty) instead of \(expected)")
        try leave(number)
    }

    /// True if the canceller must hand the job over.
    private mutating func flag(_ number: Int) throws(Disagreement) -> Bool {
        let state = reference[number]?.state
        let isFirst = reference[number].map { !$0.isCancelled } ?? !members[number].word.isCancelled
        let expected: JobState.Cancellation =
            switch state {
            case _ where !isFirst: .ignored
            case .executing, .lending, .returning: .executing
            case .waiting: .owesEnd
            case .ending: members[number].word.isFinished ? .ignored : .flagged
            case nil: .flagged
            }
        let cancellation = members[number].word.cancel()
        try expect(cancellation == expected, "whoever cancels job \(number) is told \(cancellation) instead of \(expected)")
        if cancellation != .ignored { reference.cancel(number) }
        return cancellation == .owesEnd
    }

    private mutating func handOver(_ number: Int) throws(Disagreement) {
        try expect(machine.mustEnd(members[number].handle), "job \(number) is not to be ended")
        try expect(!machine.mustEnd(members[number].handle), "job \(number) is to be ended twice")
        reference.end(number)
    }

    private mutating func endItself(_ number: Int) throws(Disagreement) {
        let isCancelled = members[number].word.isCancelled
        let duty = members[number].word.finish(failed: false)
        try expect(duty == (isCancelled ? .underway : .workerWithoutSlot), "whoever ends job \(number) is told \(duty)")
        // A canceller between the two halves of his cancel hands it over himself.
        if duty == .workerWithoutSlot { try handOver(number) }
    }

    private mutating func end(_ number: Int) throws(Disagreement) {
        let isFinished = members[number].word.isFinished
        let mustStart = members[number].word.enterCancelledStart()
        try expect(mustStart != isFinished, "the start of job \(number) is called after its end, or not at all")
        if mustStart {
            let duty = members[number].word.finish(failed: false)
            try expect(duty == .starter, "whoever ends job \(number) is told \(duty)")
        }
        try leave(number)
    }

    private mutating func work(_ number: Int) throws(Disagreement) {
        try expect(members[number].word.enterCancelledStart(), "job \(number) is finished")
        machine.worksDespiteCancellation(members[number].handle)
        let stage = members[number].word.workDespiteCancellation()
        try expect(stage == .continues, "job \(number) ended inside its start")
        reference.start(number)
    }

    /// Step 3 of a job's end.
    private mutating func leave(_ number: Int) throws(Disagreement) {
        let duty = members[number].word.finish(failed: true)
        try expect(duty == .late, "job \(number) ended twice")
        try expect(members[number].word.close(extrasDone: true, nodeDone: true), "job \(number) did not leave")
        let handle = members[number].handle
        machine.finished(handle)
        numbers[Int(handle.index)] = nil
        members[number].handle = .none
        let met = edges.filter { $0.dependency == number }.map(\.dependent)
        edges.removeAll { $0.dependency == number || $0.dependent == number }
        reference.finish(number)
        for dependent in met { meetEdge(of: dependent) }
        members[number].word.settle()
    }

    // MARK: Edges

    private mutating func addEdge(_ number: Int, _ dependency: Int) throws(Disagreement) {
        let word = members[number].word
        let expected: JobState.EdgeAdmission = word.isFinished ? .alreadyFinished : word.phase == .executing ? .alreadyStarted : .added
        let admission = members[number].word.addUnmetEdge()
        try expect(admission == expected, "the edge from \(number) to \(dependency) is \(admission)")
        guard admission == .added else { return }
        edges.append((number, dependency))
        reference.addEdge(from: number, to: dependency)
    }

    private mutating func removeEdge(_ number: Int, _ dependency: Int) {
        edges.removeAll { $0 == (number, dependency) }
        reference.removeEdge(from: number, to: dependency)
        guard members[number].word.removeUnmetEdge() else { return }
        if members[number].plan.isPlain {
            let posts = members[number].word.posts
            _ = members[number].word.answer(true, posts: posts)
        }
        place(number)
    }

    // MARK: Lending

    private mutating func comeBack(_ number: Int) {
        if !machine.takeBack(members[number].handle) { returning.append(number) }
        reference.comeBack(number)
    }

    private mutating func swap(_ waiter: Int, _ number: Int) throws(Disagreement) {
        let expected = reference.maySwap(waiter, for: number)
        var found = machine.swap(members[waiter].handle, for: members[number].handle)
        if found && members[number].word.claim() != .begun {
            machine.undoSwap(members[waiter].handle, for: members[number].handle)
            found = false
        }
        try expect(found == expected, "job \(waiter) \(found ? "runs" : "does not run") job \(number) itself")
        guard found else { return }
        if members[number].plan.isAsynchronous { _ = members[number].word.leaveStart() }
        reference.lend(waiter)
        reference.start(number)
    }
}
