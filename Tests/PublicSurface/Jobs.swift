// Every public name of a job: properties, dependencies, ends, waits and errors.
import Dispatch
import WorkQueues

func properties(of job: Job) {
    let id: Job.ID = job.id
    let ids: Set<Job.ID> = [id]
    let jobs: [Job: Int] = [job: 1]
    let text: String = job.description
    let flags: [Bool] = [
        job.isReady, job.isExecuting, job.isFinished, job.isAsynchronous, job.isCancelled, ids.max() == id, jobs[job] == 1, job == job,
        text.isEmpty,
    ]
    let name: String? = job.name
    let reason: Job.CancellationReason? = job.cancellationReason
    let queue: WorkQueue? = job.queue
    let quality: DispatchQoS.QoSClass? = job.qualityOfService
    let current: Job? = Job.current
    _ = (flags, name, reason, queue, quality, current)

    job.name = nil
    job.qualityOfService = nil
    for priority: Job.QueuePriority in [.veryLow, .low, .normal, .high, .veryHigh] { job.queuePriority = priority }
}

/// Closed enums: no `default`, no `@unknown default`.
func states(of job: Job) -> String {
    let outcome: String =
        switch job.outcome {
        case nil: "none"
        case .succeeded: "succeeded"
        case .failed(let error): "\(error)"
        case .cancelled(let reason): reason.description
        }
    let phase: String =
        switch job.phase {
        case .created: "created"
        case .waiting: "waiting"
        case .ready: "ready"
        case .executing: "executing"
        case .finished: "finished"
        }
    return outcome + phase
}

func cancelling(_ job: Job) {
    job.cancel()
    let reasons: [Job.CancellationReason] = [.requested, .queueReleased, .dependency(job.id), .custom("shutdown")]
    for reason in reasons { job.cancel(reason: reason) }
    job.onCancel { (reason: Job.CancellationReason) in _ = reason.hashValue }
}

func edges(from job: Job, to other: Job) {
    do {
        try job.addDependency(other)
        try job.addDependency(other, requiring: .finished)
        try job.addDependency(other, requiring: .succeeded)
    } catch {
        report(error)
    }
    job.removeDependency(other)
    let all: [Job] = job.dependencies
    _ = all.compactMap { ($0 as? Multiply)?.product }
}

func report(_ error: JobError) {
    let code: JobError.Code = error.code
    let message: String = error.message
    let path: [Job] = error.cyclePath
    let id: Job.ID? = error.jobID
    let cause: (any Error)? = error.underlying
    let known: Set<JobError.Code> = [
        .dependencyCycle, .alreadyAdded, .alreadyStarted, .alreadyFinished, .dependencyFailed, .completionDropped, .wouldDeadlock,
    ]
    _ = (known.contains(code), message + error.description, path.first === path.last, id, cause)
}

func ends(of job: Job) {
    job.completionBlock = {}
    let block: (@Sendable () -> Void)? = job.completionBlock
    block?()
    job.completionBlock = nil
    job.addCompletion { (outcome: Job.Outcome) in _ = outcome }
    job.start()
    job.waitUntilFinished()
    let inTime: Bool = job.waitUntilFinished(timeout: .seconds(1))
    _ = inTime
}

func endsAwaited(of job: Job) async -> Bool {
    await job.waitUntilFinished()
    let outcome: Job.Outcome = await job.waitUntilFinished()
    if case .failed = outcome { return false }
    return await job.waitUntilFinished(timeout: .milliseconds(10))
}

func kinds() throws {
    let block = BlockJob {}
    try block.addExecutionBlock {}
    try BlockJob().addExecutionBlock {}
    let blocks: [@Sendable () -> Void] = block.executionBlocks
    let several = Several {}

    let upload = Upload()
    upload.state = .executing
    switch upload.state {
    case .ready, .executing, .finished: upload.finish()
    }

    let square = Square(side: 7)
    let result: Result<Int, any Error>? = square.result
    let value: Int = try square.waitForValue()
    let closures: [ResultJob<Int>] = [
        ResultJob { 1 },
        ResultJob(name: "named", priority: .high) { 2 },
        ResultJob { () async throws -> Int in 3 },
        ResultJob(name: "awaiting", priority: .low) { () async throws -> Int in 4 },
        LateSquare(),
    ]
    _ = (blocks, several, result, value, closures)
}
