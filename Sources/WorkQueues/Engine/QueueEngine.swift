// The engine of a queue: its machine, the lock around it, and the funnel through which every event goes.

import Dispatch
import SchedulingCore
import Synchronization

/// Runs the jobs of one queue.
///
/// Everything that happens goes through `decide`: lock, tell the machine, unlock, pay what is owed. See `README.md` beside this file
/// for the words, the protocols, and why nothing is ever forgotten.
package final class QueueEngine: TaskExecutor, @unchecked Sendable {
    // Unchecked for `barrierCount` alone, which belongs to the lock of the dependency graph.

    /// Names the queue in the directory.
    private(set) var id: UInt64 = 0
    let intake = Intake()
    /// Whether a producer must summon a worker: a job could start, and nobody is going to look.
    let bell = Atomic(false)
    /// How often the queue has had a first worker of its site crew come.
    private let awakenings = Atomic<UInt>(0)
    let guarded: Locked<Guarded>
    let hub: EventHub
    let stallObservers = StallObservers()
    let place: any Workplace
    /// What `place` says of itself; asked after each job.
    let givesWayAfterEachJob: Bool
    let time: any TimeSource
    /// Whether `time` is the system's.
    private let isOnSystemTime: Bool
    let underlyingQueue: DispatchQueue?
    /// How many barriers the queue ever had.
    var barrierCount: UInt32 = 0
    /// The public object, which may come and go while the engine works.
    let handles = Locked(Handles())

    /// What the queue's lock guards.
    struct Guarded: ~Copyable, @unchecked Sendable {
        // Unchecked for `Unmanaged` and the raw task jobs: references that are counted by hand.
        var machine: QueueMachine
        /// Ended jobs that hold a slot and wait for a worker.
        var ends = Fifo<Unmanaged<Job>>()
        var errands = Fifo<Errand>()
        var segments = Fifo<UnownedJob>()
        /// Who waits for his slot, in the machine's order of returners.
        var returners = Fifo<Lender>()
        var idleWaiters: [Signal] = []
        /// The engine itself, while it has jobs: a queue with work keeps itself alive.
        var keepAlive: QueueEngine?
        /// A job left since the idle event was last considered.
        var mayHaveBecomeIdle = false
        /// Workers that let go of the bodies of jobs that have left; the queue is not idle before they are back.
        var sweeps = 0
        /// Whether there is no unfinished job, and nothing of the finished ones is left.
        var isIdle: Bool { machine.jobCount == 0 && sweeps == 0 }

        var name: String?
        var qualityOfService: DispatchQoS.QoSClass
        /// The width as set: -1 for the automatic one.
        var setWidth: Int
        var automatic: AutomaticWidth
        var pacing = Pacing()
        var stall = StallWatch()

        var hasFirst = [false, false]
        /// 1 while the pool has noted that this queue was refused a worker; it tells when one is to be had. The news may come before the
        /// refusal was booked, so the count may be -1 for a moment.
        var refusals = 0
        var isRefused: Bool { refusals > 0 }
    }

    init(
        name: String?, width: Int, qualityOfService: DispatchQoS.QoSClass, underlyingQueue: DispatchQueue?, isSuspended: Bool,
        place: any Workplace, time: any TimeSource
    ) {
        let automatic = AutomaticWidth(cores: Platform.availableCores)
        guarded = Locked(
            Guarded(
                machine: QueueMachine(width: width < 0 ? automatic.width : width, isSuspended: isSuspended),
                name: name, qualityOfService: qualityOfService, setWidth: width, automatic: automatic))
        hub = EventHub(time: time)
        self.place = place
        givesWayAfterEachJob = place.givesWayAfterEachJob
        self.time = time
        isOnSystemTime = time.isSystem
        self.underlyingQueue = underlyingQueue
        id = QueueDirectory.shared.register(self)
        bell.store(width != 0 && !isSuspended, ordering: .sequentiallyConsistent)
    }

    /// `coarseNow` of the queue's time. Twice per job, so the system's clock is read without a detour.
    @inline(__always)
    func coarseNow() -> UInt64 { isOnSystemTime ? Platform.coarseNanoseconds() : time.coarseNow() }

    deinit {
        QueueDirectory.shared.unregister(id)
        hub.end()
    }
}

/// Step 5 of the end of a queue's last job.
struct Idleness {
    var stamp: UInt64?
    var waiters: [Signal]
    /// Released when this goes, outside the lock.
    var keptAlive: QueueEngine?
}

/// What a critical section leaves to pay once the lock is free; most leave nothing.
struct Orders: ~Copyable {
    var siteWorkers: Int32 = 0
    var errandWorkers: Int32 = 0
    var siteFirst = false
    var errandFirst = false
    var qualityOfService = DispatchQoS.QoSClass.default
    /// What is rare, made when there is any.
    private(set) var rare: Rare?

