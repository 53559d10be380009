// The one dependency graph of the process, and the lock around it.

import SchedulingCore

extension Node {
    static var none: Node { Node(index: .max) }
}

/// Which job waits for which, across all queues and jobs in no queue.
///
/// One graph and one lock, because rings may lead through several queues and be closed by several threads at once. A job without edges
/// never comes here. Its lock is never held together with another one, and no code of others runs under it.
///
/// **Lifetimes.** The edges to a node hold its job, all of them by one reference; the dependent is not held. A dependent is touched here
/// only while it has a node, and a job that goes takes its node away under this lock first, so its memory is there. It may be going all
/// the same, waiting for this lock in its `deinit`; and one that is not may lose its last reference but ours at any moment, and would then
/// go here, under the lock that its `deinit` wants. A job in a queue does neither: the queue holds it until its end has passed through
/// here. Every other dependent is touched by way of `living(keptIn:)` alone, and what that gave is let go of outside the lock.
final class DependencyRegistry: Sendable {
    static let shared = DependencyRegistry()

    struct Contents: @unchecked Sendable {
        /// The tag of a node is its job.
        var graph = DependencyGraph()
        /// Queues in which jobs wait for each other without edges.
        var relations: [UInt64: QueueRelations] = [:]
        /// Jobs in no queue that somebody has referred to since the lock was taken; let go of when it is open again.
        var touched: [Job] = []
    }

    private let contents = Locked(Contents())

    /// The only way in.
    @inline(__always)
    func withContents<Result, Failure: Error>(_ body: (inout Contents) throws(Failure) -> Result) throws(Failure) -> Result {
        var touched: [Job] = []
        defer { withExtendedLifetime(touched) {} }
        return try contents.withLock { contents throws(Failure) in
            defer { if !contents.touched.isEmpty { swap(&touched, &contents.touched) } }
            return try body(&contents)
        }
    }
}

extension Unmanaged<Job> {
    /// The job of a node under the registry's lock, or nil if it is being freed. A job in no queue is kept in `touched` as well.
    func living(keptIn touched: inout [Job]) -> Job? { retainedIfLiving(keptIn: &touched)?.takeRetainedValue() }

    /// As `living`; the caller owns a reference to what it gets.
    func retainedIfLiving(keptIn touched: inout [Job]) -> Unmanaged<Job>? {
        // Counted first, so that none of the passing references after it is the last one.
        _ = retain()
        if _withUnsafeGuaranteedRef({ $0.jobState.isQueued }) { return self }
        defer { release() }
        guard let job = living else { return nil }
        touched.append(job)
        return Unmanaged.passRetained(job)
    }
}

/// Why a dependent will not run: how the root of its trouble ended.
enum Verdict: Sendable {
    case failed(root: Job.ID, error: any Error)
    case cancelled(root: Job.ID)

    /// What a job that ended means for dependents that require its success; nil if it succeeded.
    init?(endOf job: Job) {
        switch job.outcome {
        case .failed(let error as JobError) where error.code == .dependencyFailed:
            self = .failed(root: error.jobID ?? job.id, error: error.underlying ?? error)
        case .failed(let error): self = .failed(root: job.id, error: error)
        case .cancelled(let reason): self = .cancelled(root: reason.root ?? job.id)
        case .succeeded, nil: return nil
        }
    }

    var root: Job.ID {
        switch self {
        case .failed(let root, _), .cancelled(let root): root
        }
    }
}

// MARK: - Nodes

extension DependencyRegistry.Contents {
    /// The job's node. The order of the graph has room for a new one at its start, where a dependency is in nobody's way, and at its end.
    mutating func node(of job: Job, isDependency: Bool = false) -> Node {
        if job.node != .none { return job.node }
        return makeNode(of: job, isDependency: isDependency)
    }

