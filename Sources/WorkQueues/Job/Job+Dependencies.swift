// Dependencies: which jobs must end before this one starts.

import SchedulingCore

/// What a dependent asks of its dependency. An open set: compare with the members below.
public struct DependencyRequirement: Hashable, Sendable {
    private let needsSuccess: Bool

    /// It has ended, no matter how.
    public static let finished = DependencyRequirement(needsSuccess: false)
    /// It has succeeded; otherwise the dependent ends without running.
    public static let succeeded = DependencyRequirement(needsSuccess: true)
}

extension Job {
    public typealias DependencyRequirement = WorkQueues.DependencyRequirement

    /// Makes this job wait for another one, in any queue or in none yet.
    ///
    /// An edge may be added until this job starts, also while it is ready. A repeated edge is one edge; one that requires success makes
    /// it stricter. If `job` has ended already, the edge is settled at once.
    ///
    /// - Throws: `.dependencyCycle` with the ring if jobs would wait for each other, through edges, barriers or waits under way, in
    ///   which case nothing was changed; `.alreadyStarted` or `.alreadyFinished` if it is too late for this job.
    /// - Complexity: O(1) for a graph that is built from either end; amortised O(√m) over m edges otherwise.
    public final func addDependency(_ job: Job, requiring requirement: DependencyRequirement = .finished) throws(JobError) {
        let engine = watchingEngine
        switch try DependencyRegistry.shared.addEdge(from: self, to: job, requiring: requirement) {
        case .existed: return
        case .added: break
        case .settled(let verdict): if let verdict { cancel(because: verdict) }
        }
        guard isWatched(by: engine) else { return }
        postNews([.changed(.isReady), .event(.dependencyAdded(job.id))], on: engine)
    }

    /// Makes this job wait no longer for another one. If that was the last unmet edge, the job is ready.
    public final func removeDependency(_ job: Job) {
        let engine = watchingEngine
        let (removed, isFreed) = DependencyRegistry.shared.removeEdge(from: self, to: job)
        guard removed else { return }
        if isWatched(by: engine) { postNews([.changed(.isReady), .event(.dependencyRemoved(job.id))], on: engine) }
        if isFreed, let queue = QueueDirectory.shared.engine(queueID) { becameAskable(on: queue) }
    }

    /// The jobs this one waits for, or waited for, in the order the edges were added; empty once it has ended.
    public final var dependencies: [Job] { DependencyRegistry.shared.dependencies(of: self) }

    private final func postNews(_ news: [News], on engine: QueueEngine?) {
        extrasOrNew.contents.withLock { contents in
            // After the end the job has nothing to say any more.
            if jobState.isFinished { return }
            let stamp = engine?.hub.isObserved ?? false ? engine.unsafelyUnwrapped.hub.stamp() : 0
            for item in news { contents.letters.append(.news(item, stamp: stamp)) }
        }
        deliverNews(as: .foreign, on: engine)
    }
}
