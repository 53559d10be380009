// What can be seen of the engine from outside, put before the reference after each step.
import WorkQueues
import WorkQueuesTesting

extension World {
    /// Has the reference judge what changed.
    ///
    /// One step may do several things: the order is found by trying, for only one order is legal if any is. What begins comes last,
    /// because a look lets a job leave before it claims another one.
    func look() {
        if isWrong { return }
        let changed = active.filter { code(of: $0) != seen[$0] }
        if changed.isEmpty { return }
        isDirty = true
        var objections: [(job: Int, rule: String, text: String)] = []
        var goesOn = true
        while goesOn {
            goesOn = false
            objections = []
            for job in changed { goesOn = advance(job, &objections) || goesOn }
            if goesOn { continue }
            for job in changed where phase(of: job) == .executing && !reference.jobs[job].hasBegun {
                if let objection = reference.objection(toBeginning: job) {
                    objections.append((job, objection.rule, "begins, but \(objection.text)"))
                } else {
                    note("\(job) begins")
                    reference.begin(job)
                    goesOn = true
                }
            }
        }
        for objection in objections { reference.complain(objection.rule, "\(objection.job) \(objection.text)") }
        for job in changed { seen[job] = code(of: job) }
        active.removeAll { reference.jobs[$0].hasLeft }
    }

    /// Ends, and what follows from them. True if there was something that the reference allows.
    private func advance(_ job: Int, _ objections: inout [(job: Int, rule: String, text: String)]) -> Bool {
        guard let real = jobs[job] else { return false }
        var goesOn = false
        func take(_ isSeen: Bool, _ wasKnown: Bool, _ verb: String, _ objection: (rule: String, text: String)?, _ change: () -> Void) {
            if !isSeen || wasKnown { return }
            if let objection {
                objections.append((job, objection.rule, "\(verb), but \(objection.text)"))
            } else {
                note("\(job) \(verb)")
                change()
                goesOn = true
            }
        }
        if real.phase == .finished {
            take(true, reference.jobs[job].end != nil, "ends", reference.objection(toEnding: job)) { reference.end(job) }
            take(real.isResolved, reference.jobs[job].isResolved, "is over", reference.objection(toResolving: job)) {
                reference.resolve(job)
            }
            take(real.isClosed, reference.jobs[job].hasLeft, "leaves", reference.objection(toLeaving: job)) {
                reference.leave(job)
                compareEnd(of: job, real)
            }
        }
        return goesOn
    }

    private func phase(of job: Int) -> Job.Phase? { jobs[job]?.phase }

    private func code(of job: Int) -> UInt8 {
        guard let job = jobs[job] else { return 0 }
        var code: UInt8 = 0
        switch job.phase {
        case .created: code = 1
        case .waiting: code = 2
        case .ready: code = 3
        case .executing: code = 4
        case .finished: code = 5
        }
        return code | (job.isCancelled ? 8 : 0) | (job.isResolved ? 16 : 0) | (job.isClosed ? 32 : 0)
    }

    // MARK: Comparing

    /// Phases and cancellations, if anything happened since the last time.
    func compare() {
        guard isDirty, !isWrong else { return }
        isDirty = false
        for job in active {
            guard let real = jobs[job] else { continue }
            let known = reference.jobs[job]
            let (phase, allowed) = (real.phase, reference.phases(of: job))
            reference.expect(allowed.contains(phase), "L1", "\(job) is \(phase), and was to be \(allowed)")
            reference.expect(
                real.isCancelled == known.isCancelled, "C1",
                "\(job): isCancelled is \(real.isCancelled), reason \(String(describing: known.reason))")
            if known.isCancelled {
                reference.expect(
                    real.cancellationReason == known.reason.map(publicReason), "C1",
                    "\(job): the reason is \(String(describing: real.cancellationReason)), not \(String(describing: known.reason))")
            }
            if let runs = handlerRuns[job] {
                reference.expect(runs == (known.isCancelled ? 1 : 0), "C4", "\(job): the cancel handler ran \(runs) times")
            }
        }
    }

