// The model of intake, bell, claim and park: its threads, its memory, and what must hold when nobody is on the move.

/// The engine's protocol between producers, workers and setters, reduced to what decides whether a job is forgotten.
///
/// **Memory.** Each thread has a first-in-first-out buffer of stores that the others do not see yet; it sees them itself. What is
/// sequentially consistent or a read-modify-write in the code empties the buffer first, and so do lock and unlock. In the code as it
/// stands that is all there is: the intake's head is changed by sequentially consistent exchanges, the bell by such stores and
/// exchanges. The only weaker accesses are to `intakeNext`, which nobody reads before the push that publishes it, and the relaxed first
/// load of a push, whose value the exchange checks.
///
/// **Steps.** Whatever touches a shared word is a step of its own, with three exceptions that change no outcome: a loop of
/// compare-and-exchange counts once, when it succeeds, since its failures change nothing; taking a lock is one step with the first
/// access after it; releasing it is one step with the last access before it, if no store is left in the buffer. What the lock guards is
/// touched by its holder alone, and so goes with the step before it.
struct LostWakeUpModel {
    let setting: ModelSetting
    let omission: Omission?
    let initial: ModelState
    /// Where the workers begin in the list of threads.
    let firstWorker: Int
    /// The numbers of each producer's jobs, batch by batch.
    private let batches: [[[UInt8]]]

    init(_ setting: ModelSetting, leavingOut omission: Omission? = nil) {
        self.setting = setting
        self.omission = omission
        var last: UInt8 = 0
        batches = setting.producers.map { sizes in
            sizes.map { size in
                defer { last += size }
                return (1...size).map { last + $0 }
            }
        }
        var threads = setting.producers.indices.map { ModelThread(.producer, UInt8($0 + 1)) }
        if !setting.controls.isEmpty { threads.append(ModelThread(.controller, 1)) }
        if setting.hasGuest { threads.append(ModelThread(.guest, 1)) }
        if setting.isAsynchronous { threads.append(ModelThread(.finisher, 1)) }
        if setting.isAutomatic { threads.append(ModelThread(.timer, 1)) }
        if setting.hasCanceller { threads.append(ModelThread(.canceller, 1)) }
        if setting.hasEdge { threads.append(ModelThread(.meeter, 1)) }
        firstWorker = threads.count
        var state = ModelState(width: setting.width, threads: threads)
        state.isSuspended = setting.isSuspended
        state.bell = setting.width != 0 && !setting.isSuspended
        state.budget = setting.budget ?? .max
        initial = state
    }

    /// The thread may stay where it is for ever: it is outside the package, or in the body of a job.
    func isAtRest(_ thread: ModelThread) -> Bool {
        thread.buffer == 0 && (thread.step == .atRest || thread.step == .running && !thread.isEnding)
    }

    func isEnabled(_ index: Int, _ state: ModelState) -> Bool {
        let thread = state.threads[index]
        switch thread.step {
        case .lock, .coming, .running: return !state.isLocked
        case .atRest:
            switch thread.role {
            case .producer: return Int(thread.position) < batches[index].count
            case .controller: return Int(thread.position) < setting.controls.count && !state.isLocked
            case .guest: return thread.position == 1 ? state.budget > 0 : thread.position < 3
            case .finisher: return state.away != 0 && !state.isLocked
            case .timer: return state.timerIsSet && !state.isLocked
            case .canceller, .meeter: return thread.position == 0
            case .worker: return false
            }
        default: return true
        }
    }

    func perform(_ move: Move, on state: inout ModelState, _ words: inout [String]?) throws(ModelViolation) {
        let index = Int(move.thread)
        if move.drains {
            note(&words, index, state, "its oldest buffered store reaches the memory")
            drainOne(index, &state)
        } else {
            switch state.threads[index].step {
            case .atRest: try leaveRest(index, &state, &words)
            case .push, .latePush, .lateLink, .lookAtEdge, .lookAtBell, .takeBell, .lateBell, .lookAtWord, .earlyWord, .earlyEdge:
                produce(index, &state, &words)
            case .lock, .coming, .running, .takeIn, .readBell, .setBell, .lookAgain, .takeInAgain, .unlock:
                try section(index, &state, &words)
            case .meetEdge: meet(index, &state, &words)
            case .markOnArrival, .lookForMarked: handOverUnstarted(index, &state, &words)
            case .pay, .setTimer, .giveBack, .nextRefused: pay(index, &state, &words)
            }
        }
        state.sortWorkers(from: firstWorker)
    }

    private func leaveRest(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) throws(ModelViolation) {
        switch state.threads[index].role {
        case .producer: produce(index, &state, &words)
        case .controller:
            state.threads[index].section = .control
            try section(index, &state, &words)
        case .finisher:
            state.threads[index].section = .handOver
            try section(index, &state, &words)
        case .timer:
            state.timerIsSet = false
            state.threads[index].section = .pace
            try section(index, &state, &words)
        case .guest:
            state.threads[index].position += 1
            if state.threads[index].position == 2 {
                note(&words, index, state, "takes a worker from the pool")
                state.budget -= 1
            } else {
                pay(index, &state, &words)
            }
        case .canceller: cancel(index, &state, &words)
        case .meeter: beginMeeting(index, &state, &words)
        case .worker: break
        }
    }

