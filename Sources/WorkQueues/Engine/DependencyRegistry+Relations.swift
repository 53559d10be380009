// Who waits for whom without an edge: barriers, and jobs that wait for a whole queue.

import SchedulingCore

/// The relations of one queue that are no edges. While a queue has any, its intake's gate is shut.
struct QueueRelations: Sendable {
    var barriers = BarrierList()
    /// Jobs that wait for the queue to become idle.
    var idleWaiters: [Node] = []
    /// Jobs with a node that were added behind a barrier.
    var behind: Set<Node> = []

    var isEmpty: Bool { barriers.isEmpty && idleWaiters.isEmpty }
}

/// The living barriers of a queue by number; a barrier that left is passed over, and the list is packed when those are the majority.
struct BarrierList: Sendable {
    private var entries: [(number: UInt32, node: Node?)] = []
    private var livingCount = 0

    var isEmpty: Bool { livingCount == 0 }

    mutating func append(_ node: Node, number: UInt32) {
        entries.append((number, node))
        livingCount += 1
    }

    mutating func remove(number: UInt32) {
        let index = firstIndex(above: number - 1)
        guard index < entries.count, entries[index].number == number, entries[index].node != nil else { return }
        entries[index].node = nil
        livingCount -= 1
        if livingCount * 2 < entries.count { entries.removeAll { $0.node == nil } }
    }

    /// The first living barrier that was added after the jobs of `epoch`.
    func first(behind epoch: UInt32) -> Node? {
        var index = firstIndex(above: epoch)
        while index < entries.count {
            if let node = entries[index].node { return node }
            index += 1
        }
        return nil
    }

