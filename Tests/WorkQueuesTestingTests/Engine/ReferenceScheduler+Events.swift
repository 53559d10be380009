// What the engine did, judged by the rules.
import WorkQueues

extension ReferenceScheduler {
    // MARK: Called by the work itself

    func bodyBegins(_ job: Int) {
        expect(jobs[job].hasBegun, "C2", "the body of \(job) runs, which has no slot")
        expect(!jobs[job].bodyHasBegun, "L1", "the body of \(job) runs twice")
        jobs[job].bodyHasBegun = true
    }

    func bodyEnds(_ job: Int, error: BodyError?) {
        expect(jobs[job].bodyResult == nil, "L1", "the body of \(job) ends twice")
        jobs[job].bodyResult = error.map { .failure($0) } ?? .success(())
    }

    func completionRuns(_ job: Int, number: Int) {
        let me = jobs[job]
        expect(me.end != nil, "O1", "completion \(number) of \(job) runs before its end")
        expect(number == me.completionsRun, "L3", "completion \(number) of \(job) runs, not \(me.completionsRun)")
        expect(!me.hasLeft || number >= me.completions - 1, "O1", "completion \(number) of \(job) runs after it left")
        jobs[job].completionsRun += 1
    }

    // MARK: Seen after a step

    /// Whether the phase of the job may become executing now; if not, why.
    func objection(toBeginning job: Int) -> (rule: String, text: String)? {
        let me = jobs[job]
        guard let queue = me.queue else { return ("L1", "it is in no queue") }
        if me.hasBegun || me.end != nil { return ("L1", "it has begun or ended before") }
        if me.isCancelled { return ("C2", "it was cancelled before it began") }
        if me.isUnmet { return ("D1", "it waits for \(me.edges.filter { !$0.isMet }.map(\.to))") }
        if !me.isReady { return ("L2", "isReady did not say yes") }
        if queues[queue].isSuspended { return ("W3", "its queue is suspended") }
        let taken = slotsTaken(in: queue)
        if taken >= queues[queue].width { return ("W1", "\(taken) execute already, at width \(queues[queue].width)") }
        if !isPastBarriers(job) { return ("W4", "a barrier or those before a barrier have not ended") }
        let before = overtaken(by: job)
        return before.isEmpty ? nil : ("O2", "it overtakes \(before)")
    }

    func begin(_ job: Int) { jobs[job].hasBegun = true }

    /// Whether the job may be finished now. The outcome of one that ended itself is known already.
    func objection(toEnding job: Int) -> (rule: String, text: String)? {
        let me = jobs[job]
        if me.end != nil { return nil }
        if me.hasBegun {
            if me.bodyResult == nil { return ("L3", "its body has not ended") }
            return nil
        }
        if me.queue == nil { return ("C3", "it is in no queue and nobody ended it") }
        return me.isCancelled ? nil : ("C2", "it has not begun and is not cancelled")
    }

    func end(_ job: Int) {
        guard jobs[job].end == nil else { return }
        var error: BodyError?
        if case .failure(let thrown)? = jobs[job].bodyResult { error = thrown }
        jobs[job].end = end(of: job, error: error)
    }

    /// Whether the graph may take the job for ended now.
    func objection(toResolving job: Int) -> (rule: String, text: String)? {
        let me = jobs[job]
        if me.end == nil { return ("O1", "it has not ended") }
        return me.completionsRun < me.completions ? ("O1", "\(me.completions - me.completionsRun) completions have not run") : nil
    }

    func resolve(_ job: Int) {
        jobs[job].isResolved = true
        jobs[job].edges = []
        for dependent in jobs.indices
        where jobs[dependent].edges.contains(where: { $0.to == job && $0.needsSuccess && !$0.isMet && !$0.isRemoved }) {
            condemn(dependent, becauseOf: job)
        }
    }

    func objection(toLeaving job: Int) -> (rule: String, text: String)? {
        let me = jobs[job]
        if !me.isResolved { return ("O1", "its dependents do not know yet") }
        return me.completionsRun < me.completions ? ("O1", "\(me.completions - me.completionsRun) completions have not run") : nil
    }

    func leave(_ job: Int) {
        jobs[job].hasLeft = true
        for dependent in jobs.indices {
            for place in jobs[dependent].edges.indices where jobs[dependent].edges[place].to == job {
                jobs[dependent].edges[place].isMet = true
            }
            jobs[dependent].edges.removeAll { $0.isMet && $0.isRemoved }
        }
    }
}
