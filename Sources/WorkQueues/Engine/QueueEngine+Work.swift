// What a worker finds when it looks, and the doing of it; `Worker` is the one who looks.

import SchedulingCore
import Synchronization

/// Work that needs no slot.
enum Errand {
    /// End a job that was cancelled, or ended itself, before it was started.
    case unstarted(Unmanaged<Job>)
    /// End closure jobs that were cancelled together.
    case sweep([Unmanaged<Job>])
    /// Ask `isReady`; holds the job, which may end meanwhile.
    case ask(Job)
    /// Go on delivering a job's news.
    case news(Job)
    /// Find out whether anything could still get the queue going.
    case lookForStall
}

/// What a worker found to do.
enum Assignment {
    case start(Unmanaged<Job>, Notice)
    case end(Unmanaged<Job>)
    case segment(UnownedJob)
    /// Ask `isReady` of the job that is first in the ready order.
    case ask(Job)
    case errand(Errand)
    /// The leaving job got extras or edges meanwhile, which come first, or does not end alone any more.
    case finishLeaving
    case goHome
}

/// What a worker comes from when it looks.
enum Previous {
    case outside, job, ask, errand, sweep
    /// A segment, and the job whose body ended in it, if any.
    case segment(ended: Unmanaged<Job>?)
}

extension QueueEngine.Guarded {
    /// A registered job will never begin: a worker ends it, unless one does already.
    mutating func end(unstarted job: Job) {
        if machine.mustEnd(job.handle) { enlist(.unstarted(Unmanaged.passUnretained(job))) }
    }

    /// As the other one, for jobs that were cancelled one after the other. Closures, which have no `start()` of their own, are swept out
    /// together.
    mutating func end(unstarted jobs: [Unmanaged<Job>]) {
        var swept: [Unmanaged<Job>] = []
        swept.reserveCapacity(jobs.count)
        for reference in jobs {
            reference._withUnsafeGuaranteedRef { job in
                guard machine.mustEnd(job.handle) else { return }
                if job.isBareClosure { return swept.append(reference) }
                if !swept.isEmpty { enlist(.sweep(swept)) }
                swept = []
                enlist(.unstarted(reference))
            }
        }
        if !swept.isEmpty { enlist(.sweep(swept)) }
    }

    /// A job that holds a slot ended: a worker does the rest.
    mutating func appendEnd(of job: Unmanaged<Job>) {
        ends.append(job)
        machine.staffing.ends += 1
    }

    mutating func enlist(_ errand: Errand) {
        errands.append(errand)
        machine.staffing.errands += 1
    }

    /// The bodies of the jobs that were swept out are gone.
    fileprivate mutating func endSweep() {
        machine.staffing.errandWorkers -= 1
        sweeps -= 1
        if machine.jobCount == 0 { mayHaveBecomeIdle = true }
    }
}

extension QueueEngine {
    func enlist(_ errand: Errand) { decide { state, _ in state.enlist(errand) } }

    /// One look: books what the worker comes from, lets a finished job leave, and finds what is next, all in one critical section.
    @inline(__always)
    func look(as crew: Crew, isFirst: Bool, from previous: Previous, _ leaving: inout Departure?, _ context: ThreadContext) -> Assignment {
        let (assignment, idleness) = decideKeepingIdleness { state, orders -> Assignment in
            if leaving != nil && !state.letLeave(&leaving, &orders, engine: self) { return .finishLeaving }
            switch previous {
            case .outside where crew == .site: state.machine.staffing.siteOnTheirWay -= 1
            case .outside: state.machine.staffing.errandsOnTheirWay -= 1
            case .segment(let ended):
                state.machine.staffing.segmentWorkers -= 1
                if let ended { state.appendEnd(of: ended) }
            case .errand: state.machine.staffing.errandWorkers -= 1
            case .sweep: state.endSweep()
            case .job, .ask: break
            }
            switch previous {
            case .job, .segment, .errand: if crew == .site && givesWayAfterEachJob { return state.goHome(crew, isFirst) }
            case .outside, .ask, .sweep: break
            }
            return state.next(for: crew, hub: hub) ?? state.goHome(crew, isFirst)
        }
        if case .finishLeaving = assignment {
            if let idleness { announce(idleness) }
            return assignment
        }
        if leaving != nil { finishDeparture(&leaving, context) }
        if let idleness { announce(idleness) }
        return assignment
    }
}