    private mutating func makeNode(of job: Job, isDependency: Bool) -> Node {
        let node = graph.addNode(tag: Unmanaged.passUnretained(job).bits, isFirst: isDependency)
        job.node = node
        job.update { $0.attachNode() }
        // One that is resolved waits for no barrier any more, and nothing would take its node out of the list.
        let state = job.jobState
        if state.isQueued && !state.isResolved && job.epoch > 0 { putBehind(job) }
        return node
    }

    /// The job of a node.
    func reference(_ node: Node) -> Unmanaged<Job> { Unmanaged(bits: graph.tag(of: node)).unsafelyUnwrapped }

    /// The job of a node that somebody holds: the caller, an edge, a queue.
    func job(_ node: Node) -> Job { reference(node).takeUnretainedValue() }

    /// Takes away a node without edges.
    mutating func removeNode(of job: Job) {
        graph.removeNode(job.node)
        job.node = .none
        job.update { $0.detachNode() }
    }

    /// Takes away the edges to everything `job` depends on and collects the references they held.
    mutating func dropDependencies(of job: Job, into garbage: inout [Unmanaged<Job>]) {
        guard graph.hasDependencies(job.node) else { return }
        let known = garbage.count
        let tags = graph.tags
        graph.dropDependencies(of: job.node) { garbage.append(Unmanaged(bits: tags[$0]).unsafelyUnwrapped) }
        // By index, because a slice of the list would count a reference to it.
        for index in known..<garbage.count {
            garbage[index]._withUnsafeGuaranteedRef { if graph.isDisposable($0.node) { removeNode(of: $0) } }
        }
    }

    /// An edge was added to a node: the first one takes the reference to its job.
    fileprivate func hold(_ dependency: Job) {
        if graph.holderCount(of: dependency.node) == 1 { _ = Unmanaged.passRetained(dependency) }
    }
}

extension DependencyRegistry {
    /// A job is being freed; nobody depends on it, or he would hold it.
    func forget(_ job: Job) {
        var garbage = withContents { contents -> [Unmanaged<Job>] in
            var garbage: [Unmanaged<Job>] = []
            if job.node == .none { return garbage }
            contents.dropDependencies(of: job, into: &garbage)
            contents.removeNode(of: job)
            return garbage
        }
        if !garbage.isEmpty { ThreadContext.currentOrNew.releases.release(all: &garbage) }
    }
}

// MARK: - Edges

extension DependencyRegistry {
    /// What adding an edge leaves to do.
    enum Addition {
        case added
        /// The edge was there already.
        case existed
        /// The dependency is over; this is what it means for a dependent that requires success.
        case settled(Verdict?)
    }

    func addEdge(from dependent: Job, to dependency: Job, requiring requirement: DependencyRequirement) throws(JobError) -> Addition {
        let kind: EdgeKind = requirement == .succeeded ? .succeeded : .finished
        do throws(EdgeRefusal) {
            let insertion = try withContents { (contents) throws(EdgeRefusal) in
                try contents.insertEdge(from: dependent, to: dependency, kind: kind)
            }
            switch insertion {
            case .added: return .added
            case .existed: return .existed
            case .settled: return .settled(kind == .succeeded ? Verdict(endOf: dependency) : nil)
            }
        } catch {
            throw error.jobError(for: dependent)
        }
    }

    /// Removes an edge. `removed` is false if there was none; `isFreed` says that it was the last obstacle of a queued job but for the
    /// answer of `isReady`.
    func removeEdge(from dependent: Job, to dependency: Job) -> (removed: Bool, isFreed: Bool) {
        let (removed, isFreed, reference) = withContents { contents -> (Bool, Bool, Job?) in
            guard dependent.node != .none, dependency.node != .none,
                contents.graph.removeEdge(from: dependent.node, to: dependency.node) != nil
            else { return (false, false, nil) }
            let wasMet = contents.graph.hasEnded(dependency.node)
            let isHeld = contents.graph.holderCount(of: dependency.node) > 0
            let reference = isHeld ? nil : Unmanaged.passUnretained(dependency).takeRetainedValue()
            return (true, !wasMet && dependent.update { $0.removeUnmetEdge() }, reference)
        }
        // The reference to the dependency goes here with its last edge, outside the lock.
        withExtendedLifetime(reference) {}
        return (removed, isFreed)
    }

