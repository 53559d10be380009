// Leaving: steps 3 to 5 of a job's end.

import SchedulingCore

/// A job whose completions have run, on its way out of its queue.
struct Departure {
    /// Held by its queue, or by whoever ends it in no queue, until it is gone.
    let job: Unmanaged<Job>
    /// The job's extras have been seen to; false if it had none then.
    var extrasDone: Bool
    /// The graph has been seen to.
    var nodeDone = false
    /// The outcome is fixed. If not, nobody had a part in the end when the body returned, and the job finishes in the step in which it
    /// leaves.
    var isFinished = true
    /// What the departure owes others; most jobs owe nothing. The thread's own, see `ThreadContext`.
    private(set) var debts: UnsafeMutablePointer<Debts>?

    /// What is owed to dependents, waiters and dependencies. Never copied: each copy would count a reference to each list.
    struct Debts: ~Copyable {
        /// Dependents with an edge that is met when the job leaves; each is retained.
        var met: [Unmanaged<Job>] = []
        /// Those of them that are in other queues.
        var elsewhere: [Unmanaged<Job>] = []
        /// Dependents that will not run, and why.
        var condemned: [(job: Job, verdict: Verdict)] = []
        /// Waiters that lent a slot of this queue: they are next.
        var lenders: [Lender] = []
        /// References to let go of.
        var garbage: [Unmanaged<Job>] = []
    }

    init(job: Job, extrasDone: Bool) {
        self.job = Unmanaged.passUnretained(job)
        self.extrasDone = extrasDone
    }

    /// Whether anybody is owed anything once the job has left.
    var isOwing: Bool { extrasDone || nodeDone || debts != nil }

    mutating func debtsOrNew(_ context: ThreadContext) -> UnsafeMutablePointer<Debts> {
        if let debts { return debts }
        let taken = context.takeDebts()
        debts = taken
        return taken
    }
}

extension Departure.Debts {
    /// One dependent of the job that is leaving, with a reference to it, and why it will not run, if so.
    mutating func take(_ dependent: Unmanaged<Job>, _ verdict: Verdict?) {
        // A condemned one keeps its unmet edge, so that nothing can start it before its cancel has run.
        if let verdict { condemned.append((dependent.takeRetainedValue(), verdict)) } else { met.append(dependent) }
    }

    /// The part of step 3 that concerns other queues, and the news of jobs that became ready.
    func finishMeeting() {
        for dependent in elsewhere {
            let dependent = dependent.takeUnretainedValue()
            guard let engine = QueueDirectory.shared.engine(dependent.queueID) else { continue }
            engine.decide { state, _ in state.meetEdge(of: dependent, on: engine) }
        }
        for dependent in met {
            dependent._withUnsafeGuaranteedRef { if $0.jobState.hasExtras { $0.deliverNews(as: .worker, on: nil) } }
        }
    }

    /// Meets the edges of dependents that are in no queue; what is in a queue other than `queue` is left for `finishMeeting`, what is in
    /// that one is met by `meetHere`.
    ///
    /// An edge of a job in a queue is met under that queue's lock alone, or a worker could begin the job before it is noted that it became
    /// ready. One that is being added at this moment is in its queue or not by one change of its word, and so is its edge met.
    mutating func meetEdges(ofOthersThan queue: UInt64, meetHere: (Job) -> Void) {
        for reference in met {
            reference._withUnsafeGuaranteedRef { dependent in
                if dependent.update({ $0.meetEdgeOutsideQueues() }) { return }
                if dependent.queueID == queue { meetHere(dependent) } else { elsewhere.append(reference) }
            }
        }
    }

    /// Everything is paid: lets go of the references, the last ones as they may be, and forgets whom it was owed.
    mutating func clear(_ context: ThreadContext) {
        if !met.isEmpty { context.releases.release(all: &met) }
        if !garbage.isEmpty { context.releases.release(all: &garbage) }
        if !elsewhere.isEmpty { elsewhere.reset(keeping: ReleaseList.keptCapacity) }
        if !lenders.isEmpty { lenders.reset(keeping: ReleaseList.keptCapacity) }
    }
}