extension QueueEngine.Guarded {
    fileprivate mutating func goHome(_ crew: Crew, _ isFirst: Bool) -> Assignment {
        if isFirst { hasFirst[crew == .site ? 0 : 1] = false }
        if crew == .site && setWidth < 0 && machine.claimable == 0 {
            automatic.becameIdle(busy: machine.executing)
            machine.setWidth(automatic.width)
        }
        return .goHome
    }

    /// Ends of jobs come first, because they free slots; then segments, whose jobs hold theirs; then the ready jobs.
    @inline(__always)
    fileprivate mutating func next(for crew: Crew, hub: EventHub) -> Assignment? {
        if crew == .errands {
            guard let errand = nextErrand() else { return nil }
            machine.staffing.errandWorkers += 1
            pacing.errandsTaken += 1
            return .errand(errand)
        }
        if let job = ends.popFirst() {
            machine.staffing.ends -= 1
            return .end(job)
        }
        if machine.admitsSegment, let segment = segments.popFirst() {
            machine.staffing.segments -= 1
            machine.staffing.segmentWorkers += 1
            return .segment(segment)
        }
        while let claim = machine.claim() {
            switch claim {
            case .ask(let handle): return .ask(registeredJob(handle))
            case .job(let handle):
                let reference = reference(handle)
                if let notice = reference._withUnsafeGuaranteedRef({ $0.claim(on: hub) }) { return .start(reference, notice) }
                // An edge was added in time, or the job was cancelled, and whoever did that hands it on; unless the edge is gone again.
                machine.unclaim(handle)
                place(registeredJob(handle))
            }
        }
        return nil
    }

    private mutating func nextErrand() -> Errand? {
        if let errand = errands.popFirst() {
            machine.staffing.errands -= 1
            return errand
        }
        guard machine.wantsAsking, let handle = machine.takeUnasked() else { return nil }
        return .ask(registeredJob(handle))
    }
}

// MARK: - Doing the work

extension QueueEngine {
    /// What became of a job whose turn it was.
    enum Turn {
        /// It goes on without this thread.
        case goesOn
        /// Its body returned, and nobody else has a part in its end.
        case endsAlone
        /// Its outcome is fixed, and this is to be told of it.
        case finished(Notice)
    }

    /// Runs a claimed job.
    @inline(__always)
    func run(_ job: Job, _ notice: Notice, _ context: ThreadContext) -> Turn {
        job.noteStart(now: coarseNow())
        announceStart(of: job, notice)
        if job.isBareClosure {
            _ = context.run(job, on: self, stage: .inMain) { job.runClosure() }
        } else {
            let stage = context.run(job, on: self, stage: .turn) { job.start() }
            guard stage == .mainReturned else { return job.update { $0.leaveStart() } == .continues ? .goesOn : .finished(Notice()) }
        }
        return job.jobState.endsAlone && !hub.isObserved ? .endsAlone : .finished(job.fixOutcomeOfTurn(on: self))
    }

    /// Runs a claimed job to its end on a thread that waits for it.
    func runNested(_ reference: Unmanaged<Job>, _ notice: Notice) {
        let context = ThreadContext.currentOrNew
        let role = context.role
        defer { context.role = role }
        context.role = .site
        let job = reference.takeUnretainedValue()
        var leaving: Departure? =
            switch run(job, notice, context) {
            case .goesOn: nil
            case .endsAlone: departureAlone(of: job)
            case .finished(let notice): endNested(job, notice, context)
            }
        while let leaver = leaving {
            let (hasLeft, idleness) = decideKeepingIdleness { state, orders in state.letLeave(&leaving, &orders, engine: self) }
            if hasLeft {
                finishDeparture(&leaving, context)
                if let idleness { announce(idleness) }
            } else if leaver.isFinished {
                seeToNewcomers(of: &leaving, context)
            } else {
                leaving = endNested(job, job.fixOutcomeOfTurn(on: self), context)
            }
        }
    }

