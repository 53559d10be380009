// What the model of the engine remembers: the shared memory, what the queue's lock guards, and where each thread stands.

/// A state of the model. Jobs are numbered from 1; sets of jobs are bits.
struct ModelState {
    // The shared words. `links` has four bits for each job: its `intakeNext`.
    var head: UInt8 = 0
    var links: UInt32 = 0
    var bell = false
    var isLocked = false

    // The pool of workers, and the source of time, each behind a lock that is held for one step.
    var budget: Int8 = 0
    var isNoted = false
    var timerIsSet = false

    // What the queue's lock guards.
    var ready: UInt8 = 0
    var ends: UInt8 = 0
    var executing: Int8 = 0
    var siteOnTheirWay: Int8 = 0
    var width: Int8
    var isSuspended = false
    var hasFirst = false
    var refusals: Int8 = 0
    var isPacingArmed = false

    // The words of the jobs, by what the canceller and its counterparts see of them, and who has a handle.
    var accepted: UInt8 = 0
    var cancelled: UInt8 = 0
    var endsOnArrival: UInt8 = 0
    var registered: UInt8 = 0
    /// The edge of job 1 is met, if it has one.
    var isMet = false

    // What the properties speak of. `away` are asynchronous jobs that go on without a thread.
    var pushed: UInt8 = 0
    var started: UInt8 = 0
    var away: UInt8 = 0
    var left: UInt8 = 0

    /// The threads of the setting, then the workers that there are.
    var threads: [ModelThread]

    var freeSlots: Int8 { max(0, width - executing) }
    var claimable: Int8 { isSuspended ? 0 : Int8(truncatingIfNeeded: ready.nonzeroBitCount) }

    func link(of job: UInt8) -> UInt8 { UInt8(truncatingIfNeeded: links >> (4 * UInt32(job)) & 15) }

    mutating func setLink(of job: UInt8, to next: UInt8) {
        let shift = 4 * UInt32(job)
        links = links & ~(15 << shift) | UInt32(next) << shift
    }

    /// Workers are alike: their order says nothing.
    mutating func sortWorkers(from first: Int) {
        guard threads.count > first + 1 else { return }
        for index in first + 1..<threads.count {
            var place = index
            while place > first && threads[place].packed < threads[place - 1].packed {
                threads.swapAt(place, place - 1)
                place -= 1
            }
        }
    }

    /// A number that tells states apart.
    var fingerprint: UInt64 {
        var value: UInt64 = 0
        func mix(_ bits: UInt64) {
            value = (value ^ bits) &* 0x9E37_79B9_7F4A_7C15
            value ^= value >> 29
            value = value &* 0xBF58_476D_1CE4_E5B9
            value ^= value >> 32
        }
        let flags: UInt8 =
            (bell ? 1 : 0) | (isLocked ? 2 : 0) | (isNoted ? 4 : 0) | (timerIsSet ? 8 : 0) | (isSuspended ? 16 : 0) | (hasFirst ? 32 : 0)
            | (isPacingArmed ? 64 : 0) | (isMet ? 128 : 0)
        let words = UInt64(accepted) << 15 | UInt64(cancelled) << 10 | UInt64(endsOnArrival) << 5 | UInt64(registered)
        mix(words << 44 | UInt64(head) << 40 | UInt64(links) << 8 | UInt64(flags))
        mix(
            UInt64(ready) << 56 | UInt64(ends) << 48 | UInt64(pushed) << 40 | UInt64(started) << 32 | UInt64(away) << 24 | UInt64(left)
                << 16
                | UInt64(UInt8(bitPattern: budget)) << 8 | UInt64(UInt8(bitPattern: refusals)))
        mix(
            UInt64(UInt8(bitPattern: executing)) << 16 | UInt64(UInt8(bitPattern: siteOnTheirWay)) << 8 | UInt64(UInt8(bitPattern: width)))
        for thread in threads { mix(thread.packed) }
        return value
    }
}

/// Where a thread stands, by the names of the code.
enum Step: UInt8 {
    /// A producer between two calls of `add`, a controller between two setters, and so on: the thread may stay here for ever.
    case atRest
    // Of a producer.
    case push, latePush, lateLink, lookAtEdge, lookAtBell, takeBell, lateBell, lookAtWord, earlyWord, earlyEdge
    // Of a worker. One that is coming or runs a job goes on by locking.
    case coming, running
    // Of a section.
    case lock, takeIn, readBell, setBell, lookAgain, takeInAgain, unlock
    // Of the section that meets an edge.
    case meetEdge
    // Of the section that hands over a job that has not begun.
    case markOnArrival, lookForMarked
    // After it.
    case pay, setTimer, giveBack, nextRefused
}

/// What a section does between taking in and settling the staff.
enum Section: UInt8 {
    case ring, look, control, bookRefusal, laneBecameFree, handOver, pace, endUnstarted, meet
}

enum Role: UInt8 { case producer, controller, guest, finisher, timer, canceller, meeter, worker }

struct ModelThread {
    let role: Role
    /// For people; of no meaning to the state.
    let number: UInt8
    var step = Step.atRest
    var section = Section.ring
    /// How much of its program a thread has done.
    var position: UInt8 = 0
    /// The stores that nobody else sees yet, four bits each, the oldest lowest.
    var buffer: UInt8 = 0
    /// What a worker runs or lets leave; 0 for nothing.
    var job: UInt8 = 0
    var isFirst = false
    /// The job is asynchronous, and ended: what is left is to let it leave.
    var isEnding = false
    var hasGivenBack = false
    /// What was read, where a step is left out or comes too early.
    var register: UInt8 = 0
    var wantsBell = false
    // The orders of the section.
    var siteFirst = false
    var siteWorkers: UInt8 = 0
    var pacesAt = false
    var refused: UInt8 = 0
    var notes: UInt8 = 0

    init(_ role: Role, _ number: UInt8) {
        self.role = role
        self.number = number
    }

    var packed: UInt64 {
        let flags: UInt8 =
            (isFirst ? 1 : 0) | (isEnding ? 2 : 0) | (hasGivenBack ? 4 : 0) | (wantsBell ? 8 : 0) | (siteFirst ? 16 : 0)
            | (pacesAt ? 32 : 0)
        let low = UInt64(step.rawValue) | UInt64(section.rawValue) << 8 | UInt64(position) << 12 | UInt64(buffer) << 16
        let middle = UInt64(job) << 24 | UInt64(flags) << 28 | UInt64(register) << 36
        return low | middle | UInt64(siteWorkers) << 40 | UInt64(refused) << 44 | UInt64(notes) << 48 | UInt64(role.rawValue) << 52
    }
}
