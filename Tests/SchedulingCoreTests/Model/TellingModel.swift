// How the news of one job are told, as a program: each step is one change of the word or one critical section of the extras.
import SchedulingCore

/// The worker of a job and some threads that have news of it, in all the orders that their steps can have.
///
/// The steps bear the names of `Sources/WorkQueues/Observing/README.md`. Numbers stand for news; each is the stamp of its transition.
struct TellingModel: Hashable {
    /// A step of the protocol that is left out.
    enum Omission { case nothing, lookForExtras, lookAtTheBit, untoldStart, lastLookAtTheLetters, stampBeforeTheChange }

    /// What a thread does next.
    enum Step: Hashable {
        /// The worker's, for its claim and for the end of `main()`: read the word and stamp; exchange the word, if it is the same still.
        case readAndStamp, exchange(UInt64, Int)
        case writeStart(Int), writeEnd
        /// Only where the stamp is not taken before the change: `isDirect` is what that brought.
        case stamp(isDirect: Bool)
        /// The others': the extras, then a transition with its letter.
        case attach, write
        /// Tell a number without a mailbox, and give the bit back.
        case tellDirectly(Int), isTellingDirectly(Int), endDirectly
        /// Try to become the deliverer; look into the mailbox; tell what was found.
        case tryToDeliver, look, isTelling(Int)
        case done
    }

    var word = JobState().rawValue
    var letters: [Int] = []
    var lastStamp = 0
    /// How many transitions there were.
    var news = 0
    var told: [Int] = []
    var threads: [Step]
    /// Whether the worker's claim is behind it.
    var hasStarted = false

    init(writers: Int, hasExtras: Bool) {
        threads = [.readAndStamp] + Array(repeating: .attach, count: writers)
        if hasExtras { change { $0.attachExtras() } }
    }

    private mutating func change<Result>(_ body: (inout JobState) -> Result) -> Result {
        var state = JobState(rawValue: word)
        defer { word = state.rawValue }
        return body(&state)
    }

    private mutating func stamp() -> Int {
        lastStamp += 1
        return lastStamp
    }

    /// What is wrong in this state, nil if nothing is.
    var fault: String? {
        let telling = threads.count {
            switch $0 {
            case .isTelling, .isTellingDirectly: true
            default: false
            }
        }
        if telling > 1 { return "two threads tell at once" }
        if told != told.sorted() { return "told in the order \(told)" }
        guard threads.allSatisfy({ $0 == .done }) else { return nil }
        if !letters.isEmpty { return "left with nobody: \(letters)" }
        if told.count != news { return "told \(told) of \(news)" }
        return JobState(rawValue: word).isTelling ? "the bit was not given back" : nil
    }

    /// The state after the next step of a thread; nil if it has none.
    func next(of thread: Int, without omission: Omission) -> TellingModel? {
        if threads[thread] == .done { return nil }
        var after = self
        after.threads[thread] = after.take(threads[thread], of: thread, omission)
        return after
    }

    private mutating func take(_ step: Step, of thread: Int, _ omission: Omission) -> Step {
        switch step {
        case .readAndStamp:
            if omission == .stampBeforeTheChange { return .stamp(isDirect: makeTransition()) }
            return .exchange(word, stamp())
        case .exchange(let read, let stamp):
            if word != read { return .readAndStamp }
            return tell(stamp, isDirect: makeTransition())
        case .stamp(let isDirect): return tell(stamp(), isDirect: isDirect)
        case .writeStart(let stamp):
            letters = (letters + [stamp]).sorted()
            change { $0.startIsWritten() }
            return .tryToDeliver
        case .writeEnd:
            news += 1
            letters.append(stamp())
            return .tryToDeliver
        case .attach:
            change { $0.attachExtras() }
            return .write
        case .write:
            // Any change that no other one undoes.
            _ = change { $0.post() }
            news += 1
            letters.append(stamp())
            return .tryToDeliver
        case .tellDirectly(let stamp): return .isTellingDirectly(stamp)
        case .isTellingDirectly(let stamp):
            told.append(stamp)
            return .endDirectly
        case .endDirectly:
            if omission == .lookForExtras { change { $0.endTelling() } } else if !change({ $0.endTellingDirectly() }) { return .look }
            return endOfTransition(of: thread)
        case .tryToDeliver:
            let isHeldUp = JobState(rawValue: word).isStartUntold && omission != .untoldStart
            if letters.isEmpty || isHeldUp { return endOfTransition(of: thread) }
            if !change({ $0.beginTelling() }) && omission != .lookAtTheBit { return endOfTransition(of: thread) }
            return .look
        case .look:
            let isHeldUp = JobState(rawValue: word).isStartUntold && omission != .untoldStart
            if letters.isEmpty || isHeldUp {
                change { $0.endTelling() }
                return endOfTransition(of: thread)
            }
            return .isTelling(letters.removeFirst())
        case .isTelling(let stamp):
            told.append(stamp)
            if omission == .lastLookAtTheLetters {
                change { $0.endTelling() }
                return endOfTransition(of: thread)
            }
            return .look
        case .done: return .done
        }
    }

    /// The worker goes on from the claim to the end; everybody else is through.
    private mutating func endOfTransition(of thread: Int) -> Step {
        if thread > 0 || hasStarted { return .done }
        hasStarted = true
        return .readAndStamp
    }

    /// The worker's claim, or the end of `main()`, which goes by the mailbox if there is one; true if the worker is to tell it directly.
    private mutating func makeTransition() -> Bool {
        let isClaim = !hasStarted
        let isDirect = change { isClaim ? $0.noteStartToTell() : $0.beginTellingDirectly() }
        if isDirect || isClaim { news += 1 }
        return isDirect
    }

    private func tell(_ stamp: Int, isDirect: Bool) -> Step {
        isDirect ? .tellDirectly(stamp) : hasStarted ? .writeEnd : .writeStart(stamp)
    }
}
