// What each action changes by the rules, and which are refused.
import WorkQueues

extension ReferenceScheduler {
    // MARK: Adding

    /// The code of the error with which the adding must be refused; nil if it is not.
    func add(_ added: [Int], to queue: Int) -> JobError.Code? {
        var seen: [Int] = []
        for job in added {
            if jobs[job].end != nil { return .alreadyFinished }
            if jobs[job].queue != nil || seen.contains(job) { return .alreadyAdded }
            seen.append(job)
        }
        let barriers = jobs.indices.filter { jobs[$0].kind == .barrier && jobs[$0].queue == queue && !jobs[$0].isResolved }
        for job in added where barriers.contains(where: { waits($0, for: job) }) { return .dependencyCycle }
        for job in added {
            jobs[job].exists = true
            jobs[job].queue = queue
            jobs[job].isArriving = true
            jobs[job].order = nextOrder()
        }
        return nil
    }

    /// The adding returned. What was added meanwhile, by an observer that was told of it, came before.
    func arrive(_ added: [Int]) {
        for job in added {
            jobs[job].order = nextOrder()
            jobs[job].isArriving = false
        }
    }

    // MARK: Edges

    func addEdge(from: Int, to: Int, needsSuccess: Bool) -> JobError.Code? {
        if jobs[from].end != nil { return .alreadyFinished }
        if jobs[from].hasBegun { return .alreadyStarted }
        if from == to { return .dependencyCycle }
        let place = jobs[from].edges.firstIndex { $0.to == to && !$0.isRemoved }
        if jobs[to].isResolved {
            // Such an edge is met, and asks nobody anew.
            if place == nil { jobs[from].edges.append(Edge(to: to, needsSuccess: needsSuccess, isMet: true)) }
            if needsSuccess { condemn(from, becauseOf: to) }
            return nil
        }
        if waits(to, for: from) { return .dependencyCycle }
        if let place {
            if needsSuccess { jobs[from].edges[place].needsSuccess = true }
            return nil
        }
        jobs[from].edges.append(Edge(to: to, needsSuccess: needsSuccess, isMet: false))
        jobs[from].answer = .unasked
        return nil
    }

    func removeEdge(from: Int, to: Int) {
        guard let place = jobs[from].edges.firstIndex(where: { $0.to == to && !$0.isRemoved }) else { return }
        if jobs[to].isResolved && !jobs[from].edges[place].isMet {
            jobs[from].edges[place].isRemoved = true
        } else {
            jobs[from].edges.remove(at: place)
        }
    }

    // MARK: Cancelling and ending

    /// True if its handlers run.
    @discardableResult
    func cancel(_ job: Int, _ reason: Reason) -> Bool {
        if jobs[job].end != nil || jobs[job].isCancelled { return false }
        jobs[job].reason = reason
        if jobs[job].kind == .selfEnding { finish(job, throwing: false) }
        return true
    }

    /// D3: the dependency did not succeed.
    func condemn(_ job: Int, becauseOf dependency: Int) {
        switch jobs[dependency].end {
        case .succeeded, nil: return
        case .failed(let failure):
            var root = dependency
            if case .dependency(let first) = failure { root = first }
            if !jobs[job].isCancelled && jobs[job].end == nil && jobs[job].noted == nil { jobs[job].noted = .dependency(root: root) }
            cancel(job, .dependency(root: root))
        case .cancelled(let reason):
            var root = dependency
            if case .dependency(let first) = reason { root = first }
            cancel(job, .dependency(root: root))
        }
    }

    /// A hand-made job ends itself, begun or not.
    func finish(_ job: Int, throwing: Bool) {
        if jobs[job].end != nil { return }
        jobs[job].end = end(of: job, error: throwing ? BodyError(isCancellation: false) : nil)
    }

    /// What the job's end would be now: the error decides unless it is the answer to a cancel; a cancelled job has not succeeded.
    func end(of job: Int, error: BodyError?) -> End {
        let me = jobs[job]
        if let noted = me.noted { return .failed(noted) }
        if let error, !(error.isCancellation && me.isCancelled) { return .failed(.own) }
        return me.reason.map { .cancelled($0) } ?? .succeeded
    }

    // MARK: Readiness

    /// `didChangeValue(forKey: "isReady")`.
    func post(_ job: Int) {
        if jobs[job].answer == .no { jobs[job].answer = .unasked }
    }

    /// The engine calls `isReady`.
    func asked(_ job: Int) -> Bool {
        let me = jobs[job]
        expect(me.queue != nil, "L2", "\(job) is asked in no queue")
        // What the engine asks of one that was cancelled, or got an edge at that moment, it forgets.
        guard me.waitsForNothing else { return me.isWilling }
        expect(me.answer != .yes, "L2", "\(job) is asked again though it said yes")
        jobs[job].answer = me.isWilling ? .yes : .no
        return me.isWilling
    }
}