    /// What makes the queues take in what was added.
    func inspect() {
        if isWrong { return }
        note("inspection")
        for (index, queue) in queues.enumerated() {
            let (actual, expected) = (queue.jobs.compactMap { positions[$0.id] }, reference.members(of: index))
            reference.expect(actual == expected, "L3", "the jobs of queue \(index) are \(actual), and were to be \(expected)")
            reference.expect(queue.jobCount == expected.count, "L3", "queue \(index) counts \(queue.jobCount), not \(expected.count)")
        }
        for job in active {
            guard let real = jobs[job] else { continue }
            let known = reference.jobs[job]
            let dependencies = real.dependencies.compactMap { positions[$0.id] }
            reference.expect(
                dependencies == known.listedEdges.map(\.to), "D5",
                "\(job) depends on \(dependencies), not on \(known.listedEdges.map(\.to))")
            if known.end != nil || known.isOverriding { continue }
            reference.expect(real.isReady == (!known.isUnmet || known.isCancelled), "L2", "\(job): isReady is \(real.isReady)")
        }
    }

    private func publicReason(_ reason: ReferenceScheduler.Reason) -> Job.CancellationReason {
        switch reason {
        case .requested: .requested
        case .text(let text): .custom(text)
        case .dependency(let root): .dependency(jobs[root]?.id ?? Job().id)
        }
    }

    /// D3, C4: how the job ended.
    private func compareEnd(of job: Int, _ real: Job) {
        var actual: ReferenceScheduler.End?
        switch real.outcome {
        case .succeeded: actual = .succeeded
        case .failed(let error as OwnError) where error == OwnError(job: job): actual = .failed(.own)
        case .failed(let error as JobError) where error.code == .dependencyFailed:
            if let root = error.jobID.flatMap({ positions[$0] }), error.underlying as? OwnError == OwnError(job: root) {
                actual = .failed(.dependency(root: root))
            }
        case .cancelled(let reason):
            if let known = reference.jobs[job].reason, publicReason(known) == reason { actual = .cancelled(known) }
        case .failed, nil: break
        }
        reference.expect(
            actual == reference.jobs[job].end, "D3",
            "\(job) ended as \(String(describing: real.outcome)), and was to end as \(String(describing: reference.jobs[job].end))")
        if let typed = real as? ResultJob<Int>, case .succeeded? = actual {
            reference.expect((try? typed.result?.get()) == job, "R1", "\(job) has the value \(String(describing: typed.result))")
        }
    }

    /// What holds of every job when all have ended.
    func judgeEnd(of job: Int) {
        let known = reference.jobs[job]
        reference.expect(known.hasLeft, "L3", "\(job) never ends")
        reference.expect(
            known.completionsRun == known.completions, "L3", "\(known.completionsRun) of \(known.completions) completions of \(job) ran")
        reference.expect(known.hasBegun == known.bodyHasBegun, "L1", "\(job) began: \(known.hasBegun), its body: \(known.bodyHasBegun)")
    }

    /// V1: what observers were told of each job is what happened to it, in this order.
    func judgeEvents() {
        var told: [[String]] = plan.jobs.map { _ in [] }
        for event in harness.recorder.events {
            guard let job = event.jobID.flatMap({ positions[$0] }) else { continue }
            switch event.kind {
            case .added: told[job].append("added")
            case .started: told[job].append("started")
            case .cancelRequested: told[job].append("cancelled")
            case .finished(let outcome): told[job].append("finished \(Self.name(of: outcome))")
            default: break
            }
        }
        for job in jobs.indices {
            let known = reference.jobs[job]
            guard let queue = known.queue, plan.queues[queue].isObserved else { continue }
            let inOrder = told[job].filter { $0 != "cancelled" }
            let expected = ["added"] + (known.hasBegun ? ["started"] : []) + ["finished \(jobs[job]?.outcome.map(Self.name) ?? "")"]
            reference.expect(inOrder == expected, "V1", "observers were told of \(job): \(told[job])")
            // In no queue yet, nobody was told.
            let cancels = told[job].count { $0 == "cancelled" }
            reference.expect(cancels <= (known.isCancelled ? 1 : 0), "V1", "observers were told of \(job): \(told[job])")
        }
    }

    private static func name(of outcome: Job.Outcome) -> String {
        switch outcome {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}