extension Job {
    /// The graph's part of step 3: finds the edges that point at this job, and ends dependents that will not run.
    final func resolveEdges(into departure: inout Departure, engine: QueueEngine?, _ context: ThreadContext) {
        let debts = departure.debtsOrNew(context)
        // If extras came meanwhile, closing will refuse, and they are seen to first.
        guard DependencyRegistry.shared.resolve(self, extrasDone: departure.extrasDone, into: &debts.pointee) else { return }
        departure.nodeDone = true
        if debts.pointee.condemned.isEmpty { return }
        for (dependent, verdict) in debts.pointee.condemned { dependent.cancel(because: verdict) }
        debts.pointee.condemned = []
    }
}

extension QueueEngine.Guarded {
    /// Step 3 for the job's own queue, in one critical section: the job leaves, its slot is free, its dependents take their places.
    /// False if extras or edges were attached meanwhile, or the job does not end alone any more.
    @inline(__always)
    mutating func letLeave(_ departure: inout Departure?, _ orders: inout Orders, engine: QueueEngine) -> Bool {
        let leaver = departure.unsafelyUnwrapped
        return leaver.job._withUnsafeGuaranteedRef { job in
            guard close(job, leaver, engine) else { return false }
            let handle = job.handle
            if machine.standing(of: handle) == .lending { leaveLine(handle, &orders) }
            machine.finished(handle)
            job.handle = .none
            if let debts = leaver.debts { settleDebts(&debts.pointee, of: job, &orders, engine: engine) }
            if machine.jobCount == 0 { mayHaveBecomeIdle = true }
            return true
        }
    }

    /// The whole of step 3 for a job that was cancelled before it began. False if somebody has a part in its end.
    mutating func letLeaveAlone(_ job: Job, engine: QueueEngine) -> Bool {
        guard !engine.hub.isObserved, job.update({ $0.finishUnstartedAlone() }) else { return false }
        machine.finished(job.handle)
        job.handle = .none
        return true
    }

    @inline(__always)
    private func close(_ job: Job, _ leaver: Departure, _ engine: QueueEngine) -> Bool {
        if leaver.isFinished { return job.update { $0.close(extrasDone: leaver.extrasDone, nodeDone: leaver.nodeDone) } }
        return !engine.hub.isObserved && job.update { $0.finishAlone() }
    }

    private mutating func settleDebts(_ debts: inout Departure.Debts, of job: Job, _ orders: inout Orders, engine: QueueEngine) {
        if !debts.lenders.isEmpty { takeBack(debts.lenders, &orders) }
        // `debts` holds the dependents, so that none is released under the lock.
        debts.meetEdges(ofOthersThan: job.queueID) { meetEdge(of: $0, on: engine) }
    }

    /// An edge of a job of this queue is met. If it was the last one, the job is ready in this step, or asked whether it is.
    mutating func meetEdge(of dependent: Job, on engine: QueueEngine) {
        switch dependent.update({ $0.meetEdge(isPlain: dependent.isPlain) }) {
        case .unmet: return
        case .ready: dependent.notePendingReady(on: engine)
        case .askable: break
        }
        place(dependent)
    }

    /// A job that leaves with its loan waits for no slot any more.
    private mutating func leaveLine(_ handle: Handle, _ orders: inout Orders) {
        var rest = Fifo<Lender>()
        while let lender = returners.popFirst() {
            guard lender.handle == handle else {
                rest.append(lender)
                continue
            }
            machine.leaveReturners()
            orders.grant(lender)
        }
        returners = rest
    }

    /// The waits of these are over: each gets its slot back, or the next one that is free.
    mutating func takeBack(_ lenders: [Lender], _ orders: inout Orders) {
        for lender in lenders where lender.isLent {
            lender.isLent = false
            // A job that was ended while it waited has left with its loan: there is no slot to take back.
            if !machine.isLending(lender.handle, sequence: lender.sequence) || machine.takeBack(lender.handle) {
                orders.grant(lender)
            } else {
                returners.append(lender)
            }
        }
    }
}

extension QueueEngine {
    /// What is left of step 3, and step 4.
    func finishDeparture(_ departing: inout Departure?, _ context: ThreadContext) {
        guard let departure = departing.take() else { return }
        if departure.isOwing { pay(departure, context) }
        // The queue's own reference, taken when the job was accepted.
        departure.job.release()
    }

    private func pay(_ departure: Departure, _ context: ThreadContext) {
        departure.debts?.pointee.finishMeeting()
        departure.job._withUnsafeGuaranteedRef { job in
            job.update { $0.settle() }
            job.releaseWaiters()
        }
        if let debts = departure.debts { context.giveBack(debts) }
    }
}