    func dependencies(of job: Job) -> [Job] {
        withContents { contents in
            guard job.node != .none else { return [] }
            return contents.graph.dependencies(of: job.node).filter { $0.kind != .wait }.map { contents.job($0.node) }
        }
    }

    /// Step 3 of a job's end, as far as the graph goes: finds the edges that point at it, and lets go of those it had. The edges are met
    /// when the job leaves its queue, in the same step.
    ///
    /// False, and nothing done, if extras were attached that nobody has seen to.
    func resolve(_ job: Job, extrasDone: Bool, into debts: inout Departure.Debts) -> Bool {
        let state = job.jobState
        let verdict = state.isFailed || state.isCancelled ? Verdict(endOf: job) : nil
        return withContents { contents in
            guard job.update({ $0.resolve(extrasDone: extrasDone) }) else { return false }
            let node = job.node
            let tags = contents.graph.tags
            contents.graph.end(node) { dependent, kind in
                if let dependent = Unmanaged<Job>(bits: tags[dependent])?.retainedIfLiving(keptIn: &contents.touched) {
                    debts.take(dependent, kind == .succeeded ? verdict : nil)
                }
            }
            // The graph begins with the newest edge; what became ready with one end does so in the order in which the edges were added.
            if debts.met.count > 1 { debts.met.reverse() }
            if debts.condemned.count > 1 { debts.condemned.reverse() }
            contents.dropDependencies(of: job, into: &debts.garbage)
            if !contents.relations.isEmpty { contents.leaveRelations(job) }
            if contents.graph.isDisposable(node) { contents.removeNode(of: job) }
            return true
        }
    }
}

extension DependencyRegistry.Contents {
    fileprivate enum Insertion { case added, existed, settled }

    fileprivate mutating func insertEdge(from dependent: Job, to dependency: Job, kind: EdgeKind) throws(EdgeRefusal) -> Insertion {
        try refuseLateEdge(on: dependent)
        if dependent === dependency { throw .cycle([dependent, dependent]) }
        let from = node(of: dependent)
        // The node first: a job without one may close at any moment, one with a node comes through this lock before it does.
        let to = node(of: dependency, isDependency: true)
        if dependency.jobState.isResolved {
            if graph.addMetEdge(from: from, to: to) { hold(dependency) }
            return .settled
        }
        if let path = findImpliedPath(from: from, to: to) { throw .cycle(cycle(along: path)) }
        switch graph.addEdge(from: from, to: to, kind: kind) {
        case .existed: return .existed
        case .cycle(let path): throw .cycle(path.map { job($0) })
        case .added: break
        }
        guard dependent.update({ $0.addUnmetEdge() }) == .added else {
            _ = graph.removeEdge(from: from, to: to)
            try refuseLateEdge(on: dependent)
            throw .alreadyStarted
        }
        hold(dependency)
        if !relations.isEmpty { graph.noteEdge(from: from, to: to) }
        return .added
    }

    @inline(__always)
    private func refuseLateEdge(on job: Job) throws(EdgeRefusal) {
        let state = job.jobState
        if state.isFinished { throw .alreadyFinished }
        if state.phase == .executing || state.isInStart { throw .alreadyStarted }
    }
}

/// Why an edge was refused, as it leaves the lock. The public error is made outside: its text asks the jobs for their descriptions,
/// which may be code of others.
enum EdgeRefusal: Error {
    case cycle([Job])
    case alreadyStarted
    case alreadyFinished

    func jobError(for dependent: Job) -> JobError {
        switch self {
        case .cycle(let path): .cycle(path)
        case .alreadyStarted: .alreadyStarted(dependent, "it can get no dependency any more")
        case .alreadyFinished: .alreadyFinished(dependent, "it can get no dependency any more")
        }
    }
}
