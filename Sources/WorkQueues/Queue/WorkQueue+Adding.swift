// Adding jobs.

import SchedulingCore
import Synchronization

extension WorkQueue {
    /// Adds a job. It starts when its dependencies are met, a slot is free, and its turn has come.
    ///
    /// - Throws: `.alreadyAdded`, `.alreadyStarted` or `.alreadyFinished` for a job that was used before; `.dependencyCycle` if the job
    ///   would close a ring through a barrier or a wait under way. Then nothing was changed.
    /// - Parameters:
    ///   - fileID, line: Where the job is added, for explanations.
    public func addJob(_ job: Job, fileID: StaticString = #fileID, line: UInt = #line) throws(JobError) {
        try engine.add(job, at: Site(fileID, line))
    }

    /// Adds jobs in one step: none of them starts before all are in. Their dependencies may stand in any order.
    ///
    /// - Throws: As `addJob(_:)`, if one of them is refused or stands in the list twice; then none was added.
    public func addJobs(_ jobs: [Job], fileID: StaticString = #fileID, line: UInt = #line) throws(JobError) {
        try engine.add(jobs, at: Site(fileID, line))
    }

    /// Adds jobs in one step and, if asked to, blocks the calling thread until they have ended.
    ///
    /// - Throws: As `addJobs(_:)`, and `.wouldDeadlock` if the wait could never end; the jobs are added then.
    @available(*, noasync)
    public func addJobs(
        _ jobs: [Job], waitUntilFinished: Bool, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(JobError) {
        try addJobs(jobs, fileID: fileID, line: line)
        guard waitUntilFinished else { return }
        for job in jobs { try JobWait(for: job).block() }
    }
}

extension QueueEngine {
    /// Adds jobs in one step, or none of them.
    func add(_ jobs: [Job], at site: Site) throws(JobError) {
        // Stamped before anything can happen to them in the queue.
        let stamps = hub.isObserved ? jobs.map { _ in hub.stamp() } : []
        var arrivals: [Arrival] = []
        do throws(JobError) {
            for job in jobs { arrivals.append(try accept(job, at: site)) }
            try DependencyRegistry.shared.check(jobs, addedTo: self)
        } catch {
            withdraw(jobs[..<arrivals.count])
            for (job, arrival) in zip(jobs, arrivals) where arrival.holdsNews { job.releaseNews(as: .foreign, on: nil) }
            throw error
        }
        for (index, stamp) in stamps.enumerated() { announceAddition(of: jobs[index], stamp: stamp, arrivals[index]) }
        do throws(JobError) { try push(jobs) } catch {
            withdraw(jobs)
            throw error
        }
    }

    /// Adds one job; the common case, without the array.
    func add(_ job: Job, at site: Site) throws(JobError) {
        if goesLongWay(job) { return try add([job], at: site) }
        let stamp = hub.isObserved ? hub.stamp() : 0
        let arrival = try accept(job, at: site)
        if stamp != 0 {
            announceAddition(of: job, stamp: stamp, arrival)
        } else if arrival.holdsNews {
            // An observer came just now, and hears of what happens from here on.
            job.releaseNews(as: .foreign, on: self)
        }
        try pushOne(job)
    }

    /// Adds a job without dependencies that nobody but the caller has a reference to: nothing can change its word meanwhile.
    func add(unknown job: Job, at site: Site) throws(JobError) {
        var state = JobState(rawValue: job.word.load(ordering: .relaxed))
        guard !goesLongWay(job), state.reserve() == .reserved, state.accept(isPlain: job.isPlain) == .ready
        else { return try add(job, at: site) }
        fill(job, at: site)
        job.word.store(state.rawValue, ordering: .relaxed)
        if hub.isObserved { announceAddition(ofUnknown: job) }
        try pushOne(job)
    }

    /// Whether the order of adding matters to the graph.
    @inline(__always)
    private func goesLongWay(_ job: Job) -> Bool { job.isBarrier || intake.isGateShut }

    /// Puts one accepted job where workers find it.
    @inline(__always)
    private func pushOne(_ job: Job) throws(JobError) {
        let push = intake.push(job)
        if push == .refused {
            // The gate was shut just now; the job goes the long way.
            do throws(JobError) { try self.push([job]) } catch {
                withdraw(CollectionOfOne(job))
                throw error
            }
            return
        }
        let state = JobState(rawValue: job.word.load(ordering: .sequentiallyConsistent))
        // Who meets the last edge of a job goes through the funnel after that; nobody need look before, unless it is to be noticed that
        // nobody ever will.
        if mustBeLooked(at: job, state) || ((state.unmetEdges == 0 || !stallObservers.isEmpty) && takesBell) {
            decide { _, _ in }
        } else if push == .crowded {
            relieveIntake()
        }
    }