    /// The steps between the outcome and the departure. Nil if another thread takes them.
    private func endNested(_ job: Job, _ notice: Notice, _ context: ThreadContext) -> Departure? {
        if (notice.isDirect || job.jobState.hasExtras) && !tellOfEnd(job, notice, context) { return nil }
        let hasExtras = job.jobState.hasExtras
        if hasExtras { while runNextCompletion(of: job, context) {} }
        return departure(of: job, extrasDone: hasExtras, context)
    }

    /// Runs one completion. False if there was none left.
    func runNextCompletion(of job: Job, _ context: ThreadContext) -> Bool {
        var hasRun = false
        _ = context.run(job, on: self, stage: .ending) { hasRun = job.runNextCompletion() }
        return hasRun
    }

    /// The completions have run: lets go of what the work needed, and does the graph's part of step 3.
    @inline(__always)
    func departure(of job: Job, extrasDone: Bool, _ context: ThreadContext) -> Departure {
        job.letGo()
        var departure = Departure(job: job, extrasDone: extrasDone)
        if job.jobState.hasNode { job.resolveEdges(into: &departure, engine: self, context) }
        if extrasDone { addLenders(to: &departure, context) }
        return departure
    }

    /// The body of a job has returned in whose end nobody has a part: it is to finish when it leaves.
    @inline(__always)
    func departureAlone(of job: Job) -> Departure {
        job.releaseBody()
        var departure = Departure(job: job, extrasDone: false)
        departure.isFinished = false
        return departure
    }

    private func addLenders(to departure: inout Departure, _ context: ThreadContext) {
        let lenders = departure.job._withUnsafeGuaranteedRef { $0.lenders(on: self) }
        if lenders.isEmpty { return }
        departure.debtsOrNew(context).pointee.lenders = lenders
    }

    /// Completions or edges were attached to a leaving job after it was wrapped up. What it owes from then stays owed.
    func seeToNewcomers(of leaving: inout Departure?, _ context: ThreadContext) {
        guard var departure = leaving else { return }
        let job = departure.job.takeUnretainedValue()
        if job.jobState.hasExtras {
            while runNextCompletion(of: job, context) {}
            job.letGo()
            departure.extrasDone = true
            addLenders(to: &departure, context)
        }
        if job.jobState.hasNode && !departure.nodeDone { job.resolveEdges(into: &departure, engine: self, context) }
        leaving = departure
    }

    /// Does an errand. Returns a job whose end goes on.
    func perform(_ errand: Errand, _ context: ThreadContext) -> Unmanaged<Job>? {
        switch errand {
        case .news(let job):
            var meetsEnd = false
            let stage = job.jobState.isFinished ? ThreadContext.Stage.ending : .inMain
            _ = context.run(job, on: self, stage: stage) { meetsEnd = job.continueDelivery(on: self) }
            return meetsEnd ? Unmanaged.passUnretained(job) : nil
        case .ask(let job):
            ask(job, context)
            return nil
        case .lookForStall:
            lookForStall()
            return nil
        case .sweep(let jobs):
            sweep(jobs)
            return nil
        case .unstarted(let reference):
            return reference._withUnsafeGuaranteedRef { endUnstarted($0, context) } ? reference : nil
        }
    }

    /// Ends closures that were cancelled before they began and in whose end nobody else has a part: all leave in one step, and then their
    /// bodies are let go of. The queue is idle only after that, see `endSweep`. The others are ended one by one.
    private func sweep(_ jobs: consuming [Unmanaged<Job>]) {
        decide { state, _ in
            jobs.removeAll { reference in
                let isGone = reference._withUnsafeGuaranteedRef { state.letLeaveAlone($0, engine: self) }
                if !isGone { state.enlist(.unstarted(reference)) }
                return !isGone
            }
            state.sweeps += 1
        }
        for job in jobs {
            job._withUnsafeGuaranteedRef { $0.releaseBody() }
            job.release()
        }
    }