    private func firstIndex(above number: UInt32) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number > number { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

// MARK: - Searching

/// The relations as the graph's search sees them, and what it looks for.
private struct Relations: ImpliedOrder {
    enum Target {
        case node(Node)
        /// A living barrier of the queue, or the job itself, which is about to be added there.
        case queue(UInt64, adding: Node)
        /// Any unfinished job of the queue.
        case anyJob(ofQueue: UInt64)
    }

    let tags: DependencyGraph.Tags
    let relations: [UInt64: QueueRelations]
    let target: Target
    /// What the search has referred to of jobs in no queue.
    var touched: [Job] = []

    /// The job of a node, or nil if it is being freed.
    mutating func job(_ node: Node) -> Job? {
        Unmanaged<Job>(bits: tags[node])?.living(keptIn: &touched)
    }

    mutating func appendImpliedDependents(of node: Node, to stack: inout [Node]) {
        guard let job = job(node), job.jobState.isQueued, let relations = relations[job.queueID] else { return }
        stack.append(contentsOf: relations.idleWaiters)
        if job.isBarrier {
            let number = job.epoch + 1
            if let next = relations.barriers.first(behind: number) { stack.append(next) }
            stack.append(contentsOf: relations.behind.filter { self.job($0).map { $0.epoch >= number } ?? false })
        } else if let barrier = relations.barriers.first(behind: job.epoch) {
            stack.append(barrier)
        }
    }

    mutating func isRelated(_ node: Node) -> Bool {
        guard let job = job(node), job.jobState.isQueued, let relations = relations[job.queueID] else { return false }
        return job.isBarrier || !relations.idleWaiters.isEmpty || relations.barriers.first(behind: job.epoch) != nil
    }

    mutating func isTarget(_ node: Node) -> Bool {
        switch target {
        case .node(let wanted): return node == wanted
        case .queue(let queue, let adding):
            if node == adding { return true }
            guard let job = job(node) else { return false }
            return job.isBarrier && job.queueID == queue && job.jobState.isQueued
        case .anyJob(let queue):
            guard let job = job(node) else { return false }
            return job.queueID == queue && job.jobState.isQueued && !job.jobState.isResolved
        }
    }
}

extension DependencyRegistry.Contents {
    fileprivate mutating func findPath(upwardFrom start: Node, to target: Relations.Target) -> [Node]? {
        var order = Relations(tags: graph.tags, relations: relations, target: target)
        defer { touched.append(contentsOf: order.touched) }
        return graph.findPath(upwardFrom: start, order: &order)
    }

    /// A way from `start` up to `target` through a relation, perhaps through edges alone.
    fileprivate mutating func findImpliedPath(upwardFrom start: Node, to target: Relations.Target) -> [Node]? {
        var order = Relations(tags: graph.tags, relations: relations, target: target)
        defer { touched.append(contentsOf: order.touched) }
        return graph.isFree(start, order: &order) ? nil : graph.findPath(upwardFrom: start, order: &order)
    }

    /// A way from `dependent` up to `dependency` that uses a relation; the search among edges alone is the graph's own.
    @inline(__always)
    mutating func findImpliedPath(from dependent: Node, to dependency: Node) -> [Node]? {
        if relations.isEmpty || !graph.isRaised(dependency) { return nil }
        return findImpliedPath(upwardFrom: dependent, to: .node(dependency))
    }

    /// A job with a node is behind a barrier, or was when its queue had one.
    mutating func putBehind(_ job: Job) {
        // The gate of its queue may have opened on its way here. What is raised while there are no relations would stay so alone: edges
        // do not hand it upwards then.
        guard relations[job.queueID] != nil else { return }
        relations[job.queueID]?.behind.insert(job.node)
        graph.raise(job.node)
    }

    /// Turns a path of dependents into a ring in which each job depends on the next.
    func cycle(along path: [Node]) -> [Job] {
        var ring = path.reversed().map { job($0) }
        ring.insert(job(path[0]), at: 0)
        if ring.count > 2 && ring[0] === ring[1] { ring.removeFirst() }
        return ring
    }
}

// MARK: - Adding to a queue with relations

extension DependencyRegistry {
    /// Refuses accepted jobs that would close a ring through a relation of the queue, before anybody is told of them.
    func check(_ jobs: [Job], addedTo engine: QueueEngine) throws(JobError) {
        guard engine.intake.isGateShut else { return }
        if let ring = withContents({ $0.ring(through: jobs, addedTo: engine) }) { throw .cycle(ring) }
    }

    /// Adds accepted jobs to a queue whose gate is shut, or shuts it for a barrier.
    ///
    /// A ring through a barrier of the queue is refused; then nothing was added.
    func add(_ jobs: [Job], to engine: QueueEngine) throws(JobError) -> Intake.Push {
        let (ring, push) = withContents { contents -> ([Job]?, Intake.Push) in
            if jobs.contains(where: { $0.isBarrier }) { contents.openRelations(of: engine) }
            if let ring = contents.ring(through: jobs, addedTo: engine) {
                contents.closeRelationsIfEmpty(of: engine)
                return (ring, .refused)
            }
            for job in jobs { contents.place(job, behindBarriersOf: engine) }
            return (nil, engine.intake.pushThroughGate(chain: jobs))
        }
        if let ring { throw .cycle(ring) }
        return push
    }

    /// `job` is about to wait for everything in a queue; false if something there waits for `job`.
    func addIdleWait(of job: Job, for engine: QueueEngine) -> Bool {
        withContents { contents in
            let node = contents.node(of: job)
            if job.jobState.isQueued && job.queueID == engine.id { return false }
            if contents.findPath(upwardFrom: node, to: .anyJob(ofQueue: engine.id)) != nil { return false }
            contents.openRelations(of: engine)
            contents.relations[engine.id]?.idleWaiters.append(node)
            contents.graph.relationsGrew()
            contents.graph.raise(node)
            return true
        }
    }

    func removeIdleWait(of job: Job, for engine: QueueEngine) {
        withContents { contents in
            guard let index = contents.relations[engine.id]?.idleWaiters.firstIndex(of: job.node) else { return }
            contents.relations[engine.id]?.idleWaiters.remove(at: index)
            contents.closeRelationsIfEmpty(of: engine)
        }
    }

    /// `job` is about to wait for `target`; false if that waits for `job`. True without an edge if `target` is nearly over.
    func addWait(of job: Job, for target: Job) -> Bool {
        withContents { contents in
            let (from, to) = (contents.node(of: job), contents.node(of: target))
            if target.jobState.isResolved { return true }
            if contents.findImpliedPath(from: from, to: to) != nil { return false }
            if case .cycle = contents.graph.addEdge(from: from, to: to, kind: .wait) { return false }
            if !contents.relations.isEmpty { contents.graph.noteEdge(from: from, to: to) }
            return true
        }
    }

    func removeWait(of job: Job, for target: Job) {
        withContents { contents in
            guard job.node != .none, target.node != .none else { return }
            _ = contents.graph.removeWait(from: job.node, to: target.node)
        }
    }
}

extension DependencyRegistry.Contents {
    /// The ring that one of the jobs would close: it is behind every barrier of the queue, and something before one waits for it.
    fileprivate mutating func ring(through jobs: [Job], addedTo engine: QueueEngine) -> [Job]? {
        for job in jobs { job.epoch = engine.barrierCount }
        // Those who wait for the queue wait for these jobs too.
        if relations[engine.id]?.idleWaiters.isEmpty == false { graph.relationsGrew() }
        for job in jobs where job.node != .none {
            guard let path = findImpliedPath(upwardFrom: job.node, to: .queue(engine.id, adding: job.node)) else { continue }
            for job in jobs {
                job.epoch = 0
                // It may have got its node after the first look for rings, and so have been put there.
                relations[engine.id]?.behind.remove(job.node)
            }
            return cycle(along: path)
        }
        return nil
    }

    /// Numbers a job that is being added by the barriers before it.
    fileprivate mutating func place(_ job: Job, behindBarriersOf engine: QueueEngine) {
        job.epoch = engine.barrierCount
        if job.isBarrier {
            engine.barrierCount += 1
            let node = node(of: job)
            relations[engine.id]?.barriers.append(node, number: engine.barrierCount)
            graph.relationsGrew()
            graph.raise(node)
        }
        if job.node != .none && job.epoch > 0 { putBehind(job) }
    }

    fileprivate mutating func openRelations(of engine: QueueEngine) {
        guard relations[engine.id] == nil else { return }
        relations[engine.id] = QueueRelations()
        engine.intake.shutGate()
    }

    fileprivate mutating func closeRelationsIfEmpty(of engine: QueueEngine) {
        guard let existing = relations[engine.id], existing.isEmpty else { return }
        relations[engine.id] = nil
        if relations.isEmpty { graph.forgetRelations() }
        engine.intake.openGate()
    }

    /// A job ended: it is nobody's barrier and behind nothing any more.
    mutating func leaveRelations(_ job: Job) {
        guard job.jobState.isQueued, relations[job.queueID] != nil else { return }
        relations[job.queueID]?.behind.remove(job.node)
        guard job.isBarrier, let engine = job.engine?.takeUnretainedValue() else { return }
        relations[job.queueID]?.barriers.remove(number: job.epoch + 1)
        closeRelationsIfEmpty(of: engine)
    }
}
