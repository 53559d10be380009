// Walks through every state that a set of small worlds can come to.

import SchedulingCore

/// Tries every event in every state, each state once.
///
/// Two worlds are in the same state if the reference scheduler cannot tell them apart and the machine keeps the same books about the
/// jobs that wait, whatever happened before; a job that left is out of the world, so the worlds of four jobs lead into those of three.
struct Exploration {
    /// What can happen in a world.
    let events: (World) -> [Event]
    /// The widths at which the next start is compared in each state, as well as suspended; nil if width and suspension are events.
    let widths: ClosedRange<Int>?
    private var seen: Set<UInt64> = []
    private(set) var steps = 0

    init(widths: ClosedRange<Int>?, events: @escaping (World) -> [Event]) {
        self.widths = widths
        self.events = events
    }

    func report(name: String = #function) { print("\(name): \(seen.count) states, \(steps) steps") }

    mutating func explore(from start: World) throws(Disagreement) {
        guard seen.insert(key(of: start)).inserted else { return }
        var open = [start]
        while let world = open.popLast() {
            try world.checkInvariants()
            if let widths { try world.compareNext(atWidths: widths) }
            for event in events(world) {
                var next = world
                try next.perform(event, checkingInvariants: false)
                steps += 1
                if seen.insert(key(of: next)).inserted { open.append(next) }
            }
        }
    }

    /// What a state is told by. What cannot matter any more is left out: the priority and the edges of a job that has begun or is to end.
    private func key(of world: World) -> UInt64 {
        let reference = world.reference
        var key = StateKey()
        key.mix(UInt64(reference.jobs.count) << 4 | UInt64(world.machine.claimable))
        if widths == nil { key.mix(UInt64(reference.width) << 1 | (reference.isSuspended ? 1 : 0)) }
        for job in reference.jobs {
            var bits: UInt64 = job.isBarrier ? 1 : 0
            switch job.state {
            case .waiting:
                bits |= (job.saysYes == nil ? 0 : job.saysYes == true ? 1 : 2) << 1
                bits |= UInt64(job.priority) << 3
                bits |= UInt64(world.machine.standing(of: world.members[job.number].handle).rawValue) << 6
                bits |= (job.isCancelled ? 1 : 0) << 10 | (job.isDoomed ? 1 : 0) << 11
                if job.isBeingAsked { bits |= 1 << 12 | (job.wasPosted ? 1 : 0) << 13 | (job.gotEdge ? 1 : 0) << 14 }
                for (position, other) in reference.jobs.enumerated() where job.dependencies.contains(other.number) {
                    bits |= 1 << (15 + position)
                }
            case .executing: bits |= 1 << 24
            case .lending: bits |= 2 << 24
            case .returning: bits |= 3 << 24 | UInt64(reference.returners.firstIndex(of: job.number) ?? 0) << 1
            case .ending: bits |= 4 << 24
            }
            key.mix(bits)
        }
        return key.value
    }
}

/// A state as one number: what tells it is more than fits into a word.
private struct StateKey {
    private(set) var value: UInt64 = 0

    mutating func mix(_ bits: UInt64) {
        value = (value ^ bits) &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 29
        value = value &* 0xBF58_476D_1CE4_E5B9
        value ^= value >> 32
    }
}