    func batch(of index: Int, _ state: ModelState) -> [UInt8] { batches[index][Int(state.threads[index].position)] }

    func note(_ words: inout [String]?, _ index: Int, _ state: ModelState, _ text: @autoclosure () -> String) {
        guard words != nil else { return }
        let thread = state.threads[index]
        words?.append("\(thread.role) \(thread.number)\(thread.isFirst ? " (first)" : ""): \(text())")
    }
}

// MARK: - What must hold

extension LostWakeUpModel {
    /// Nobody is on the move, and everybody who can be still may or may not be some day. So nothing may depend on it.
    func checkAtRest(_ state: ModelState) throws(ModelViolation) {
        var running: UInt8 = 0
        for thread in state.threads where thread.step == .running { running |= 1 << thread.job }
        var inIntake: UInt8 = 0
        var job = state.head
        while job != 0 {
            inIntake |= 1 << job
            job = state.link(of: job)
        }
        let waiting = inIntake | state.ready | heldBack(state)
        guard state.pushed == waiting | running | state.away | state.ends | state.left else {
            throw ModelViolation(what: "a job that was added is nowhere")
        }
        guard state.cancelled & state.pushed & ~state.started & ~state.left == 0 else {
            throw ModelViolation(what: "a job that was cancelled before it began never ends")
        }
        // While the pool refuses, the queue makes do with its first worker, which is at work.
        let isRefused = state.isNoted && state.budget == 0 && state.threads.contains { $0.step == .running && $0.isFirst }
        if state.ends != 0 && !isRefused { throw ModelViolation(what: "an ended job waits, and no worker is coming") }
        if waiting & ~unmet(state) != 0 && !state.isSuspended && state.freeSlots > 0 && !isRefused {
            throw ModelViolation(what: "a job waits, a slot is free, and no worker is coming")
        }
        if setting.isAutomatic && waiting != 0 && !state.isSuspended && state.freeSlots == 0 && !state.timerIsSet {
            throw ModelViolation(what: "a job waits in a full queue of automatic width, and nobody is going to look")
        }
        // Where a step is left out, wrong books are only the beginning: go on to what comes of them.
        guard
            omission != nil
                || state.siteOnTheirWay == 0 && state.refusals == (state.isNoted ? 1 : 0)
                    && Int(state.executing) == (running | state.away | state.ends).nonzeroBitCount
        else { throw ModelViolation(what: "the books do not say what is the case") }
    }
}

// MARK: - The memory

/// A store in a buffer.
private enum Store {
    static let bellOff: UInt8 = 1
    static let bellOn: UInt8 = 2
    static let headEmpty: UInt8 = 3
}

extension LostWakeUpModel {
    func loadBell(_ index: Int, _ state: ModelState) -> Bool {
        let buffer = state.threads[index].buffer
        for entry in [buffer >> 4, buffer & 15] where entry == Store.bellOff || entry == Store.bellOn { return entry == Store.bellOn }
        return state.bell
    }

    func storeBell(_ isOn: Bool, _ index: Int, _ state: inout ModelState) {
        if omission == .bellStoreBuffered {
            enqueue(isOn ? Store.bellOn : Store.bellOff, index, &state)
        } else {
            drain(index, &state)
            state.bell = isOn
        }
    }

    /// An exchange; the result is what was there.
    func exchangeBell(_ isOn: Bool, _ index: Int, _ state: inout ModelState) -> Bool {
        drain(index, &state)
        defer { state.bell = isOn }
        return state.bell
    }

    func loadHead(_ index: Int, _ state: ModelState) -> UInt8 {
        let buffer = state.threads[index].buffer
        return buffer >> 4 == Store.headEmpty || buffer & 15 == Store.headEmpty ? 0 : state.head
    }

    /// Takes the whole stack, in one exchange unless the model is told to do it with a load and a store.
    func takeAll(_ index: Int, _ state: inout ModelState) -> UInt8 {
        if omission == .intakeEmptiedByStore {
            enqueue(Store.headEmpty, index, &state)
            return state.threads[index].register
        }
        drain(index, &state)
        defer { state.head = 0 }
        return state.head
    }

    private func enqueue(_ store: UInt8, _ index: Int, _ state: inout ModelState) {
        if state.threads[index].buffer > 15 { drainOne(index, &state) }
        state.threads[index].buffer |= state.threads[index].buffer == 0 ? store : store << 4
    }

    func drainOne(_ index: Int, _ state: inout ModelState) {
        switch state.threads[index].buffer & 15 {
        case Store.bellOff: state.bell = false
        case Store.bellOn: state.bell = true
        case Store.headEmpty: state.head = 0
        default: break
        }
        state.threads[index].buffer >>= 4
    }

    func drain(_ index: Int, _ state: inout ModelState) {
        while state.threads[index].buffer != 0 { drainOne(index, &state) }
    }
}
