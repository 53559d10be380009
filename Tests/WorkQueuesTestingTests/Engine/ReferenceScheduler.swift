// A scheduler that is small, slow and obviously right: what it knows of queues and jobs, and the questions that the rules are made of.
import WorkQueues

/// Says what the rules allow and demand. It runs nothing: actions are told to it, and what the engine did is put before it, to be judged.
///
/// Whatever it finds wrong it notes in `complaints`, with the name of the rule.
final class ReferenceScheduler {
    struct QueueState {
        var width: Int
        var isSuspended: Bool
    }

    enum End: Equatable {
        case succeeded
        case failed(Failure)
        case cancelled(Reason)
    }

    enum Failure: Equatable {
        /// The job's own error.
        case own
        /// `JobError.dependencyFailed` with this root.
        case dependency(root: Int)
    }

    enum Reason: Equatable {
        case requested
        case text(String)
        case dependency(root: Int)
    }

    struct Edge {
        let to: Int
        var needsSuccess: Bool
        /// The dependency has left its queue, or its end was past this point when the edge was added.
        var isMet: Bool
        /// Taken away when the end of the dependency was under way, which then meets the edge all the same: it is listed no more, and
        /// holds the job until the dependency has left.
        var isRemoved = false
    }

    /// What `isReady` of a job that overrides it said last.
    enum Answer { case unasked, no, yes }

    struct JobState {
        let kind: JobPlan.Kind
        /// A barrier is made when it is added.
        var exists: Bool
        var priority: Job.QueuePriority
        var queue: Int?
        /// Its number in the order of adding; of all queues together.
        var order = 0
        /// Its adding has not returned: an observer is being told of it.
        var isArriving = false
        var edges: [Edge] = []
        var answer = Answer.unasked
        var isWilling = false
        var reason: Reason?
        /// The first error that was noted for it.
        var noted: Failure?
        var bodyHasBegun = false
        /// What the body came to.
        var bodyResult: Result<Void, BodyError>?
        /// It was claimed: its phase became executing, and it has a slot.
        var hasBegun = false
        var end: End?
        var completions = 0
        var completionsRun = 0
        var isResolved = false
        var hasLeft = false

        var isCancelled: Bool { reason != nil }
        var listedEdges: [Edge] { edges.filter { !$0.isRemoved } }
        var isUnmet: Bool { edges.contains { !$0.isMet } }
        var isOverriding: Bool { kind == .held }
        /// In a queue, not begun, and nothing but its turn is missing.
        var isReady: Bool { waitsForNothing && (!isOverriding || answer == .yes) }
        /// In a queue, not begun, not ended or about to, and no edge holds it.
        var waitsForNothing: Bool { queue != nil && !hasBegun && end == nil && !isCancelled && !isUnmet }
    }

    struct BodyError: Error { let isCancellation: Bool }

    var queues: [QueueState]
    var jobs: [JobState]
    private var lastOrder = 0
    private(set) var complaints: [String] = []

    init(_ plan: WorldPlan) {
        queues = plan.queues.map { QueueState(width: $0.width, isSuspended: $0.isSuspended) }
        jobs = plan.jobs.map { JobState(kind: $0.kind, exists: $0.kind != .barrier, priority: $0.priority) }
    }

    func complain(_ rule: String, _ text: String) { complaints.append("\(rule): \(text)") }

    func expect(_ isRight: Bool, _ rule: String, _ text: @autoclosure () -> String) {
        if !isRight { complain(rule, text()) }
    }

    func nextOrder() -> Int {
        lastOrder += 1
        return lastOrder
    }
}

// MARK: - Questions

extension ReferenceScheduler {
    /// The unfinished jobs of a queue in the order of adding: what `jobs` must say.
    func members(of queue: Int) -> [Int] {
        jobs.indices.filter { jobs[$0].queue == queue && !jobs[$0].isArriving && !jobs[$0].hasLeft }
            .sorted { jobs[$0].order < jobs[$1].order }
    }

    func slotsTaken(in queue: Int) -> Int { jobs.count { $0.queue == queue && $0.hasBegun && !$0.hasLeft } }

    /// W4: nothing before it keeps a barrier, and no barrier before it keeps a job.
    func isPastBarriers(_ job: Int) -> Bool {
        let me = jobs[job]
        return !jobs.contains { other in
            other.queue == me.queue && other.order < me.order && !other.hasLeft && (me.kind == .barrier || other.kind == .barrier)
        }
    }

    /// O2: who comes first if both could start.
    func comesBefore(_ one: Int, _ other: Int) -> Bool {
        if jobs[one].priority != jobs[other].priority { return jobs[one].priority > jobs[other].priority }
        return jobs[one].order < jobs[other].order
    }

    /// Who must start before `job`: they come first, and can start or must be asked first.
    func overtaken(by job: Int) -> [Int] {
        jobs.indices.filter { other in
            other != job && jobs[other].queue == jobs[job].queue && jobs[other].waitsForNothing && isPastBarriers(other)
                && comesBefore(other, job) && !(jobs[other].isOverriding && jobs[other].answer == .no)
        }
    }

    /// Whom a job waits for: by edges, and through barriers.
    private func waits(of job: Int) -> [Int] {
        let me = jobs[job]
        if me.isResolved { return [] }
        var found = me.edges.map(\.to).filter { !jobs[$0].isResolved }
        guard let queue = me.queue else { return found }
        found += jobs.indices.filter { other in
            jobs[other].queue == queue && jobs[other].order < me.order && !jobs[other].isResolved
                && (me.kind == .barrier || jobs[other].kind == .barrier)
        }
        return found
    }

    /// Whether `job` waits for `target`, directly or through others.
    func waits(_ job: Int, for target: Int) -> Bool {
        var seen = [Bool](repeating: false, count: jobs.count)
        var toVisit = [job]
        while let next = toVisit.popLast() {
            if next == target { return true }
            if seen[next] { continue }
            seen[next] = true
            toVisit += waits(of: next)
        }
        return false
    }

    /// Which phases the job may be in.
    func phases(of job: Int) -> [Job.Phase] {
        let me = jobs[job]
        if me.end != nil { return [.finished] }
        if me.hasBegun { return [.executing] }
        if me.queue == nil { return [.created] }
        // It is about to end, and nobody says whether it is still called ready.
        if me.isCancelled { return [.waiting, .ready] }
        return me.isReady ? [.ready] : [.waiting]
    }

    /// What must not be there when nobody can take a step any more.
    func judgeStandstill() {
        for job in jobs.indices where jobs[job].queue != nil && !jobs[job].hasLeft {
            let me = jobs[job]
            if me.end != nil || (me.isCancelled && !me.hasBegun) { complain("C2", "\(job) ends no more") }
            if me.hasBegun && me.kind != .handMade && me.kind != .selfEnding { complain("L3", "\(job) has begun and ends no more") }
            guard me.waitsForNothing, let queue = me.queue, isPastBarriers(job) else { continue }
            if me.isOverriding && me.answer == .unasked { complain("L2", "\(job) is not asked") }
            if me.isReady && !queues[queue].isSuspended && slotsTaken(in: queue) < queues[queue].width {
                complain("O2", "\(job) could start and is forgotten")
            }
        }
    }
}
