// A random world as a value: queues, jobs, and what is done to them when; it can be run again, and made smaller.
import WorkQueues

/// What is done to a world from outside, from a body, or from a completion. Jobs and queues are named by their positions in the plan.
enum Action: Sendable, Equatable {
    /// One job, or several as a batch.
    case add([Int], queue: Int)
    case addEdge(from: Int, to: Int, needsSuccess: Bool)
    /// The edge at this place among the dependencies that the job has then.
    case removeEdge(from: Int, place: Int)
    /// Without a text it is `cancel()`.
    case cancel(Int, text: String?)
    case cancelAll(queue: Int, text: String?)
    case setSuspended(queue: Int, Bool)
    case setWidth(queue: Int, Int)
    case setPriority(Int, Job.QueuePriority)
    /// Lets a job that overrides `isReady` say yes, and posts that.
    case post(Int)
    /// Lets it say no, without a post.
    case refuse(Int)
    /// Ends a hand-made asynchronous job.
    case finish(Int, throwing: Bool)
    case addCompletion(Int)

    /// The jobs that it names.
    var jobs: [Int] {
        switch self {
        case .add(let jobs, _): jobs
        case .addEdge(let from, let to, _): [from, to]
        case .removeEdge(let job, _), .cancel(let job, _), .setPriority(let job, _), .post(let job), .refuse(let job), .finish(let job, _),
            .addCompletion(let job):
            [job]
        case .cancelAll, .setSuspended, .setWidth: []
        }
    }
}

struct JobPlan: Sendable {
    enum Kind: Sendable, Equatable, CaseIterable {
        case subclass, failingSubclass, block, closure, throwingClosure, async, throwingAsync
        /// Overrides `isReady`, and says no until an action lets it say yes.
        case held
        /// Asynchronous by hand: an action ends it.
        case handMade
        /// As `handMade`, and its `cancel()` ends it too.
        case selfEnding
        /// Made and added by `addBarrierBlock`.
        case barrier
    }

    var kind: Kind
    var priority: Job.QueuePriority = .normal
    /// How many times an asynchronous body lets others go on.
    var yields = 0
    var completions = 0
    /// Done by its body.
    var bodyActions: [Action] = []
    /// Done by its first completion.
    var completionActions: [Action] = []
    /// Done by an observer of its queue, if that is observed, when it is told that the job was added, has started, or has finished.
    var eventActions: [Action] = []
    var eventMoment = EventMoment.added

    enum EventMoment: Sendable, CaseIterable { case added, started, finished }
}

struct QueuePlan: Sendable {
    var width: Int
    var isSuspended: Bool
    var isObserved: Bool
}

/// Something that is done before a step of the world, or from that step on as a step of its own.
struct ScriptItem: Sendable {
    var step: Int
    var isVisitor: Bool
    var action: Action
}

struct WorldPlan: Sendable {
    /// Chooses the plan and the order of steps.
    var seed: UInt64
    var queues: [QueuePlan]
    var jobs: [JobPlan]
    var opening: [Action]
    /// Sorted by step.
    var script: [ScriptItem]
    /// After how many steps `jobs` and `jobCount` are read, which makes the queue take in what was added.
    var inspectionPause: Int
}

// MARK: - Making smaller

extension WorldPlan {
    /// Every plan that lacks a part of this one; those that lack much come first.
    var smallerPlans: [WorldPlan] {
        let chunks = [opening.count / 2, opening.count / 4, 1].filter { $0 > 0 }
        var plans: [WorldPlan] = jobs.indices.map(without(job:))
        for size in chunks {
            for start in stride(from: 0, to: opening.count, by: size) {
                var plan = self
                plan.opening.removeSubrange(start..<min(start + size, opening.count))
                plans.append(plan)
            }
        }
        for index in script.indices {
            var plan = self
            plan.script.remove(at: index)
            plans.append(plan)
        }
        for (job, jobPlan) in jobs.enumerated() {
            for index in jobPlan.bodyActions.indices {
                var plan = self
                plan.jobs[job].bodyActions.remove(at: index)
                plans.append(plan)
            }
            for index in jobPlan.completionActions.indices {
                var plan = self
                plan.jobs[job].completionActions.remove(at: index)
                plans.append(plan)
            }
            for index in jobPlan.eventActions.indices {
                var plan = self
                plan.jobs[job].eventActions.remove(at: index)
                plans.append(plan)
            }
        }
        return plans
    }

    /// Nobody names the job any more; it stays in the list, so that the others keep their positions.
    private func without(job: Int) -> WorldPlan {
        func stripped(_ actions: [Action]) -> [Action] {
            actions.compactMap { action in
                if case .add(let jobs, let queue) = action {
                    let rest = jobs.filter { $0 != job }
                    return rest.isEmpty ? nil : .add(rest, queue: queue)
                }
                return action.jobs.contains(job) ? nil : action
            }
        }
        var plan = self
        plan.opening = stripped(opening)
        plan.script = script.filter { !stripped([$0.action]).isEmpty }
        for index in jobs.indices {
            plan.jobs[index].bodyActions = stripped(jobs[index].bodyActions)
            plan.jobs[index].completionActions = stripped(jobs[index].completionActions)
            plan.jobs[index].eventActions = stripped(jobs[index].eventActions)
        }
        plan.jobs[job].bodyActions = []
        plan.jobs[job].completionActions = []
        plan.jobs[job].eventActions = []
        return plan
    }

    /// How much there is in it.
    var size: Int {
        opening.reduce(0) { $0 + max(1, $1.jobs.count) } + script.count
            + jobs.reduce(0) { $0 + $1.bodyActions.count + $1.completionActions.count + $1.eventActions.count }
    }
}
