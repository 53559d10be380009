// Real queues and jobs in a harness, made from a plan and driven step by step, with the reference scheduler beside them.
import WorkQueues
import WorkQueuesTesting

/// One run of a plan.
///
/// Every action is told to the reference and to the engine; after every step the two are compared. Bodies and completions hold the
/// world, so `run` lets go of the jobs at its end.
final class World: @unchecked Sendable {
    // Unchecked because one thread takes all steps of a harness; nothing here is used by another one.
    let plan: WorldPlan
    let harness: QueueHarness
    let reference: ReferenceScheduler
    var queues: [WorkQueue] = []
    var jobs: [Job?] = []
    var positions: [Job.ID: Int] = [:]
    /// How many times the cancel handler of each job ran, where it has one.
    var handlerRuns: [Int?] = []
    /// Jobs that have not left their queue.
    var active: [Int] = []
    /// What was last seen of each job, in one number.
    var seen: [UInt8] = []
    /// The reference changed since it was last compared.
    var isDirty = false
    private(set) var steps = 0
    /// How many steps and actions are under way, one inside another.
    var depth = 0
    /// What happened, for failures; kept only if a plan is run again to be shown.
    private(set) var journal: [String]?
    private var observations: [JobObservation] = []
    /// The run is over; what still comes is no concern of it.
    private var isOver = false

    init(_ plan: WorldPlan, keepsJournal: Bool = false) {
        self.plan = plan
        journal = keepsJournal ? [] : nil
        reference = ReferenceScheduler(plan)
        harness = QueueHarness(
            maxConcurrentJobCount: plan.queues[0].width, seed: plan.seed, isObserved: plan.queues[0].isObserved)
        queues = [harness.queue]
        if plan.queues[0].isSuspended { harness.queue.isSuspended = true }
        for (index, queue) in plan.queues.enumerated().dropFirst() {
            queues.append(
                harness.makeQueue(
                    name: "queue \(index)", maxConcurrentJobCount: queue.width, isSuspended: queue.isSuspended,
                    isObserved: queue.isObserved))
        }
        for (queue, queuePlan) in zip(queues, plan.queues) where queuePlan.isObserved {
            observations.append(queue.observe { [unowned self] event in isTold(event) })
        }
        handlerRuns = plan.jobs.map { _ in nil }
        seen = plan.jobs.map { _ in 0 }
        jobs = plan.jobs.map { _ in nil }
        for index in plan.jobs.indices where plan.jobs[index].kind != .barrier { admit(makeJob(index), as: index) }
    }

    /// Runs the plan to the end of every job; the first complaints, if there are any.
    func run() -> [String] {
        defer {
            isOver = true
            observations = []
            jobs = []
        }
        for action in plan.opening {
            perform(action)
            if isWrong { return reference.complaints }
        }
        var script = plan.script[...]
        while !isWrong {
            while let item = script.first, item.step <= steps {
                script.removeFirst()
                if item.isVisitor { harness.concurrently({ self.perform(item.action) }) } else { perform(item.action) }
            }
            if takeStep() { continue }
            guard let next = script.first else { break }
            steps = max(steps, next.step)
        }
        stand()
        end()
        return reference.complaints
    }

    var isWrong: Bool { !reference.complaints.isEmpty }

    func note(_ text: @autoclosure () -> String) {
        if journal != nil { journal?.append("\(steps): \(text())") }
    }

    /// Takes a step and compares. False if there is none.
    private func takeStep() -> Bool {
        if isWrong { return false }
        depth += 1
        let isTaken = harness.step()
        depth -= 1
        guard isTaken else { return false }
        steps += 1
        look()
        compare()
        if steps % plan.inspectionPause == 0 { inspect() }
        if steps > 1_000 + 300 * plan.jobs.count { reference.complain("L3", "there is no end of steps") }
        return true
    }

    /// Nobody can take a step.
    private func stand() {
        if isWrong { return }
        reference.judgeStandstill()
        inspect()
    }

    /// Takes away everything that keeps jobs waiting, until all have ended.
    private func end() {
        for _ in 0..<10 + 2 * plan.jobs.count {
            if isWrong || jobs.indices.allSatisfy({ jobs[$0] == nil || reference.jobs[$0].hasLeft }) { break }
            for queue in queues.indices {
                perform(.setSuspended(queue: queue, false))
                if reference.queues[queue].width == 0 { perform(.setWidth(queue: queue, 2)) }
            }
            for job in jobs.indices where jobs[job] != nil && !reference.jobs[job].hasLeft {
                if reference.jobs[job].queue == nil { join(job) }
                if plan.jobs[job].kind == .held { perform(.post(job)) }
                if reference.jobs[job].hasBegun { perform(.finish(job, throwing: false)) }
            }
            while takeStep() {}
            stand()
        }
        if isWrong { return }
        for job in jobs.indices where jobs[job] != nil { judgeEnd(of: job) }
        judgeEvents()
    }

    /// Adds a job; what waits for it before a barrier waits no longer.
    private func join(_ job: Int) {
        perform(.add([job], queue: 0))
        if reference.jobs[job].queue != nil || reference.jobs[job].hasLeft { return }
        for other in jobs.indices {
            guard let place = reference.jobs[other].listedEdges.firstIndex(where: { $0.to == job }) else { continue }
            perform(.removeEdge(from: other, place: place))
        }
    }

    // MARK: Called by the jobs

    func bodyBegins(_ job: Int) {
        if isOver { return }
        note("the body of \(job) begins")
        look()
        reference.bodyBegins(job)
    }

    func bodyEnds(_ job: Int, cancelled: Bool? = nil) {
        if isOver { return }
        note("the body of \(job) ends")
        reference.bodyEnds(job, error: cancelled.map { ReferenceScheduler.BodyError(isCancellation: $0) })
    }

    func performAll(_ actions: some Sequence<Action>) {
        for action in actions where !isOver { perform(action) }
    }

    func completionRuns(_ job: Int, number: Int) {
        if isOver { return }
        note("completion \(number) of \(job)")
        look()
        reference.completionRuns(job, number: number)
        if number == 0 { performAll(plan.jobs[job].completionActions) }
    }

    private func isTold(_ event: JobEvent) {
        guard !isOver, let job = event.jobID.flatMap({ positions[$0] }) else { return }
        let isMoment =
            switch (plan.jobs[job].eventMoment, event.kind) {
            case (.added, .added), (.started, .started), (.finished, .finished): true
            default: false
            }
        if isMoment { performAll(plan.jobs[job].eventActions) }
    }

    func isAskedWhetherReady(_ job: Int) -> Bool {
        if isOver { return true }
        note("\(job) is asked, and says \(reference.jobs[job].isWilling ? "yes" : "no")")
        isDirty = true
        return reference.asked(job)
    }
}
