// Leaving: steps 3 to 5 of a job's end.

import SchedulingCore

/// A job whose completions have run, on its way out of its queue.
struct Departure {
    let job: Job
    /// The job's extras have been seen to; false if it had none then.
    var extrasDone: Bool
    /// The graph has been seen to.
    var nodeDone = false
    /// Edges of jobs in no queue were left until the job is out of its own.
    var mustResolveRest = false
    /// Edges of queued jobs that are met when the job leaves.
    var met: [(dependent: Job, engine: QueueEngine)] = []
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
    mutating func finishMeeting(on engine: QueueEngine?) {
        meetAll(except: engine)
        guard mustResolveRest else { return }
        DependencyRegistry.shared.resolveRest(job, into: &self)
        meetAll(except: nil)
    }

    /// Meets what is owed; those of `engine` were met when the job left it.
    private mutating func meetAll(except engine: QueueEngine?) {
        for (dependent, verdict) in condemned { dependent.cancel(because: verdict) }
        condemned = []
        for edge in met {
            if edge.engine !== engine { edge.engine.decide { state, _ in state.meetEdge(of: edge.dependent, on: edge.engine) } }
            edge.dependent.deliverNews(as: .worker, on: edge.engine)
        }
        met = []
        for (job, engine) in freed { job.becameAskable(on: engine) }
        freed = []
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
    /// The graph's part of step 3: finds the edges that point at this job, and ends dependents that will not run.
    final func resolveEdges(into departure: inout Departure, engine: QueueEngine?) {
        DependencyRegistry.shared.resolve(self, into: &departure)
        departure.nodeDone = true
        for (dependent, verdict) in departure.condemned { dependent.cancel(because: verdict) }
        departure.condemned = []
    }
}

extension QueueEngine.Guarded {
    /// Step 3 for the job's own queue, in one critical section: the job leaves, its slot is free, its dependents take their places.
    /// False if extras or edges were attached meanwhile.
    @inline(__always)
    mutating func letLeave(_ departure: inout Departure?, _ orders: inout Orders) -> Bool {
        let job = departure.unsafelyUnwrapped.job
        guard
            job.update({
                $0.close(extrasDone: departure.unsafelyUnwrapped.extrasDone, nodeDone: departure.unsafelyUnwrapped.nodeDone)
            })
        else { return false }
        let handle = job.handle
        machine.finished(handle)
        jobs[Int(handle.index)] = nil
        job.handle = .none
        if !departure.unsafelyUnwrapped.lenders.isEmpty { takeBack(departure.unsafelyUnwrapped.lenders, &orders) }
        if !departure.unsafelyUnwrapped.met.isEmpty {
            for edge in departure.unsafelyUnwrapped.met where edge.dependent.queueID == job.queueID {
                meetEdge(of: edge.dependent, on: edge.engine)
            }
        }
        if machine.jobCount == 0 { mayHaveBecomeIdle = true }
        return true
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
        departure.job.update { $0.settle() }
        departure.job.releaseWaiters()
        departure.releaseGarbage()
        // The queue's own reference, taken when the job was accepted.
        Unmanaged.passUnretained(departure.job).release()
    }
}
