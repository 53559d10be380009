// Every public name of explanations.
import WorkQueues

func explaining(_ job: Job) -> String {
    let explanation: JobExplanation = job.explain()
    let subject: JobExplanation.Subject = explanation.job
    let id: Job.ID = subject.id
    let texts: [String?] = [subject.name, subject.className, subject.site, subject.queueName, subject.description]
    let phase: Job.Phase = subject.phase
    let age: Duration? = subject.age
    let outcome: Job.Outcome? = explanation.outcome
    _ = (id, texts, phase, age, outcome, Set([subject]).count)
    return explanation.description + explanation.reasons.map { reason in "\(text(of: reason)) \(reason)" }.joined()
}

private func text(of reason: JobExplanation.Reason) -> String {
    switch reason {
    case .neverAdded, .isReadySaysNo, .isReadyIsAsked, .suspended, .widthIsZero, .noThread, .aboutToStart, .ending: ""
    case .startHasReturned, .completionsRun, .changing: ""
    case .dependency(let job, let requirement), .dependencyNeverAdded(let job, let requirement):
        requirement == .succeeded ? job.className : ""
    case .behindBarrier(let job), .behindQuestion(let job): job.className
    case .earlierJobs(let count, let oldest): "\(count) \(oldest)"
    case .noFreeSlot(let holders), .waitsForSlot(let holders): "\(holders.count)"
    case .waitsForJob(let job, let lendsSlot): "\(job) \(lendsSlot)"
    case .waitsForQueue(let name, let lendsSlot): "\(name ?? "") \(lendsSlot)"
    @unknown default: ""
    }
}

func explaining(_ queue: WorkQueue) throws(JobError) -> String {
    let explanation: QueueExplanation = queue.explain()
    let name: String? = explanation.name
    let numbers: [Int] = [explanation.maxConcurrentJobCount, explanation.slotCount, explanation.takenSlotCount]
    let lists: [[JobExplanation.Subject]] = [explanation.running, explanation.lenders, explanation.jobs.map(\.job)]
    _ = (name, numbers, lists, explanation.isSuspended)
    try queue.addJob(BlockJob {}, fileID: #fileID, line: #line)
    try queue.addJobs([BlockJob {}], fileID: #fileID, line: #line)
    queue.addJob({ 1 }, fileID: "Tool/main.swift", line: 12)
    return explanation.description
}
