// From snapshots to explanations: what is asked of each job off every lock, and which reasons it has.

import SchedulingCore
import Synchronization

/// Makes the explanations of one call; remembers what several jobs have in common.
struct Explainer {
    private struct Queue {
        let name: String?
        let moment: UInt64
    }

    private var queues: [UInt64: Queue] = [:]
    private var classNames: [ObjectIdentifier: String] = [:]
    private var subjects: [ObjectIdentifier: JobExplanation.Subject] = [:]

    /// The reasons of the queue as a whole.
    private var snapshot = QueueSnapshot()
    private var holders: [JobExplanation.Subject] = []

    // MARK: Subjects

    /// A job as it is now, or as it was when `word` was read.
    private mutating func subject(_ job: Job, word: JobState? = nil) -> JobExplanation.Subject {
        if let known = subjects[ObjectIdentifier(job)] { return known }
        let word = word ?? job.jobState
        let queue = queue(of: job, word)
        let phase = Job.Phase(word.phase)
        let stamp = JobStamp(rawValue: job.stamp.load(ordering: .relaxed))
        let age: Duration? =
            switch phase {
            case .waiting, .ready: stamp.age(executing: false, now: queue.moment)
            case .executing: stamp.age(executing: true, now: queue.moment)
            case .created, .finished: nil
            }
        let subject = JobExplanation.Subject(
            id: job.id, name: job.name, className: className(of: job), phase: phase, age: age, site: job.site?.title,
            queueName: queue.name)
        subjects[ObjectIdentifier(job)] = subject
        return subject
    }

    private mutating func queue(of job: Job, _ word: JobState) -> Queue {
        let id = word.isQueued ? job.queueID : 0
        if let known = queues[id] { return known }
        let engine = id == 0 ? nil : QueueDirectory.shared.engine(id)
        let queue = Queue(name: engine?.guarded.withLock { $0.name }, moment: (engine?.time ?? DispatchTimeSource.shared).coarseNow())
        queues[id] = queue
        return queue
    }

    private mutating func className(of job: Job) -> String {
        let type = type(of: job)
        if let known = classNames[ObjectIdentifier(type)] { return known }
        let name = String(describing: type)
        classNames[ObjectIdentifier(type)] = name
        return name
    }

    private func queueName(_ id: UInt64) -> String? { QueueDirectory.shared.engine(id)?.guarded.withLock { $0.name } }

    // MARK: Explanations

    static func explain(_ engine: QueueEngine) -> QueueExplanation {
        var explainer = Explainer()
        let snapshot = engine.snapshot()
        let waits = DependencyRegistry.shared.waits(of: snapshot.jobs.map(\.job))
        explainer.take(snapshot)
        let jobs = zip(snapshot.jobs, waits).map { explainer.explain($0, $1) }
        return QueueExplanation(
            name: snapshot.name, isSuspended: snapshot.isSuspended, maxConcurrentJobCount: snapshot.setWidth, slotCount: snapshot.width,
            takenSlotCount: snapshot.executing, jobs: jobs, running: explainer.holders,
            lenders: snapshot.lenders.map { explainer.subject($0) })
    }

    static func explain(_ job: Job) -> JobExplanation {
        var explainer = Explainer()
        let word = job.jobState
        guard word.isQueued, let engine = QueueDirectory.shared.engine(job.queueID) else { return explainer.explainUnqueued(job) }
        let snapshot = engine.snapshot(of: job)
        let waits = DependencyRegistry.shared.waits(of: [job])
        explainer.take(snapshot)
        if let found = snapshot.jobs.first { return explainer.explain(found, waits[0]) }
        // It is being added at this moment, or it has left.
        let late = job.jobState
        let reasons: [JobExplanation.Reason] = late.isFinished && late.isClosed ? [] : [.changing]
        return JobExplanation(job: explainer.subject(job, word: late), outcome: job.outcome, reasons: reasons)
    }

    private mutating func explainUnqueued(_ job: Job) -> JobExplanation {
        let waits = DependencyRegistry.shared.waits(of: [job])[0]
        let word = job.jobState
        let subject = subject(job, word: word)
        var reasons: [JobExplanation.Reason] = []
        switch subject.phase {
        case .created: reasons = [.neverAdded] + edges(of: waits)
        case .waiting, .ready: reasons = [.changing]
        case .executing:
            reasons = ongoing(waits, lendsSlot: false)
            if reasons.isEmpty && !word.isInStart { reasons = [.startHasReturned] }
        case .finished: reasons = word.isSettled || word.isClosed ? [] : [.completionsRun]
        }
        return JobExplanation(job: subject, outcome: subject.phase == .finished ? job.outcome : nil, reasons: reasons)
    }

