// What the package remembers of a thread: the job whose turn it is there.

import SchedulingCore

/// The state of one thread that runs jobs.
///
/// Only its own thread touches it, so nothing in it is locked or atomic.
package final class ThreadContext {
    private static let local = ThreadLocal<ThreadContext>()

    static var current: ThreadContext? { local.value }
    static var currentOrNew: ThreadContext { local.value(orMake: ThreadContext.init) }

    /// The context of this thread if it is the turn of `job` here.
    @inline(__always)
    static func current(ofTurnOf job: Job) -> Unmanaged<ThreadContext>? {
        guard let context = local.unmanaged, let running = context._withUnsafeGuaranteedRef({ $0.job }),
            running.toOpaque() == Unmanaged.passUnretained(job).toOpaque()
        else { return nil }
        return context
    }

    /// How far the job on this thread is.
    enum Stage {
        /// The engine is about to call `start()`.
        case turn
        /// The engine is about to call `start()` of a job that was cancelled before its turn.
        case cancelledTurn
        /// The base `start()` was reached and runs `main()`.
        case inMain
        /// `main()` returned, so the job ends when `start()` returns.
        case mainReturned
        /// Observers and completions of the job's end run.
        case ending
    }

    /// The job in whose `start()`, body or completions this thread is; whoever runs it holds it.
    private(set) var job: Unmanaged<Job>?
    var stage = Stage.turn
    /// The queue whose worker this thread is at the moment.
    private(set) var engine: Unmanaged<QueueEngine>?

    /// What kind of worker this thread is.
    enum Role {
        /// It runs a job, or none of the package's work.
        case site
        case segment
        case errand
    }
    var role = Role.site

    /// Objects that wait to be released, see `ReleaseList`.
    let releases = ReleaseList()
    /// Empty debts for the next departure on this thread; their storage is used again.
    private var spareDebts: UnsafeMutablePointer<Departure.Debts>?

    deinit { spareDebts.map(Self.free) }

    func takeDebts() -> UnsafeMutablePointer<Departure.Debts> {
        if let spare = spareDebts.take() { return spare }
        let made = UnsafeMutablePointer<Departure.Debts>.allocate(capacity: 1)
        made.initialize(to: Departure.Debts())
        return made
    }

    func giveBack(_ debts: UnsafeMutablePointer<Departure.Debts>) {
        debts.pointee.clear(self)
        if spareDebts == nil { spareDebts = debts } else { Self.free(debts) }
    }

    private static func free(_ debts: UnsafeMutablePointer<Departure.Debts>) {
        debts.deinitialize(count: 1)
        debts.deallocate()
    }

    /// Runs `body` as the turn of `job`, and restores what was before: a job may be run inside another one's body.
    @inline(__always)
    func run(_ job: Job, on engine: QueueEngine?, stage: Stage, _ body: () -> Void) -> Stage {
        let outer = (self.job, self.stage, self.engine)
        self.job = Unmanaged.passUnretained(job)
        self.stage = stage
        if let engine { self.engine = Unmanaged.passUnretained(engine) }
        body()
        let reached = self.stage
        (self.job, self.stage, self.engine) = outer
        return reached
    }

    /// Blocks this thread. A worker that is stuck in an errand or a segment makes room for another one meanwhile.
    func block(_ signal: Signal, at place: (any Workplace)?) {
        guard let engine = engine?.takeUnretainedValue(), role != .site else { return signal.block(at: place) }
        let role = role
        engine.decide { state, _ in state.machine.staffing.workerBlocks(inSegment: role == .segment) }
        signal.block(at: place)
        engine.decide { state, _ in state.machine.staffing.workerGoesOn(inSegment: role == .segment) }
        self.role = role
    }

    /// Lets `body` run other workers' steps on this thread, which is inside a wait.
    package static func borrow(_ body: () -> Void) {
        let context = currentOrNew
        let role = context.role
        context.runSegment(on: nil, body)
        context.role = role
    }

    /// Runs a segment of a task: on a worker, but in no synchronous turn.
    @inline(__always)
    func runSegment(on engine: QueueEngine?, _ body: () -> Void) {
        let outer = (job, stage, self.engine)
        (job, self.engine) = (nil, engine.map { Unmanaged.passUnretained($0) })
        body()
        (job, stage, self.engine) = outer
    }
}
