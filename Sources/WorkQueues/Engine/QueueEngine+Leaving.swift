// Leaving: steps 3 to 5 of a job's end.

import SchedulingCore

/// A job whose completions have run, on its way out of its queue.
struct Departure {
    let job: Job
    /// The job's extras have been seen to; false if it had none then.
    let extrasDone: Bool
    /// The graph has been seen to.
    var nodeDone = false
    /// Jobs whose last unmet edge this was, with their queues; then those whose `isReady` said yes.
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
}

extension Job {
    /// The graph's part of step 3: resolves the edges that point at this job, ends dependents that will not run, and asks the others whether
    /// they are ready.
    final func resolveEdges(into departure: inout Departure, engine: QueueEngine?) {
        DependencyRegistry.shared.resolve(self, into: &departure)
        departure.nodeDone = true
        for (dependent, verdict) in departure.condemned { dependent.cancel(because: verdict) }
        departure.condemned = []
        departure.freed.removeAll { !$0.job.askWhetherReady(on: $0.engine) }
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
        if !departure.unsafelyUnwrapped.freed.isEmpty {
            for freed in departure.unsafelyUnwrapped.freed where freed.job.queueID == job.queueID { place(freed.job) }
        }
        if machine.jobCount == 0 { mayHaveBecomeIdle = true }
        return true
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
        guard let departure = departing.take() else { return }
        for freed in departure.freed {
            if freed.engine !== self { freed.engine.place(freed.job) } else { freed.job.deliverNews(as: .worker, on: self) }
        }
        departure.job.releaseWaiters()
        for dependency in departure.garbage { ReleaseList.release(dependency) }
        // The queue's own reference, taken when the job was accepted.
        Unmanaged.passUnretained(departure.job).release()
    }

}