    /// How a job came in.
    private struct Arrival {
        /// It was ready as it came; one that became so later has been noted by who made it so.
        var isReady: Bool
        /// Its news wait until `added` was told.
        var holdsNews: Bool
    }

    /// Accepts a job: from here on it is the queue's, though not yet in the intake.
    private func accept(_ job: Job, at site: Site) throws(JobError) -> Arrival {
        try reserve(job)
        let holdsNews = hub.isObserved && job.holdNews()
        fill(job, at: site)
        switch job.update({ $0.accept(isPlain: job.isPlain) }) {
        case .accepted: return Arrival(isReady: false, holdsNews: holdsNews)
        case .ready: return Arrival(isReady: true, holdsNews: holdsNews)
        case .alreadyFinished:
            withdraw(CollectionOfOne(job))
            if holdsNews { job.releaseNews(as: .foreign, on: nil) }
            throw .alreadyFinished(job, "it cannot be added")
        case .alreadyStarted:
            withdraw(CollectionOfOne(job))
            if holdsNews { job.releaseNews(as: .foreign, on: nil) }
            throw .alreadyStarted(job, "it cannot be added")
        }
    }

    /// Writes what a job knows of its queue, and takes the queue's reference. The word says that nobody else may write these now, and that
    /// nobody reads them yet.
    @inline(__always)
    private func fill(_ job: Job, at site: Site) {
        let reference = Unmanaged.passRetained(job)
        reference._withUnsafeGuaranteedRef { job in
            job.engine = Unmanaged.passUnretained(self)
            job.queueID = id
            job.noteAdding(at: site, now: coarseNow())
        }
    }

    /// Tells observers of a job that nothing can refuse any more, before it can be claimed.
    private func announceAddition(of job: Job, stamp: UInt64, _ arrival: Arrival) {
        if arrival.holdsNews && !job.jobState.hasExtras {
            // This thread is the deliverer, and until now nobody left it anything.
            hub.deliver(.added, stamp: stamp, job: job)
            let stamp = arrival.isReady ? job.stampOfReady(on: hub) : nil
            if let stamp { hub.deliver(.ready, stamp: stamp, job: job) }
            job.releaseNews(as: .foreign, on: self)
            if stamp != nil { return }
        } else {
            job.queueNews([.event(.added)], stamp: stamp)
            if arrival.holdsNews { job.releaseNews(as: .foreign, on: self) } else { job.deliverNews(as: .foreign, on: self) }
        }
        guard arrival.isReady else { return }
        job.extrasOrNew.contents.withLock { contents in
            // It may have ended itself meanwhile, and then it is ready no more.
            if job.jobState.phase == .ready { contents.letters.append(.news(.event(.ready), stamp: hub.stamp())) }
        }
        job.deliverNews(as: .foreign, on: self)
    }

    /// As the other one, for a ready job that nobody but the caller knows: no other thread can have news of it.
    private func announceAddition(ofUnknown job: Job) {
        hub.deliver(.added, and: .ready, firstStamp: hub.stamp(count: 2), job: job)
    }

    private func reserve(_ job: Job) throws(JobError) {
        switch job.update({ $0.reserve() }) {
        case .reserved: return
        case .alreadyAdded: throw .alreadyAdded(job)
        case .alreadyStarted: throw .alreadyStarted(job, "it cannot be added")
        case .alreadyFinished: throw .alreadyFinished(job, "it cannot be added")
        }
    }

    /// Puts accepted jobs where workers find them, in one step, and sees to it that somebody looks.
    private func push(_ jobs: [Job]) throws(JobError) {
        let hasBarrier = jobs.contains(where: { $0.isBarrier })
        var push = hasBarrier ? Intake.Push.refused : intake.push(chain: jobs)
        if push == .refused { push = try DependencyRegistry.shared.add(jobs, to: self) }
        if takesBell || jobs.contains(where: { mustBeLooked(at: $0, $0.jobState) }) {
            decide { _, _ in }
        } else if push == .crowded {
            relieveIntake()
        }
    }

    /// Whoever cancelled a job before it was in the intake left a mark on it, and found it missing; and one that must be asked is asked
    /// also while nothing can start.
    @inline(__always)
    private func mustBeLooked(at job: Job, _ state: JobState) -> Bool {
        state.endsOnArrival || (!job.isPlain && state.awaitsAnswer)
    }

    /// Whether the caller is the one who must have a worker summoned.
    @inline(__always)
    var takesBell: Bool {
        bell.load(ordering: .sequentiallyConsistent) && bell.exchange(false, ordering: .sequentiallyConsistent)
    }

    /// Gives accepted jobs back, of which one was refused.
    private func withdraw(_ jobs: some Sequence<Job>) {
        for job in jobs {
            if job.update({ $0.withdraw() }) { job.endInNoQueue() }
            Unmanaged.passUnretained(job).release()
        }
    }
}