    final class Rare {
        /// Waiters whose slot was granted.
        var returners: [Lender] = []
        /// The queue became idle.
        var idleness: Idleness?
        var pacesAt: UInt64?
        var looksForStallAt: UInt64?
    }

    var wantsWorkers: Bool { siteFirst || siteWorkers > 0 || errandFirst || errandWorkers > 0 }

    /// A waiter's slot was granted.
    mutating func grant(_ lender: Lender) {
        lender.isBack = true
        rareOrNew.returners.append(lender)
    }

    var rareOrNew: Rare {
        mutating get {
            if let rare { return rare }
            let made = Rare()
            rare = made
            return made
        }
    }
}

extension QueueEngine.Guarded {
    /// The registered job, which is retained since it was accepted.
    @inline(__always)
    func reference(_ handle: Handle) -> Unmanaged<Job> { Unmanaged(bits: machine.payload(of: handle)).unsafelyUnwrapped }

    /// As `reference`. A reference that is counted here and let go of outside the lock is never the last one in here.
    func registeredJob(_ handle: Handle) -> Job { reference(handle).takeUnretainedValue() }

    /// At what quality of service a worker is woken: that of the first ready job, if it has one of its own, else the queue's.
    var claimQualityOfService: DispatchQoS.QoSClass {
        mutating get {
            guard let first = machine.firstReady else { return qualityOfService }
            let code = reference(first)._withUnsafeGuaranteedRef { $0.qualityCode.load(ordering: .relaxed) }
            return DispatchQoS.QoSClass(code: code) ?? qualityOfService
        }
    }
}

extension DispatchQoS.QoSClass {
    private static let all: [DispatchQoS.QoSClass] = [.unspecified, .background, .utility, .default, .userInitiated, .userInteractive]

    /// A number for the class: 0 stands for none.
    init?(code: UInt8) {
        guard code > 0, Int(code) <= Self.all.count else { return nil }
        self = Self.all[Int(code) - 1]
    }

    var code: UInt8 { UInt8((Self.all.firstIndex(of: self) ?? 0) + 1) }
}

// MARK: - The funnel

extension QueueEngine {
    /// Lock, decide, unlock, pay.
    @inline(__always)
    @discardableResult
    func decide<Result>(_ body: (inout Guarded, inout Orders) -> Result) -> Result {
        let (result, idleness) = decideKeepingIdleness(body)
        if let idleness { announce(idleness) }
        return result
    }

    /// As `decide`, but step 5 is left to the caller, who has steps to take before it.
    @inline(__always)
    func decideKeepingIdleness<Result>(_ body: (inout Guarded, inout Orders) -> Result) -> (Result, Idleness?) {
        var orders = Orders()
        let result = guarded.withLock { state in
            takeIn(&state)
            let result = body(&state, &orders)
            settleStaff(&state, &orders)
            return result
        }
        pay(orders)
        return (result, orders.rare?.idleness)
    }

    /// As a decision that decides nothing, for a producer that finds the intake crowded. It does not wait for the lock: whoever holds it
    /// leaves at most what was pushed meanwhile, and the next producer finds that.
    @inline(never)
    func relieveIntake() {
        var orders = Orders()
        guarded.withLockIfFree { state in
            takeIn(&state)
            settleStaff(&state, &orders)
        }
        pay(orders)
        if let idleness = orders.rare?.idleness { announce(idleness) }
    }

    /// Registers what producers left in the intake, oldest first.
    @inline(__always)
    func takeIn(_ state: inout Guarded) {
        if !intake.isEmpty { registerAll(&state) }
    }

    private func registerAll(_ state: inout Guarded) {
        // The intake is a stack; turn it round.
        var next = intake.takeAll()
        var oldest: Unmanaged<Job>?
        while let job = next {
            job._withUnsafeGuaranteedRef { job in
                next = job.intakeNext
                job.intakeNext = oldest
            }
            oldest = job
        }
        if state.keepAlive == nil && oldest != nil { state.keepAlive = self }
        while let job = oldest {
            job._withUnsafeGuaranteedRef { reference in
                oldest = reference.intakeNext
                reference.intakeNext = nil
                register(reference, as: job, &state)
            }
        }
    }

    private func register(_ job: Job, as reference: Unmanaged<Job>, _ state: inout Guarded) {
        let word = job.jobState
        let lane = Job.QueuePriority.lane(ofCode: job.priorityCode.load(ordering: .relaxed))
        let standing: Standing = word.endsOnArrival ? .ending : word.phase == .ready && !word.isEndOwed ? .ready : .waiting
        let handle = state.machine.register(
            lane: lane, isBarrier: job.isBarrier, standing: standing, payload: reference.bits)
        job.handle = handle
        if standing == .ending {
            state.enlist(.unstarted(reference))
        } else if word.awaitsAnswer {
            state.machine.mustBeAsked(handle)
        }
    }

