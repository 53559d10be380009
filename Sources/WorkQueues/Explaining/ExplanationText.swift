// Explanations as text.

/// Puts explanations into plain English.
enum ExplanationText {
    /// How many jobs of a list are shown.
    static let shownJobs = 20
    /// How many reasons of one job, and how many holders of slots, are shown.
    static let shownReasons = 10
    static let shownHolders = 3

    static func text(of queue: QueueExplanation) -> String {
        var lines = [headline(of: queue)]
        let holders = Set((queue.running + queue.lenders).map(\.id))
        append(queue.jobs.filter { holders.contains($0.job.id) }, to: &lines)
        append(queue.jobs.filter { !holders.contains($0.job.id) }, to: &lines)
        return lines.joined(separator: "\n")
    }

    private static func append(_ jobs: [JobExplanation], to lines: inout [String]) {
        for job in jobs.prefix(shownJobs) { lines.append(text(of: job)) }
        if jobs.count > shownJobs { lines.append("and \(grouped(jobs.count - shownJobs)) more") }
    }

    private static func headline(of queue: QueueExplanation) -> String {
        let count = queue.jobs.count
        let jobs = count == 1 ? "1 unfinished job" : "\(grouped(count)) unfinished jobs"
        var line = "\(queue.name.map { "queue \"\($0)\"" } ?? "unnamed queue"): \(count == 0 ? "no unfinished jobs" : jobs)"
        line += ", \(queue.takenSlotCount) of \(queue.slotCount) \(queue.slotCount == 1 ? "slot" : "slots") taken"
        if !queue.lenders.isEmpty { line += ", \(queue.lenders.count) lent" }
        if queue.isSuspended { line += ", suspended" }
        return line
    }

    static func text(of explanation: JobExplanation) -> String {
        let job = explanation.job
        var line = "\(title(of: job)), \(phase(of: job))"
        if let outcome = explanation.outcome { line += ", \(text(of: outcome))" }
        line += place(of: job)
        var lines = [line] + explanation.reasons.prefix(shownReasons).map { "  - \(text(of: $0, in: job.queueName))" }
        let rest = explanation.reasons.count - shownReasons
        if rest > 0 { lines.append("  - and \(grouped(rest)) more") }
        return lines.joined(separator: "\n")
    }

    /// "#3 "merge" (Merge)".
    private static func title(of job: JobExplanation.Subject) -> String {
        "\(job.id)\(job.name.map { " \"\($0)\"" } ?? "") (\(job.className))"
    }

    private static func phase(of job: JobExplanation.Subject) -> String {
        let age = job.age.map { " for \(text(of: $0))" } ?? ""
        return switch job.phase {
        case .created: "in no queue"
        case .waiting: "waiting\(age)"
        case .ready: "ready"
        case .executing: "executing\(age)"
        case .finished: "finished"
        }
    }

    /// Where the job was added; of a ready one also when, for since when it is ready is not known.
    private static func place(of job: JobExplanation.Subject) -> String {
        guard let site = job.site else { return "" }
        let age = job.phase == .ready ? job.age.map { "\(text(of: $0)) ago " } ?? "" : ""
        return ", added \(age)at \(site)"
    }

    /// A job as another one's reason.
    static func text(of job: JobExplanation.Subject) -> String {
        "\(title(of: job)), \(phase(of: job))\(place(of: job))"
    }

    private static func text(of outcome: Job.Outcome) -> String {
        switch outcome {
        case .succeeded: "succeeded"
        case .failed(let error): "failed: \(error)"
        case .cancelled(let reason): "cancelled: \(reason)"
        }
    }

    private static func text(of jobs: [JobExplanation.Subject]) -> String {
        let shown = jobs.prefix(shownHolders).map { text(of: $0) }.joined(separator: "; ")
        return jobs.count > shownHolders ? "\(shown); and \(grouped(jobs.count - shownHolders)) more" : shown
    }

    /// `queue` is the name of the queue of the job whose reason it is.
    static func text(of reason: JobExplanation.Reason, in queue: String? = nil) -> String {
        switch reason {
        case .neverAdded: "it was never added to a queue"
        case .dependency(let job, let requirement):
            "waits for \(end(of: requirement)) of \(text(of: job))\(otherQueue(of: job, than: queue))"
        case .dependencyNeverAdded(let job, let requirement):
            "waits for \(end(of: requirement)) of \(title(of: job)), which was never added to a queue"
        case .isReadySaysNo: "its isReady says no, and a change of that was not posted"
        case .isReadyIsAsked: "its isReady is being asked"
        case .behindBarrier(let job): "was added behind the barrier \(text(of: job))"
        case .earlierJobs(let count, let oldest):
            "is a barrier, and \(grouped(count)) \(count == 1 ? "job" : "jobs") added before it \(count == 1 ? "has" : "have") not ended; "
                + "the oldest is \(text(of: oldest))"
        case .suspended: "the queue is suspended"
        case .widthIsZero: "the queue's maxConcurrentJobCount is 0"
        case .noFreeSlot(let holders): "no slot is free; taken by \(text(of: holders))"
        case .behindQuestion(let job): "comes after \(text(of: job)), whose isReady is being asked"
        case .noThread: "a slot is free, but the thread budget of the process is used up"
        case .aboutToStart: "a worker is about to start it"
        case .ending: "it will not run any more, and a worker is about to see to its end"
        case .waitsForJob(let job, let lendsSlot): "\(lending(lendsSlot)) waits for \(text(of: job))\(otherQueue(of: job, than: queue))"
        case .waitsForQueue(let name, let lendsSlot):
            "\(lending(lendsSlot)) waits until \(name.map { "queue \"\($0)\"" } ?? "an unnamed queue") is idle"
        case .waitsForSlot(let holders):
            "its wait is over, and it is next for a slot" + (holders.isEmpty ? "" : "; taken by \(text(of: holders))")
        case .startHasReturned:
            "its start() has returned; it ends when its asynchronous body returns, finish() is called, or isFinished is posted"
        case .completionsRun: "its completions or observers are still at work"
        case .changing: "it was changing while it was looked at"
        }
    }

    private static func lending(_ lendsSlot: Bool) -> String { lendsSlot ? "lent its slot and" : "keeps its slot and" }

    private static func end(of requirement: DependencyRequirement) -> String { requirement == .succeeded ? "the success" : "the end" }

    private static func otherQueue(of job: JobExplanation.Subject, than queue: String?) -> String {
        guard let name = job.queueName, name != queue else { return "" }
        return ", in queue \"\(name)\""
    }

    /// "2.31 s", with two digits behind the point up to a minute.
    static func text(of duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if seconds >= 60 { return "\(grouped(Int(seconds))) s" }
        let hundredths = attoseconds / 10_000_000_000_000_000
        return "\(seconds).\(hundredths < 10 ? "0" : "")\(hundredths) s"
    }

    /// "99,980".
    static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
            index -= 3
        }
        return digits
    }
}

extension JobExplanation.Reason: CustomStringConvertible {
    /// The reason in plain English, without the job that it is about.
    public var description: String { ExplanationText.text(of: self) }
}

extension JobExplanation.Subject: CustomStringConvertible {
    /// The job's id, name, class, phase and age, and where it was added.
    public var description: String { ExplanationText.text(of: self) }
}
