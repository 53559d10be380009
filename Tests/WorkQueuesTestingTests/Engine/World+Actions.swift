// Does each action to the engine and tells it to the reference; what is refused must be refused by both.
import WorkQueues

extension World {
    func perform(_ action: Action) {
        if isWrong { return }
        depth += 1
        defer {
            depth -= 1
            // Inside a step or another action the engine may be half-way through a list: of those it cancels, say.
            if depth == 0 { compare() }
        }
        look()
        isDirty = true
        switch action {
        case .add(let added, let queue): add(added, to: queue)
        case .addEdge(let from, let to, let needsSuccess): addEdge(from: from, to: to, needsSuccess: needsSuccess)
        case .removeEdge(let job, let place):
            let edges = reference.jobs[job].listedEdges
            guard let from = jobs[job], !edges.isEmpty, let to = jobs[edges[place % edges.count].to] else { return }
            note("remove the edge from \(job) to \(edges[place % edges.count].to)")
            reference.removeEdge(from: job, to: edges[place % edges.count].to)
            from.removeDependency(to)
        case .cancel(let job, let text):
            guard let real = jobs[job] else { return }
            note("cancel \(job)")
            reference.cancel(job, text.map { .text($0) } ?? .requested)
            if let text { real.cancel(reason: .custom(text)) } else { real.cancel() }
        case .cancelAll(let queue, let text):
            note("cancel all of queue \(queue)")
            for job in reference.members(of: queue) { reference.cancel(job, text.map { .text($0) } ?? .requested) }
            if let text { queues[queue].cancelAllJobs(reason: .custom(text)) } else { queues[queue].cancelAllJobs() }
        case .setSuspended(let queue, let isSuspended):
            note("\(isSuspended ? "suspend" : "resume") queue \(queue)")
            reference.queues[queue].isSuspended = isSuspended
            queues[queue].isSuspended = isSuspended
        case .setWidth(let queue, let width):
            note("width \(width) of queue \(queue)")
            reference.queues[queue].width = width
            queues[queue].maxConcurrentJobCount = width
        case .setPriority(let job, let priority):
            guard let real = jobs[job] else { return }
            note("priority \(priority) of \(job)")
            reference.jobs[job].priority = priority
            real.queuePriority = priority
        case .post(let job):
            guard plan.jobs[job].kind == .held else { return }
            note("\(job) is willing, and posts")
            reference.jobs[job].isWilling = true
            reference.post(job)
            jobs[job]?.didChangeValue(forKey: "isReady")
        case .refuse(let job):
            note("\(job) is willing no more")
            reference.jobs[job].isWilling = false
        case .finish(let job, let throwing): finish(job, throwing: throwing)
        case .addCompletion(let job):
            guard let real = jobs[job] else { return }
            note("add a completion to \(job)")
            addCompletion(reference.jobs[job].completions, to: real, job)
        }
        look()
    }

    private func add(_ added: [Int], to queue: Int) {
        if added.count == 1, plan.jobs[added[0]].kind == .barrier, jobs[added[0]] == nil {
            note("add the barrier \(added[0]) to queue \(queue)")
            _ = reference.add(added, to: queue)
            let index = added[0]
            admit(queues[queue].addBarrierBlock { _ = try self.runBody(index) }, as: index)
            reference.arrive(added)
            return
        }
        let known = added.filter { jobs[$0] != nil }
        guard !known.isEmpty else { return }
        note("add \(known) to queue \(queue)")
        let refusal = reference.add(known, to: queue)
        expect(refusal, "adding \(known)") { () throws(JobError) in
            if known.count == 1, let job = jobs[known[0]] {
                try queues[queue].addJob(job)
            } else {
                try queues[queue].addJobs(known.compactMap { jobs[$0] })
            }
        }
        if refusal == nil { reference.arrive(known) }
    }

    private func addEdge(from: Int, to: Int, needsSuccess: Bool) {
        guard let dependent = jobs[from], let dependency = jobs[to] else { return }
        note("add an edge from \(from) to \(to)\(needsSuccess ? ", which must succeed" : "")")
        expect(reference.addEdge(from: from, to: to, needsSuccess: needsSuccess), "the edge from \(from) to \(to)") { () throws(JobError) in
            try dependent.addDependency(dependency, requiring: needsSuccess ? .succeeded : .finished)
        }
    }

    private func finish(_ job: Int, throwing: Bool) {
        guard let real = jobs[job] as? AsyncJob else { return }
        note("finish \(job)\(throwing ? " with an error" : "")")
        reference.finish(job, throwing: throwing)
        if throwing { real.finish(throwing: OwnError(job: job)) } else { real.finish() }
    }

    private func expect(_ expected: JobError.Code?, _ what: String, _ body: () throws(JobError) -> Void) {
        var actual: JobError?
        do throws(JobError) { try body() } catch { actual = error }
        reference.expect(
            actual?.code == expected, expected == .dependencyCycle || actual?.code == .dependencyCycle ? "D2" : "D1",
            "\(what) was to be \(expected.map { "refused with \($0)" } ?? "accepted"), but was "
                + (actual.map { "refused with \($0.code) \($0.cyclePath.map { positions[$0.id] ?? -1 })" } ?? "accepted"))
        guard let ring = actual?.cyclePath, actual?.code == .dependencyCycle else { return }
        // A barrier that was refused is in no list.
        let path = ring.compactMap { positions[$0.id] }
        let isRing =
            ring.count > 1 && ring.first === ring.last
            && zip(path, path.dropFirst()).dropFirst().allSatisfy { reference.waits($0, for: $1) }
        reference.expect(isRing, "D2", "\(what): \(path) is no ring")
    }
}
