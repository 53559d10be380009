// A worker: it looks for work, does it, and looks again.

import SchedulingCore

/// One worker of a queue, from being summoned to going home.
///
/// It goes by steps: a look, which is one critical section; a body, or a segment of one; the news of an end; a completion. Nothing is
/// decided between two steps of one worker, so whoever takes the steps of several workers in turns, on one thread, meets every order of
/// events that threads could produce, but for what happens inside a step.
package struct Worker: ~Copyable {
    /// What the next step is.
    private enum Intention {
        case look
        case perform(Assignment)
        /// Tell of the end of a job that has observers or completions.
        case tell(Unmanaged<Job>, Notice)
        /// Run the next completion of a job that ended.
        case complete(Unmanaged<Job>)
    }

    package let engine: QueueEngine
    package let crew: Crew
    private let isFirst: Bool
    private var intention = Intention.look
    private var previous = Previous.outside
    private var leaving: Departure?
    /// What the thread counts as during the work, and while the job's end goes on.
    private var role = ThreadContext.Role.site

    package init(of engine: QueueEngine, as crew: Crew, isFirst: Bool) {
        self.engine = engine
        self.crew = crew
        self.isFirst = isFirst
    }

    /// Whether the next step lets a job leave.
    package var isLeaving: Bool { leaving != nil }

    /// Takes one step; false when there is nothing to do any more and the worker is gone.
    package mutating func step() -> Bool { step(ThreadContext.currentOrNew) }

    /// As `step()`, on the thread of this context.
    @inline(__always)
    mutating func step(_ context: ThreadContext) -> Bool {
        switch exchange(&intention, with: .look) {
        case .look:
            let assignment = engine.look(as: crew, isFirst: isFirst, from: previous, &leaving, context)
            if case .goHome = assignment {
                context.role = .site
                return false
            }
            intention = .perform(assignment)
        case .perform(let assignment):
            perform(assignment, context)
        case .tell(let job, let notice):
            context.role = role
            if job._withUnsafeGuaranteedRef({ engine.tellOfEnd($0, notice, context) }) { goOn(job, context) }
        case .complete(let job):
            context.role = role
            let job = job.takeUnretainedValue()
            if engine.runNextCompletion(of: job, context) {
                intention = .complete(Unmanaged.passUnretained(job))
            } else {
                leaving = engine.departure(of: job, extrasDone: true, context)
            }
        }
        return true
    }

    @inline(__always)
    private mutating func perform(_ assignment: Assignment, _ context: ThreadContext) {
        switch assignment {
        case .goHome: break
        case .finishLeaving: finishLeaving(context)
        case .start(let job, let notice):
            come(from: .job, as: .site, context)
            switch job._withUnsafeGuaranteedRef({ engine.run($0, notice, context) }) {
            case .goesOn: break
            case .endsAlone: leaving = job._withUnsafeGuaranteedRef { engine.departureAlone(of: $0) }
            case .finished(let notice): end(job, notice, context)
            }
        case .end(let job):
            come(from: .job, as: .site, context)
            end(job, Notice(), context)
        case .segment(let job):
            come(from: .segment(ended: nil), as: .segment, context)
            context.runSegment(on: engine) { job.runSynchronously(on: engine.asUnownedTaskExecutor()) }
            if let ended = context.takeEnded() { previous = .segment(ended: ended) }
        case .ask(let job):
            come(from: .ask, as: .site, context)
            engine.ask(job, context)
        case .errand(let errand):
            if case .sweep = errand { come(from: .sweep, as: .errand, context) } else { come(from: .errand, as: .errand, context) }
            if let job = engine.perform(errand, context) { end(job, Notice(), context) }
        }
    }

    @inline(__always)
    private mutating func come(from previous: Previous, as role: ThreadContext.Role, _ context: ThreadContext) {
        self.previous = previous
        self.role = role
        context.role = role
    }

    /// The job could not leave as it was about to.
    private mutating func finishLeaving(_ context: ThreadContext) {
        guard let job = leaving?.job, leaving?.isFinished == false else { return engine.seeToNewcomers(of: &leaving, context) }
        leaving = nil
        end(job, job._withUnsafeGuaranteedRef { $0.fixOutcomeOfTurn(on: engine) }, context)
    }

    /// Goes on with the end of a job whose outcome is fixed.
    @inline(__always)
    private mutating func end(_ job: Unmanaged<Job>, _ notice: Notice, _ context: ThreadContext) {
        job._withUnsafeGuaranteedRef { reference in
            if notice.isDirect || reference.jobState.hasExtras {
                intention = .tell(job, notice)
            } else {
                leaving = engine.departure(of: reference, extrasDone: false, context)
            }
        }
    }

    /// The news of the end were told.
    private mutating func goOn(_ job: Unmanaged<Job>, _ context: ThreadContext) {
        job._withUnsafeGuaranteedRef { reference in
            if reference.jobState.hasExtras {
                intention = .complete(job)
            } else {
                leaving = engine.departure(of: reference, extrasDone: false, context)
            }
        }
    }
}

extension QueueEngine {
    /// The life of a worker on a thread.
    package func work(as crew: Crew, isFirst: Bool) {
        let context = ThreadContext.currentOrNew
        var worker = Worker(of: self, as: crew, isFirst: isFirst)
        while worker.step(context) {}
    }
}
