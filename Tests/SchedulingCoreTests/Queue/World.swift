// A queue in miniature: the machine, the words of its jobs, and the reference scheduler, told the same events.

import SchedulingCore

/// What a job is made with.
struct Plan {
    /// 0 is the lowest, 4 the highest.
    var priority = 2
    var isBarrier = false
    /// Nothing overrides `isReady`.
    var isPlain = true
    /// Its work goes on when `start()` has returned.
    var isAsynchronous = false
}

/// One step of a world.
enum Event {
    /// Makes a job, with edges to these, in no queue yet.
    case make(Plan, dependencies: [Int])
    case add(Int)
    /// Both at once.
    case arrive(Plan)
    /// A worker looks for something to do.
    case look
    case finish(Int)
    /// The same, and all that lent their slots waited for it: they want them back in the same step.
    case finishAwaited(Int)
    /// `cancel()` and what it must do for a job that has not begun, in one step.
    case cancel(Int)
    /// The first half of a cancel: the job's word changes.
    case flag(Int)
    /// The second half: the machine is told.
    case handOver(Int)
    /// A job that has not begun ends itself.
    case endItself(Int)
    /// An errand worker ends a job that has not begun.
    case end(Int)
    /// The same, but its `start()` begins to work.
    case work(Int)
    case doomAll
    case addEdge(Int, Int)
    case removeEdge(Int, Int)
    case setPriority(Int, Int)
    case setWidth(Int)
    case setSuspended(Bool)
    /// An errand worker asks a job whether it is ready.
    case askOnErrand
    case answer(Int, Bool)
    case post(Int)
    case lend(Int)
    case comeBack(Int)
    /// The first, which executes, tries to run the second itself.
    case swap(Int, Int)
}

/// The machine and the reference scheduler do not agree, or something does not hold.
struct Disagreement: Error, CustomStringConvertible {
    let description: String
}

/// Plays the part of the engine: keeps the jobs' words and edges, and tells the machine what the engine would.
///
/// A value, so that every way on from a state can be tried.
struct World {
    struct Member {
        let plan: Plan
        var priority: Int
        var word = JobState()
        var handle = Handle.none
        /// How many posts had been made when `isReady` was asked; nil while nobody asks.
        var askedAt: UInt16?
    }

    private var box: MachineBox
    var reference: ReferenceScheduler
    /// Every job there ever was, by number.
    var members: [Member] = []
    /// The unmet edges, oldest first.
    var edges: [(dependent: Int, dependency: Int)] = []
    /// The job of each handle.
    var numbers: [Int?] = []
    /// Who waits for his slot, in the machine's order.
    var returning: [Int] = []
    private var story: Story?
    /// Whether a second worker looks at the end of this step, which finds nothing but must not change what is next.
    private(set) var isLookedAtInVain = false

    init(width: Int, isSuspended: Bool = false) {
        box = MachineBox(QueueMachine(width: width, isSuspended: isSuspended))
        reference = ReferenceScheduler(width: width, isSuspended: isSuspended)
    }

    var machine: QueueMachine {
        _read { yield box.machine }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = box.copy() }
            yield &box.machine
        }
    }

    /// Lets an event happen on both sides, and compares them.
    mutating func perform(_ event: Event, checkingInvariants: Bool = true) throws(Disagreement) {
        story = Story(event, after: story)
        isLookedAtInVain.toggle()
        try apply(event)
        settle()
        try compare()
        if checkingInvariants { try checkInvariants() }
    }

    func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(Disagreement) {
        if condition { return }
        var steps: [String] = []
        var step = story
        while let last = step {
            steps.append("    \(last.event)")
            step = last.previous
        }
        throw Disagreement(description: "\(message())\nafter\n\(steps.reversed().joined(separator: "\n"))")
    }
}

/// What happened in a world so far, shared by the worlds that went on from there.
private final class Story {
    let event: Event
    let previous: Story?

    init(_ event: Event, after previous: Story?) {
        self.event = event
        self.previous = previous
    }
}