    private mutating func take(_ snapshot: QueueSnapshot) {
        self.snapshot = snapshot
        for job in snapshot.jobs { _ = subject(job.job, word: job.word) }
        holders = snapshot.holders.map { subject($0) }
    }

    private mutating func explain(_ found: JobSnapshot, _ waits: WaitSnapshot) -> JobExplanation {
        JobExplanation(
            job: subject(found.job, word: found.word), outcome: found.word.isFinished ? found.job.outcome : nil,
            reasons: reasons(of: found, waits))
    }

    // MARK: Reasons

    private mutating func reasons(of found: JobSnapshot, _ waits: WaitSnapshot) -> [JobExplanation.Reason] {
        let word = found.word
        switch found.obstacles.standing {
        case .free: return [.changing]
        case .ending: return [.ending]
        case .executing:
            if word.isFinished { return [.completionsRun] }
            let reasons = ongoing(waits, lendsSlot: false)
            return reasons.isEmpty && word.phase == .executing && !word.isInStart ? [.startHasReturned] : reasons
        case .lending:
            if found.isReturning { return [.waitsForSlot(heldBy: holders)] }
            let reasons = ongoing(waits, lendsSlot: true)
            return reasons.isEmpty ? [.changing] : reasons
        case .waiting, .unasked, .asking, .ready:
            if found.obstacles.isDoomed || word.isCancelled || word.isEndOwed || word.isFinished { return [.ending] }
            let reasons = ownReasons(of: found, waits) + queueReasons(of: found)
            return reasons.isEmpty ? [.changing] : reasons
        }
    }

    /// What lies with the job and its dependencies.
    private mutating func ownReasons(of found: JobSnapshot, _ waits: WaitSnapshot) -> [JobExplanation.Reason] {
        if found.word.unmetEdges > 0 { return edges(of: waits) }
        switch found.obstacles.standing {
        case .unasked, .asking: return [.isReadyIsAsked]
        case .waiting where found.word.awaitsAnswer: return [.isReadySaysNo]
        case .free, .waiting, .ready, .executing, .lending, .ending: return []
        }
    }

    /// What lies with the queue.
    private mutating func queueReasons(of found: JobSnapshot) -> [JobExplanation.Reason] {
        var reasons: [JobExplanation.Reason] = []
        let obstacles = found.obstacles
        if let oldest = found.oldestEarlier { reasons.append(.earlierJobs(count: obstacles.earlierCount, oldest: subject(oldest))) }
        if let barrier = found.barrier { reasons.append(.behindBarrier(subject(barrier))) }
        if snapshot.isSuspended { reasons.append(.suspended) }
        if snapshot.width == 0 { reasons.append(.widthIsZero) }
        guard reasons.isEmpty, obstacles.isNext, obstacles.standing == .ready, found.word.phase == .ready else { return reasons }
        if snapshot.executing >= snapshot.width { return [.noFreeSlot(heldBy: holders)] }
        if let question = found.question { return [.behindQuestion(subject(question))] }
        return [snapshot.isRefused ? .noThread : .aboutToStart]
    }

    private mutating func edges(of waits: WaitSnapshot) -> [JobExplanation.Reason] {
        waits.edges.map { dependency, requirement in
            let subject = subject(dependency)
            return subject.phase == .created
                ? .dependencyNeverAdded(subject, requiring: requirement) : .dependency(subject, requiring: requirement)
        }
    }

    /// What a job waits for in its body.
    private mutating func ongoing(_ waits: WaitSnapshot, lendsSlot: Bool) -> [JobExplanation.Reason] {
        waits.waits.map { .waitsForJob(subject($0), lendsSlot: lendsSlot) }
            + waits.queues.map { .waitsForQueue(name: queueName($0), lendsSlot: lendsSlot) }
    }
}

// MARK: - Asking

extension Job {
    /// Says why the job does not run, or what it does, at this moment.
    ///
    /// From any thread, for a job in any phase and in no queue too. What concerns its queue is read in one step under the queue's lock,
    /// what concerns dependencies in another one; no code of others runs meanwhile. O(n) for n jobs in its queue.
    ///
    /// ```swift
    /// print(job.explain())
    /// ```
    public final func explain() -> JobExplanation { Explainer.explain(self) }
}

extension WorkQueue {
    /// Says of each unfinished job why it does not run, and what runs, at this moment.
    ///
    /// From any thread. The queue is read in one step under its lock, the dependencies of its jobs in another one, and while that lasts
    /// neither starts jobs nor takes edges: O(n + edges) for n jobs, some hundred nanoseconds each.
    ///
    /// ```swift
    /// print(queue.explain())
    /// ```
    public func explain() -> QueueExplanation { Explainer.explain(engine) }
}