    /// Asks `isReady` of a job that has its place in the order, off every lock, and books the answer.
    func ask(_ job: Job, _ context: ThreadContext) {
        var isBooked = false
        while !isBooked {
            let posts = job.jobState.posts
            context.runSegment(on: self) { job.askWhetherReady(on: self) }
            isBooked = decide { state, _ in
                if job.handle == .none { return true }
                let word = job.jobState
                // A post that came by after the answer found the job being asked, and left it to this thread.
                if word.awaitsAnswer && word.posts != posts { return false }
                if word.phase == .ready { state.machine.becameReady(job.handle) } else { state.machine.mustWait(job.handle) }
                return true
            }
        }
        job.deliverNews(as: .worker, on: self)
    }

    /// Begins the end of a job that never began; false if it works after all. A cancelled one still gets its `start()`, so that a subclass
    /// can do its bookkeeping.
    private func endUnstarted(_ job: Job, _ context: ThreadContext) -> Bool {
        job.deliverNews(as: .worker, on: self)
        if job.update({ $0.enterCancelledStart() }) {
            _ = context.run(job, on: self, stage: .cancelledTurn) { job.start() }
            if !job.jobState.isFinished && job.isExecuting {
                Misuse.report(
                    "\(job) was cancelled before it began, yet its start() began to work.",
                    cause: "an override of start() that does not look at isCancelled.",
                    remedy: "begin start() with: if isCancelled { post isFinished and return }.")
                // It takes its slot before its phase says that it executes, or its end could come first.
                job.noteStart(now: coarseNow())
                decide { state, _ in state.machine.worksDespiteCancellation(job.handle) }
                if job.update({ $0.workDespiteCancellation() }) == .continues { return false }
            } else {
                _ = job.fixOutcome(error: nil, on: self)
            }
        }
        return true
    }
}

// MARK: - Handing over

extension QueueEngine {
    /// An executing job ended away from its worker: a worker does the rest.
    func handOver(end job: Job) {
        decide { state, _ in state.appendEnd(of: Unmanaged.passUnretained(job)) }
    }

    /// A job that has not begun was cancelled or ended itself: a worker ends it, whatever the slots and the suspension.
    func handOver(unstarted job: Job) {
        // The hand-over may be what lets the queue become idle and go; the caller's reference keeps the engine until the lock is free.
        decide { state, _ in
            if job.handle == .none {
                job.word.bitwiseOr(JobState.markEndOnArrival, ordering: .sequentiallyConsistent)
                // Its producer may have looked for the mark before it was there: then the job is in the intake by now.
                self.takeIn(&state)
            } else {
                state.end(unstarted: job)
            }
        }
    }

    /// As the other one, for registered jobs, some at a time; empties the list.
    func handOver(unstarted jobs: inout [Unmanaged<Job>]) {
        if jobs.isEmpty { return }
        decide { state, _ in state.end(unstarted: jobs) }
        jobs.removeAll(keepingCapacity: true)
    }

    /// A job's last obstacle went away, or `isReady` must be asked again: it takes its place.
    func place(_ job: Job) {
        decide { state, _ in state.place(job) }
        job.deliverNews(as: .foreign, on: self)
    }

    func priorityChanged(_ job: Job) {
        decide { state, _ in
            guard job.handle != .none else { return }
            state.machine.setLane(job.handle, to: job.queuePriority.lane)
        }
    }
}

extension QueueEngine.Guarded {
    mutating func place(_ job: Job) {
        if job.handle == .none { return }
        let word = job.jobState
        if word.isCancelled || word.isEndOwed { return }
        if word.phase == .ready {
            machine.becameReady(job.handle)
        } else if word.awaitsAnswer {
            machine.mustBeAsked(job.handle)
        }
    }
}
