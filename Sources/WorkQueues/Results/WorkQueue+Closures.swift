// Adding closures as jobs.

extension WorkQueue {
    /// Adds a closure as a job; the returned job hands out what the closure returns or throws.
    ///
    /// The closure runs on a worker once every job in `dependencies` has ended, no matter how.
    @inlinable
    @discardableResult
    public func addJob<Success: Sendable>(
        name: String? = nil, priority: Job.QueuePriority = .normal, dependencies: [Job] = [],
        _ body: @escaping @Sendable () throws -> Success, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResultJob<Success> {
        let job = ResultJob(name: name, priority: priority, body)
        addNew(job, waitingFor: dependencies, requiring: .finished, at: Site(fileID, line))
        return job
    }

    /// Adds an asynchronous closure as a job. It runs on the queue's workers, and holds its slot until it has returned.
    @inlinable
    @discardableResult
    public func addJob<Success: Sendable>(
        name: String? = nil, priority: Job.QueuePriority = .normal, dependencies: [Job] = [],
        _ body: @escaping @Sendable () async throws -> Success, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResultJob<Success> {
        let job = ResultJob(name: name, priority: priority, body)
        addNew(job, waitingFor: dependencies, requiring: .finished, at: Site(fileID, line))
        return job
    }

    /// Adds a closure that is handed the values of other jobs.
    ///
    /// If one of them fails, the new job fails with `JobError.dependencyFailed` and its closure does not run; if one is cancelled, it
    /// is cancelled.
    @discardableResult
    public func addJob<First: Sendable, each Rest: Sendable, Success: Sendable>(
        name: String? = nil, priority: Job.QueuePriority = .normal, after first: ResultJob<First>, _ rest: repeat ResultJob<each Rest>,
        body: @escaping @Sendable (First, repeat each Rest) throws -> Success, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResultJob<Success> {
        let job = ResultJob(name: name, priority: priority) { () throws -> Success in
            try body(try first.knownValue(), repeat try (each rest).knownValue())
        }
        addNew(job, waitingFor: Self.producers(first, repeat each rest), requiring: .succeeded, at: Site(fileID, line))
        return job
    }

    /// Adds an asynchronous closure that is handed the values of other jobs; otherwise as its synchronous counterpart.
    @discardableResult
    public func addJob<First: Sendable, each Rest: Sendable, Success: Sendable>(
        name: String? = nil, priority: Job.QueuePriority = .normal, after first: ResultJob<First>, _ rest: repeat ResultJob<each Rest>,
        body: @escaping @Sendable (First, repeat each Rest) async throws -> Success, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResultJob<Success> {
        let job = ResultJob(name: name, priority: priority) { () async throws -> Success in
            try await body(try first.knownValue(), repeat try (each rest).knownValue())
        }
        addNew(job, waitingFor: Self.producers(first, repeat each rest), requiring: .succeeded, at: Site(fileID, line))
        return job
    }

    /// Adds a closure that begins something and is told by a completion when that is done, as callbacks do. The job holds its slot
    /// until then.
    @discardableResult
    public func addJob<Success: Sendable>(
        name: String? = nil, priority: Job.QueuePriority = .normal, completing body: @escaping @Sendable (JobCompletion<Success>) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResultJob<Success> {
        let job = CallbackJob(callback: body)
        if let name { job.name = name }
        if priority != .normal { job.queuePriority = priority }
        addNew(job, waitingFor: [], requiring: .finished, at: Site(fileID, line))
        return job
    }

    /// Adds a barrier: a job that starts when all that was added before it has ended, and before anything that is added after it. O(1).
    @discardableResult
    public func addBarrierBlock(
        _ body: @escaping @Sendable () throws -> Void, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResultJob<Void> {
        let job = ResultJob(body)
        job.becomeBarrier()
        addNew(job, waitingFor: [], requiring: .finished, at: Site(fileID, line))
        return job
    }

    private static func producers<First: Sendable, each Rest: Sendable>(
        _ first: ResultJob<First>, _ rest: repeat ResultJob<each Rest>
    ) -> [Job] {
        var producers: [Job] = [first]
        repeat producers.append(each rest)
        return producers
    }

    /// Adds a job that nobody else knows: nothing can be waiting for it, so it cannot be refused.
    @usableFromInline
    func addNew(_ job: Job, waitingFor dependencies: [Job], requiring requirement: DependencyRequirement, at site: Site) {
        do throws(JobError) {
            if dependencies.isEmpty { return try engine.add(unknown: job, at: site) }
            for dependency in dependencies { try job.addDependency(dependency, requiring: requirement) }
            try engine.add(job, at: site)
        } catch {
            job.end(error: error)
        }
    }
}
