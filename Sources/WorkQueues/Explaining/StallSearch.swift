// The search for anything that could still get a queue going that stands still.

import SchedulingCore

/// Follows what jobs wait for, through edges, barriers and waits under way, across queues, until something is found that runs or can run.
///
/// Each queue's lock and the registry's are taken in turn, never together and for a limited stretch of the graph at a time. Iterative, and
/// O(jobs + edges) for what is reached. Jobs may change meanwhile: whatever looks like life counts as life.
struct StallSearch {
    /// How many jobs are looked up in the graph under one lock.
    private static let stretch = 4_096

    private var seen: Set<ObjectIdentifier> = []
    /// Jobs whose standing in their queue is not known yet, by queue.
    private var unplaced: [UInt64: [Job]] = [:]
    /// Jobs whose edges were not followed yet.
    private var unfollowed: [Job] = []
    private var seenQueues: Set<UInt64> = []
    private var unvisitedQueues: [UInt64] = []

    /// True if none of these unfinished jobs of a dormant queue can ever run as things are.
    static func findsNothingThatRuns(for jobs: [Job], in engine: QueueEngine) -> Bool {
        var search = StallSearch()
        search.seenQueues = [engine.id]
        for job in jobs where search.meets(job) { return false }
        while true {
            if let (queue, jobs) = search.unplaced.popFirst() {
                if search.findsLife(among: jobs, ofQueue: queue) { return false }
            } else if let queue = search.unvisitedQueues.popLast() {
                if search.findsLife(inQueue: queue) { return false }
            } else if !search.unfollowed.isEmpty {
                if search.followEdges() { return false }
            } else {
                return true
            }
        }
    }

    /// Takes note of a job; true if it runs or can run, as far as its word tells.
    private mutating func meets(_ job: Job) -> Bool {
        guard seen.insert(ObjectIdentifier(job)).inserted else { return false }
        let word = job.jobState
        switch word.phase {
        case .finished: return true
        case .executing where !word.isQueued: return true
        case .created, .waiting, .ready, .executing: break
        }
        // A cancelled job in no queue has a flag and no end; one in a queue ends whatever happens.
        if word.isQueued && (word.isCancelled || word.isEndOwed) { return true }
        if word.isQueued { unplaced[job.queueID, default: []].append(job) }
        unfollowed.append(job)
        return false
    }

    /// Whether one of these jobs of a queue runs or can run; notes what they wait for in their queue.
    private mutating func findsLife(among jobs: [Job], ofQueue id: UInt64) -> Bool {
        guard let engine = QueueDirectory.shared.engine(id) else { return true }
        let (isAlive, others) = engine.decide { state, _ -> (Bool, [Job]) in
            var others: [Job] = []
            for job in jobs where job.queueID != id || state.mayGoOn(job, awaiting: &others) { return (true, others) }
            return (false, others)
        }
        if isAlive { return true }
        for job in others where meets(job) { return true }
        return false
    }

    /// Whether a queue that somebody waits for has no jobs, or one that runs or can run.
    private mutating func findsLife(inQueue id: UInt64) -> Bool {
        guard let engine = QueueDirectory.shared.engine(id) else { return true }
        let jobs = engine.decide { state, _ in state.allJobs }
        if jobs.isEmpty { return true }
        for job in jobs where meets(job) { return true }
        return false
    }

    /// Follows edges and waits, a stretch of them; true if they lead to something that runs or can run.
    private mutating func followEdges() -> Bool {
        var taken: [Job] = []
        while taken.count < Self.stretch, let job = unfollowed.popLast() { taken.append(job) }
        for waits in DependencyRegistry.shared.waits(of: taken) {
            for (dependency, _) in waits.edges where meets(dependency) { return true }
            for job in waits.waits where meets(job) { return true }
            for queue in waits.queues where seenQueues.insert(queue).inserted { unvisitedQueues.append(queue) }
        }
        return false
    }
}

extension QueueEngine.Guarded {
    /// Whether a job of this queue runs or can run, apart from its edges; else what it waits for in this queue is added to `others`.
    fileprivate mutating func mayGoOn(_ job: Job, awaiting others: inout [Job]) -> Bool {
        // Not registered yet, or gone: there is somebody at work.
        if job.handle == .none { return true }
        let obstacles = machine.obstacles(of: job.handle)
        switch obstacles.standing {
        case .free, .executing, .unasked, .asking, .ending: return true
        case .lending: return !returners.isEmpty
        // Somebody made it ready, and is about to give it its place.
        case .waiting where job.jobState.phase == .ready: return true
        case .waiting, .ready: break
        }
        if let barrier = obstacles.barrier { others.append(registeredJob(barrier)) }
        if obstacles.earlierCount > 0 { appendEarlierJobs(of: job.handle, to: &others) }
        // Also if its queue is suspended, or of width 0: who set that can take it back.
        return obstacles.isNext && obstacles.standing == .ready && job.jobState.phase == .ready
    }

    private func appendEarlierJobs(of barrier: Handle, to others: inout [Job]) {
        for handle in machine.earlierJobs(than: barrier) { others.append(registeredJob(handle)) }
    }
}
