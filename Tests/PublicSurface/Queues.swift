// Every public name of a queue: making one, adding to it, its settings, its waits.
import Dispatch
import WorkQueues

func making() -> [WorkQueue] {
    [
        WorkQueue(),
        WorkQueue(name: "named"),
        WorkQueue(maxConcurrentJobCount: WorkQueue.defaultMaxConcurrentJobCount),
        WorkQueue(
            name: "all", maxConcurrentJobCount: 4, qualityOfService: .utility, underlyingQueue: DispatchQueue(label: "below"),
            isSuspended: true),
        WorkQueue.main,
    ]
}

func adding(to queue: WorkQueue) throws(JobError) {
    try queue.addJob(Multiply([2, 3]))
    try queue.addJobs([Posting(), Upload(), Square(side: 3), LateSquare()])
    try queue.addJobs([BlockJob {}], waitUntilFinished: true)
}

func addingClosures(to queue: WorkQueue) {
    queue.addJob {}
    let one: ResultJob<Int> = queue.addJob { 1 }
    let thrown: ResultJob<Int> = queue.addJob { throw CancellationError() }
    let all: ResultJob<String> = queue.addJob(name: "all", priority: .veryHigh, dependencies: [one, thrown]) { "all" }
    let awaited: ResultJob<Double> = queue.addJob(name: "awaited", priority: .veryLow, dependencies: [all]) { () async throws -> Double in
        await Task.yield()
        return 0.5
    }
    let after: ResultJob<Int> = queue.addJob(after: one) { $0 + 1 }
    let joined: ResultJob<String> = queue.addJob(name: "joined", priority: .low, after: one, all, awaited) { one, all, awaited in
        "\(one)\(all)\(awaited)"
    }
    let joinedLater: ResultJob<Int> = queue.addJob(after: one, joined) { (one: Int, joined: String) async throws -> Int in
        await Task.yield()
        return one + joined.count
    }
    let called: ResultJob<Int> = queue.addJob { (done: JobCompletion<Int>) in done.finish(returning: 1) }
    let failed: ResultJob<Int> = queue.addJob(name: "failed", priority: .high, completing: { $0.finish(throwing: CancellationError()) })
    let barrier: ResultJob<Void> = queue.addBarrierBlock { try Job.checkCancellation() }
    queue.addBarrierBlock {}
    _ = (after, joinedLater, called, failed, barrier)
}

func settings(of queue: WorkQueue) {
    queue.name = nil
    queue.maxConcurrentJobCount = 2
    queue.isSuspended.toggle()
    queue.qualityOfService = .background
    let name: String? = queue.name
    let width: Int = queue.maxConcurrentJobCount
    let quality: DispatchQoS.QoSClass = queue.qualityOfService
    let below: DispatchQueue? = queue.underlyingQueue
    let current: WorkQueue? = WorkQueue.current
    let jobs: [Job] = queue.jobs
    let count: Int = queue.jobCount
    _ = (name, width, quality, below, current, jobs, count)
    queue.cancelAllJobs()
    queue.cancelAllJobs(reason: .custom("closing"))
}

func waiting(for queue: WorkQueue) -> Bool {
    queue.waitUntilAllJobsAreFinished()
    return queue.waitUntilAllJobsAreFinished(timeout: .seconds(1))
}

func awaiting(_ queue: WorkQueue) async throws -> Bool {
    let executor: any TaskExecutor = queue.taskExecutor
    Task(executorPreference: executor) {}
    var local = 1  // the body of `run` is neither escaping nor `@Sendable`
    let sum: Int = try await queue.run {
        local += 1
        return local
    }
    let value: Int = try await queue.addJob { sum }.value
    await queue.waitUntilAllJobsAreFinished()
    return await queue.waitUntilAllJobsAreFinished(timeout: .seconds(value))
}

@MainActor final class Screen {
    var shown = 0

    /// `run` keeps the caller's isolation.
    func refresh(on queue: WorkQueue) async throws {
        try await queue.run { shown += 1 }
    }
}
