// Snapshots: what explanations, and the search for stalls, read under the locks.

import SchedulingCore

/// One job of a queue, as it was under the queue's lock.
struct JobSnapshot {
    let job: Job
    let word: JobState
    let obstacles: Obstacles
    let barrier: Job?
    let oldestEarlier: Job?
    let question: Job?
    /// It lent its slot, its wait is over, and it stands in line for a slot.
    let isReturning: Bool
}

/// A queue as it was at one moment.
struct QueueSnapshot {
    var name: String?
    var isSuspended = false
    var setWidth = 0
    var width = 0
    var executing = 0
    var isRefused = false
    /// The jobs that were asked for, in the order of adding.
    var jobs: [JobSnapshot] = []
    /// Those that hold a slot.
    var holders: [Job] = []
    /// Those that lent theirs.
    var lenders: [Job] = []
}

extension QueueEngine {
    /// The queue and all its jobs, or one of them alone, in one critical section. O(n) for n jobs.
    func snapshot(of job: Job? = nil) -> QueueSnapshot {
        decide { state, _ in
            var snapshot = QueueSnapshot()
            snapshot.name = state.name
            snapshot.isSuspended = state.machine.isSuspended
            snapshot.setWidth = state.setWidth
            snapshot.width = state.machine.width
            snapshot.executing = state.machine.executing
            snapshot.isRefused = state.isRefused
            let handles = state.machine.handles()
            for handle in handles {
                switch state.machine.standing(of: handle) {
                case .executing: snapshot.holders.append(state.registeredJob(handle))
                case .lending: snapshot.lenders.append(state.registeredJob(handle))
                case .free, .waiting, .unasked, .asking, .ready, .ending: break
                }
            }
            let returning = Set(state.returners.map(\.handle))
            if let job {
                if job.queueID == id, job.handle != .none { snapshot.jobs = [state.snapshot(of: job.handle, returning)] }
            } else {
                snapshot.jobs.reserveCapacity(handles.count)
                for handle in handles { snapshot.jobs.append(state.snapshot(of: handle, returning)) }
            }
            return snapshot
        }
    }
}

extension QueueEngine.Guarded {
    mutating func snapshot(of handle: Handle, _ returning: Set<Handle>) -> JobSnapshot {
        let obstacles = machine.obstacles(of: handle)
        let job = registeredJob(handle)
        return JobSnapshot(
            job: job, word: job.jobState, obstacles: obstacles, barrier: obstacles.barrier.map { registeredJob($0) },
            oldestEarlier: obstacles.oldestEarlier.map { registeredJob($0) }, question: obstacles.question.map { registeredJob($0) },
            isReturning: returning.contains(handle))
    }
}

/// What one job waits for in the graph.
struct WaitSnapshot {
    /// The edges that are not met.
    var edges: [(dependency: Job, requirement: DependencyRequirement)] = []
    /// Jobs that it waits for in its body, without a time limit.
    var waits: [Job] = []
    /// Queues for which it waits to become idle.
    var queues: [UInt64] = []
}

extension DependencyRegistry {
    /// What each of these jobs waits for, which the caller holds. O(jobs + edges).
    func waits(of jobs: [Job]) -> [WaitSnapshot] {
        withContents { contents in
            let idleWaits = contents.idleWaits
            return jobs.map { contents.waits(of: $0, idleWaits) }
        }
    }
}

extension DependencyRegistry.Contents {
    /// Who waits for which queue to become idle.
    var idleWaits: [Node: [UInt64]] {
        var queues: [Node: [UInt64]] = [:]
        for (queue, relations) in relations {
            for waiter in relations.idleWaiters { queues[waiter, default: []].append(queue) }
        }
        return queues
    }

    /// An edge holds its dependency, and a waiter what it waits for, until he has come through this lock: so a reference that is counted
    /// here is not the last one before the lock is free.
    func waits(of job: Job, _ idleWaits: [Node: [UInt64]]) -> WaitSnapshot {
        var snapshot = WaitSnapshot()
        guard job.node != .none else { return snapshot }
        for edge in graph.dependencies(of: job.node) where !edge.isMet {
            switch edge.kind {
            case .finished: snapshot.edges.append((self.job(edge.node), .finished))
            case .succeeded: snapshot.edges.append((self.job(edge.node), .succeeded))
            case .wait: snapshot.waits.append(self.job(edge.node))
            }
        }
        snapshot.queues = idleWaits[job.node] ?? []
        return snapshot
    }
}