    /// Decides who must come, who may return, and whether producers must ring.
    @inline(__always)
    func settleStaff(_ state: inout Guarded, _ orders: inout Orders) {
        if state.mayHaveBecomeIdle { considerIdle(&state, &orders) }
        while true {
            while state.machine.admitsReturner, let lender = state.returners.popFirst() {
                state.machine.admitReturner(lender.handle)
                orders.grant(lender)
            }
            if state.machine.mayBeShort { summonStaff(&state, &orders) }
            state.pace(&orders, time: time)
            let wantsBell = state.machine.wantsBell || state.wantsPacingBell
            if bell.load(ordering: .sequentiallyConsistent) != wantsBell {
                bell.store(wantsBell, ordering: .sequentiallyConsistent)
            }
            // A producer that pushed before the bell was armed saw no bell: look once more.
            if !wantsBell || intake.isEmpty { break }
            registerAll(&state)
        }
        state.watchForStall(&orders, engine: self)
    }

    @inline(__always)
    private func summonStaff(_ state: inout Guarded, _ orders: inout Orders) {
        var shortage = state.machine.siteShortage
        if shortage > 0 {
            if !state.hasFirst[0] {
                state.hasFirst[0] = true
                orders.siteFirst = true
                state.machine.staffing.siteOnTheirWay += 1
                shortage -= 1
            }
            if shortage > 0 && !state.isRefused {
                orders.siteWorkers += Int32(shortage)
                state.machine.staffing.siteOnTheirWay += shortage
            }
            orders.qualityOfService = state.claimQualityOfService
        }
        var errandShortage = state.machine.errandShortage
        if errandShortage > 0 {
            if !state.hasFirst[1] {
                state.hasFirst[1] = true
                orders.errandFirst = true
                state.machine.staffing.errandsOnTheirWay += 1
                errandShortage -= 1
            }
            if errandShortage > 0 && !state.isRefused {
                orders.errandWorkers += Int32(errandShortage)
                state.machine.staffing.errandsOnTheirWay += errandShortage
            }
            orders.qualityOfService = state.qualityOfService
        }
    }

    private func considerIdle(_ state: inout Guarded, _ orders: inout Orders) {
        state.mayHaveBecomeIdle = false
        guard state.isIdle, intake.isEmpty else { return }
        orders.rareOrNew.idleness = Idleness(
            stamp: hub.isObserved ? hub.stamp() : nil, waiters: (orders.rare?.idleness?.waiters ?? []) + state.idleWaiters,
            keptAlive: state.keepAlive)
        state.idleWaiters = []
        state.keepAlive = nil
    }

    /// Does what a critical section owes, in the order that lets others go on soonest.
    @inline(__always)
    func pay(_ orders: borrowing Orders) {
        if orders.wantsWorkers { summon(orders) }
        if let rare = orders.rare { pay(rare) }
    }

    private func pay(_ rare: Orders.Rare) {
        for lender in rare.returners { lender.signal.fire() }
        if let deadline = rare.pacesAt {
            time.scheduleUpkeep(at: deadline) { [weak self] in self?.pace() }
        }
        if let deadline = rare.looksForStallAt {
            time.scheduleUpkeep(at: deadline) { [weak self] in self?.stallTimerFired() }
        }
    }

    /// The idle event, then who waits for it.
    func announce(_ idleness: Idleness) {
        if let stamp = idleness.stamp { hub.deliver(.idle, stamp: stamp, job: nil) }
        for waiter in idleness.waiters { waiter.fire() }
    }

    private func summon(_ orders: borrowing Orders) {
        let qos = orders.qualityOfService
        if orders.siteFirst {
            awakenings.wrappingAdd(1, ordering: .relaxed)
            _ = place.summon(.site, of: self, isFirst: true, qualityOfService: qos)
        }
        if orders.errandFirst { _ = place.summon(.errands, of: self, isFirst: true, qualityOfService: qos) }
        var refusedSite = 0
        var refusedErrands = 0
        var notes = 0
        func summon(_ crew: Crew) -> Int {
            switch place.summon(crew, of: self, isFirst: false, qualityOfService: qos) {
            case .coming: return 0
            case .refused: return 1
            case .refusedAndNoted:
                notes += 1
                return 1
            }
        }
        for _ in 0..<orders.siteWorkers { refusedSite += summon(.site) }
        for _ in 0..<orders.errandWorkers { refusedErrands += summon(.errands) }
        guard refusedSite + refusedErrands > 0 else { return }
        decide { state, _ in
            state.refusals += notes
            state.machine.staffing.siteOnTheirWay -= refusedSite
            state.machine.staffing.errandsOnTheirWay -= refusedErrands
        }
    }

    /// Whether the queue has come to rest and woken up several times, so that it is likely to do so again soon.
    var isRegular: Bool { awakenings.load(ordering: .relaxed) > 4 }

    /// The pool has a worker again for a queue that was refused one.
    func laneBecameFree() { decide { state, _ in state.refusals -= 1 } }
}
