// Leaving: steps 3 to 5 of a job's end.

import SchedulingCore

/// An edge that pointed at a leaving job.
struct MetEdge {
    let dependent: Job
    let engine: QueueEngine
    /// What `isReady` answered to the question what it would say once the edge is met, and how many posts had been made then.
    var isWilling = false
    var posts: UInt16 = 0

    init(dependent: Job, engine: QueueEngine) {
        self.dependent = dependent
        self.engine = engine
    }

    /// Asks ahead, so that the job can become ready in the very step in which the edge is met.
    mutating func askAhead() {
        let state = dependent.jobState
        guard state.unmetEdges == 1, !state.isCancelled else { return }
        posts = state.posts
        isWilling = dependent.isPlain || ThreadContext.currentOrNew.assuming(edgesMetOf: dependent) { dependent.isReady }
    }
}

/// A job whose completions have run, on its way out of its queue.
struct Departure {
    let job: Job
    /// The job's extras have been seen to; false if it had none then.
    var extrasDone: Bool
    /// The graph has been seen to.
    var nodeDone = false
    /// Edges of queued jobs that are met when the job leaves.
    var met: [MetEdge] = []
    /// Jobs whose last obstacle, but for their own answer, went away before.
    var freed: [(job: Job, engine: QueueEngine)] = []
    /// Dependents that will not run, and why.
    var condemned: [(job: Job, verdict: Verdict)] = []
    /// Waiters that lent a slot of this queue: they are next.
    var lenders: [Lender] = []
    /// References to let go of.
    var garbage: [Job] = []

    init(job: Job, extrasDone: Bool) {
        self.job = job
        self.extrasDone = extrasDone
    }

    /// The part of step 3 that concerns other queues, and the news of jobs that became ready.
    func finishMeeting(on engine: QueueEngine?) {
        for edge in met {
            if edge.engine !== engine { edge.engine.decide { state, _ in state.meet(edge) } }
            edge.dependent.deliverNews(as: .worker, on: edge.engine)
        }
        for (job, engine) in freed { job.becameAskable(on: engine) }
    }

    /// Lets go of the references, the last ones as they may be, without a copy that outlives the list's.
    mutating func releaseGarbage() {
        if garbage.isEmpty { return }
        let references = garbage
        garbage = []
        ReleaseList.release(consume references)
    }
}

extension Job {
    /// The graph's part of step 3: resolves the edges that point at this job, ends dependents that will not run, and asks the others whether
    /// they would be ready.
    final func resolveEdges(into departure: inout Departure, engine: QueueEngine?) {
        DependencyRegistry.shared.resolve(self, into: &departure)
        departure.nodeDone = true
        for (dependent, verdict) in departure.condemned { dependent.cancel(because: verdict) }
        departure.condemned = []
        for index in departure.met.indices { departure.met[index].askAhead() }
    }
}

extension QueueEngine.Guarded {
    /// Step 3 for the job's own queue, in one critical section: the job leaves, its slot is free, its dependents take their places. False if
    /// extras or edges were attached meanwhile.
    @inline(__always)
    mutating func letLeave(_ departure: inout Departure?, _ orders: inout Orders) -> Bool {
        let job = departure.unsafelyUnwrapped.job
        guard
            job.update({
                $0.settle(extrasDone: departure.unsafelyUnwrapped.extrasDone, nodeDone: departure.unsafelyUnwrapped.nodeDone)
            })
        else { return false }
        let handle = job.handle
        machine.finished(handle)
        jobs[Int(handle.index)] = nil
        job.handle = .none
        if !departure.unsafelyUnwrapped.lenders.isEmpty { takeBack(departure.unsafelyUnwrapped.lenders, &orders) }
        if !departure.unsafelyUnwrapped.met.isEmpty {
            for edge in departure.unsafelyUnwrapped.met where edge.dependent.queueID == job.queueID { meet(edge) }
        }
        if machine.jobCount == 0 { mayHaveBecomeIdle = true }
        return true
    }

    /// An edge of a job of this queue is met.
    mutating func meet(_ edge: MetEdge) {
        let dependent = edge.dependent
        switch dependent.update({ $0.meetEdge(isWilling: edge.isWilling, posts: edge.posts) }) {
        case .unmet: return
        case .ready: dependent.notePendingReady(on: edge.engine)
        case .askable: break
        }
        place(dependent)
    }

    /// The waits of these are over: each gets its slot back, or the next one that is free.
    mutating func takeBack(_ lenders: [Lender], _ orders: inout Orders) {
        for lender in lenders where lender.isLent {
            lender.isLent = false
            if machine.takeBack(lender.handle) {
                lender.isBack = true
                orders.returners.append(lender)
            } else {
                returners.append(lender)
            }
        }
    }
}

extension QueueEngine {
    /// What is left of step 3, and step 4; step 5 was paid by the critical section.
    func finishDeparture(_ departing: inout Departure?) {
        guard var departure = departing.take() else { return }
        departure.finishMeeting(on: self)
        departure.job.releaseWaiters()
        departure.releaseGarbage()
        // The queue's own reference, taken when the job was accepted.
        Unmanaged.passUnretained(departure.job).release()
    }

}
