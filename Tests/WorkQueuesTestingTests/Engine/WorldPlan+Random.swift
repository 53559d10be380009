// Makes a random world from a seed.
import WorkQueues
import WorkQueuesTesting

extension WorldPlan {
    /// A world of `jobCount` jobs. The same seed and count make the same world.
    init(seed: UInt64, jobCount: Int) {
        var chance = Chance(seed: seed)
        let isObserved = chance.oneIn(2)
        let queueCount = chance.oneIn(2) ? 1 : Int.random(in: 2...4, using: &chance.generator)
        self.init(
            seed: seed,
            queues: (0..<queueCount).map { _ in
                QueuePlan(
                    width: chance.oneIn(8) ? 0 : Int.random(in: 1...4, using: &chance.generator), isSuspended: chance.oneIn(5),
                    isObserved: chance.oneIn(8) ? !isObserved : isObserved)
            },
            jobs: [], opening: [], script: [], inspectionPause: chance.pick([1, 3, 7, 17, .max]))
        // Some worlds are all plain jobs without extras, which go the engine's shortest ways.
        let isPlain = chance.oneIn(6)
        jobs = (0..<jobCount).map { _ in chance.job(isPlain: isPlain) }
        for index in jobs.indices where !isPlain {
            if chance.oneIn(4) { jobs[index].bodyActions = chance.actions(upTo: 3, in: self) }
            if jobs[index].completions > 0 && chance.oneIn(3) { jobs[index].completionActions = chance.actions(upTo: 2, in: self) }
            if chance.oneIn(6) {
                jobs[index].eventActions = chance.actions(upTo: 2, in: self)
                jobs[index].eventMoment = chance.pick(JobPlan.EventMoment.allCases)
                // A barrier that comes while a job is being added is before it, and an edge from such a barrier to it is accepted: then the
                // adding is refused, though observers were told of it. The reference knows nothing of that.
                if jobs[index].eventMoment == .added {
                    let kinds = jobs.map(\.kind)
                    jobs[index].eventActions.removeAll { action in
                        switch action {
                        case .add(let added, _): added.contains { kinds[$0] == .barrier }
                        case .addEdge: true
                        default: false
                        }
                    }
                }
            }
        }
        opening = chance.opening(of: self, edges: chance.pick([0, 1, 1, 2]))
        let steps = jobCount * 6
        script = (0..<chance.upTo(isPlain ? 3 : jobCount * 2)).map { _ in
            ScriptItem(
                step: Int.random(in: 0..<steps, using: &chance.generator), isVisitor: chance.oneIn(2), action: chance.action(in: self))
        }
        script.sort { $0.step < $1.step }
    }
}

/// The random numbers of a world, and what is made from them.
private struct Chance {
    var generator: SplitMix

    init(seed: UInt64) { generator = SplitMix(seed: seed &* 0x2545_F491_4F6C_DD1D) }

    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
    mutating func upTo(_ limit: Int) -> Int { Int.random(in: 0...limit, using: &generator) }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &generator)] }

    mutating func job(isPlain: Bool) -> JobPlan {
        let kind: JobPlan.Kind = isPlain ? pick([.subclass, .block, .closure]) : pick(JobPlan.Kind.allCases)
        var job = JobPlan(kind: kind)
        if oneIn(3) { job.priority = pick(Array(Job.QueuePriority.allCases)) }
        job.yields = upTo(3)
        if !isPlain && oneIn(2) { job.completions = 1 + upTo(2) }
        return job
    }

    /// Edges in both directions, also such as close rings; then all jobs are added, one by one or in batches.
    mutating func opening(of plan: WorldPlan, edges: Int) -> [Action] {
        let indices = Array(plan.jobs.indices)
        var actions = (0..<edges * indices.count).map { _ in edge(in: plan) }
        var toAdd = indices.shuffled(using: &generator)
        if oneIn(2) { toAdd.sort() }
        // Some are left out, and added later or never.
        toAdd.removeAll { _ in oneIn(10) }
        while !toAdd.isEmpty {
            let count = oneIn(4) ? min(toAdd.count, 1 + upTo(4)) : 1
            actions.append(.add(Array(toAdd.prefix(count)), queue: queue(in: plan)))
            toAdd.removeFirst(count)
            if oneIn(4) { actions.append(action(in: plan)) }
        }
        return actions
    }

    mutating func actions(upTo limit: Int, in plan: WorldPlan) -> [Action] { (0...upTo(limit - 1)).map { _ in action(in: plan) } }

    mutating func queue(in plan: WorldPlan) -> Int { upTo(plan.queues.count - 1) }
    mutating func job(in plan: WorldPlan) -> Int { upTo(plan.jobs.count - 1) }
    mutating func text() -> String? { oneIn(2) ? nil : pick(["storm", "frost"]) }

    mutating func edge(in plan: WorldPlan) -> Action {
        let (one, other) = (job(in: plan), job(in: plan))
        // Mostly from a later to an earlier one, so that most are no rings.
        let isForward = oneIn(4)
        return .addEdge(
            from: isForward ? min(one, other) : max(one, other), to: isForward ? max(one, other) : min(one, other), needsSuccess: oneIn(3))
    }

    mutating func action(in plan: WorldPlan) -> Action {
        switch Int.random(in: 0..<24, using: &generator) {
        case 0...2: .add([job(in: plan)], queue: queue(in: plan))
        case 3: .add((0...upTo(3)).map { _ in job(in: plan) }, queue: queue(in: plan))
        case 4...6: edge(in: plan)
        case 7...8: .removeEdge(from: job(in: plan), place: upTo(3))
        case 9...10: .cancel(job(in: plan), text: text())
        case 11: oneIn(3) ? .cancelAll(queue: queue(in: plan), text: text()) : .cancel(job(in: plan), text: text())
        case 12...13: .setSuspended(queue: queue(in: plan), oneIn(3))
        case 14...15: .setWidth(queue: queue(in: plan), upTo(4))
        case 16...17: .setPriority(job(in: plan), pick(Array(Job.QueuePriority.allCases)))
        case 18...19: .post(job(in: plan))
        case 20: .refuse(job(in: plan))
        case 21...22: .finish(job(in: plan), throwing: oneIn(3))
        default: .addCompletion(job(in: plan))
        }
    }
}
