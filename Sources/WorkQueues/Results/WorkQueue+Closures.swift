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
        let job = ResultJob(bareClosure: body)
        // Most have neither.
        if name != nil || priority != .normal { job.prepare(name, priority) }
        addNew(job, waitingFor: dependencies, at: Site(fileID, line))
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
        addNew(job, waitingFor: dependencies, at: Site(fileID, line))
        return job
    }

    /// Adds a closure that is handed the values of other jobs.
    ///
    /// If one of them fails, the new job fails with `JobError.dependencyFailed` and its closure does not run; if one is cancelled, it
    /// is cancelled.
    @inlinable
    @discardableResult
    public func addJob<First: Sendable, each Rest: Sendable, Success: Sendable>(
        name: String? = nil, priority: Job.QueuePriority = .normal, after first: ResultJob<First>, _ rest: repeat ResultJob<each Rest>,
        body: @escaping @Sendable (First, repeat each Rest) throws -> Success, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResultJob<Success> {
        let job = ResultJob(bareClosure: { () throws -> Success in
            try body(try first.knownValue(), repeat try (each rest).knownValue())
        })
        if name != nil || priority != .normal { job.prepare(name, priority) }
        addConsumer(job, of: first, repeat each rest, at: Site(fileID, line))
        return job
    }

    /// Adds an asynchronous closure that is handed the values of other jobs; otherwise as its synchronous counterpart.
    @inlinable
    @discardableResult
    public func addJob<First: Sendable, each Rest: Sendable, Success: Sendable>(
        name: String? = nil, priority: Job.QueuePriority = .normal, after first: ResultJob<First>, _ rest: repeat ResultJob<each Rest>,
        body: @escaping @Sendable (First, repeat each Rest) async throws -> Success, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResultJob<Success> {
        let job = ResultJob(name: name, priority: priority) { () async throws -> Success in
            try await body(try first.knownValue(), repeat try (each rest).knownValue())
        }
        addConsumer(job, of: first, repeat each rest, at: Site(fileID, line))
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
        addNew(job, waitingFor: [], at: Site(fileID, line))
        return job
    }

    /// Adds a barrier: a job that starts when all that was added before it has ended, and before anything that is added after it. O(1).
    @discardableResult
    public func addBarrierBlock(
        _ body: @escaping @Sendable () throws -> Void, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResultJob<Void> {
        let job = ResultJob(body)
        job.becomeBarrier()
        addNew(job, waitingFor: [], at: Site(fileID, line))
        return job
    }

    /// Adds a job that nobody else knows: nothing can be waiting for it, so it cannot be refused.
    @usableFromInline
    func addNew(_ job: Job, waitingFor dependencies: [Job], at site: Site) {
        if dependencies.isEmpty {
            do throws(JobError) { try engine.add(unknown: job, at: site) } catch { job.end(error: error) }
        } else {
            addNew(job, at: site) { job throws(JobError) in for dependency in dependencies { try job.addDependency(dependency) } }
        }
    }

    /// As `addNew`, for a job that is handed the values of others.
    @inlinable
    func addConsumer<First: Sendable, each Rest: Sendable>(
        _ job: Job, of first: ResultJob<First>, _ rest: repeat ResultJob<each Rest>, at site: Site
    ) {
        addNew(job, at: site) { job throws(JobError) in
            try job.addDependency(first, requiring: .succeeded)
            repeat try job.addDependency(each rest, requiring: .succeeded)
        }
    }

    /// As `addNew`, for a job that gets its dependencies by `linking`.
    @usableFromInline
    func addNew(_ job: Job, at site: Site, linking: (Job) throws(JobError) -> Void) {
        do throws(JobError) {
            try linking(job)
            try engine.add(job, at: site)
        } catch {
            job.end(error: error)
        }
    }
}
