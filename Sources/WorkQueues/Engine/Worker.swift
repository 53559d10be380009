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
        case tell(Unmanaged<Job>)
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
        case .tell(let job):
            context.role = role
            intention = engine.tellOfEnd(job.takeUnretainedValue(), context) ? .complete(job) : .look
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
        case .finishLeaving: engine.seeToNewcomers(of: &leaving, context)
        case .start(let job, let stamp):
            come(from: .job, as: .site, context)
            if job._withUnsafeGuaranteedRef({ engine.run($0, stamp: stamp, context) }) { end(job, context) }
        case .end(let job):
            come(from: .job, as: .site, context)
            end(job, context)
        case .segment(let job):
            come(from: .segment, as: .segment, context)
            context.runSegment(on: engine) { job.runSynchronously(on: engine.asUnownedTaskExecutor()) }
        case .ask(let job):
            come(from: .ask, as: .site, context)
            engine.ask(job, context)
        case .errand(let errand):
            come(from: .errand, as: .errand, context)
            if let job = engine.perform(errand, context) { end(job, context) }
        }
    }

    @inline(__always)
    private mutating func come(from previous: Previous, as role: ThreadContext.Role, _ context: ThreadContext) {
        self.previous = previous
        self.role = role
        context.role = role
    }

    /// Goes on with the end of a job whose outcome is fixed.
    @inline(__always)
    private mutating func end(_ job: Unmanaged<Job>, _ context: ThreadContext) {
        job._withUnsafeGuaranteedRef { reference in
            if reference.jobState.hasExtras {
                intention = .tell(job)
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
