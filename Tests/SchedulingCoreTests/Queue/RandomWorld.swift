// A large world in which anything may happen at any time, told by a seed.

import SchedulingCore

struct RandomWorld {
    private(set) var world = World(width: 4)
    private var generator: SeededGenerator
    /// How many jobs may be unfinished at once.
    private let room: Int
    private let barrierShare: Double
    private let askedShare: Double
    private var steps = 0

    init(seed: UInt64, room: Int, barrierShare: Double, askedShare: Double) {
        generator = SeededGenerator(seed: seed)
        self.room = room
        self.barrierShare = barrierShare
        self.askedShare = askedShare
    }

    /// Adds this many jobs while the others run, then lets all end.
    mutating func run(jobs count: Int) throws(Disagreement) {
        while world.members.count < count {
            if world.reference.jobs.count < room && chance(0.4) { try addBatch() }
            if let event = anyEvent() { try perform(event) }
        }
        try drain()
    }

    private mutating func perform(_ event: Event) throws(Disagreement) {
        steps += 1
        try world.expect(steps < 100_000, "the world does not come to its end")
        try world.perform(event, checkingInvariants: steps % 16 == 0)
    }

    private mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < probability }

    private mutating func any(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    /// Up to four jobs with edges to earlier ones and among each other, some cancelled before they are added.
    private mutating func addBatch() throws(Disagreement) {
        let first = world.members.count
        let size = any(1..<5)
        for number in first..<first + size {
            let plan = Plan(
                priority: any(0..<5), isBarrier: chance(barrierShare), isPlain: !chance(askedShare), isAsynchronous: chance(0.5))
            let before = world.reference.jobs.map(\.number) + Array(first..<number)
            let dependencies = Set((0..<any(0..<3)).compactMap { _ in before.randomElement(using: &generator) })
            try perform(.make(plan, dependencies: dependencies.sorted()))
            if chance(0.05) { try perform(.cancel(number)) }
        }
        for number in first..<first + size { try perform(.add(number)) }
    }

    private mutating func anyEvent() -> Event? {
        switch any(0..<100) {
        case 0..<3: return .setWidth(any(0..<6))
        case 3..<7: return .setSuspended(chance(0.4))
        case 7..<8: return chance(0.3) ? .doomAll : nil
        case 8..<45: return world.reference.nextClaim != nil ? .look : world.machine.wantsAsking ? .askOnErrand : nil
        default: break
        }
        guard let job = world.reference.jobs.randomElement(using: &generator) else { return nil }
        let number = job.number
        if world.members[number].askedAt != nil && chance(0.8) { return .answer(number, chance(0.6)) }
        switch job.state {
        case .waiting: return waitingEvent(job)
        case .executing: return executingEvent(number)
        case .lending: return .comeBack(number)
        case .returning: return .cancel(number)
        case .ending: return !world.members[number].word.isFinished && chance(0.1) ? .work(number) : .end(number)
        }
    }

    private mutating func executingEvent(_ number: Int) -> Event? {
        switch any(0..<20) {
        case 0..<3: .lend(number)
        case 3..<5: .cancel(number)
        case 5..<7: swap(number)
        case 7..<11: .finishAwaited(number)
        default: .finish(number)
        }
    }

    private mutating func waitingEvent(_ job: ReferenceScheduler.Job) -> Event? {
        let number = job.number
        if job.isCancelled { return .handOver(number) }
        switch any(0..<12) {
        case 0: return .cancel(number)
        case 1: return .flag(number)
        case 2: return .endItself(number)
        case 3, 4, 5: return .setPriority(number, any(0..<5))
        case 6, 7: return .post(number)
        case 8, 9: return job.dependencies.randomElement(using: &generator).map { .removeEdge(number, $0) }
        default: return lateEdge(from: job)
        }
    }

    private mutating func swap(_ waiter: Int) -> Event? {
        guard let job = world.reference.jobs.randomElement(using: &generator), job.state == .waiting else { return nil }
        return .swap(waiter, job.number)
    }

    private mutating func lateEdge(from job: ReferenceScheduler.Job) -> Event? {
        guard let other = world.reference.jobs.randomElement(using: &generator), !job.dependencies.contains(other.number),
            !world.reference.waits(other.number, for: job.number)
        else { return nil }
        return .addEdge(job.number, other.number)
    }

    /// Lets everything that is left come to its end, which nothing may stop once the queue runs and each job answers yes.
    private mutating func drain() throws(Disagreement) {
        try perform(.setSuspended(false))
        try perform(.setWidth(2))
        while !world.reference.jobs.isEmpty {
            let before = steps
            if world.reference.nextClaim != nil { try perform(.look) }
            for job in world.reference.jobs {
                if world.members[job.number].askedAt != nil { try perform(.answer(job.number, true)) }
                switch world.reference[job.number]?.state {
                case .executing: try perform(.finish(job.number))
                case .ending: try perform(.end(job.number))
                case .lending: try perform(.comeBack(job.number))
                case .waiting where job.isCancelled: try perform(.handOver(job.number))
                case .waiting where job.isDoomed: try perform(.cancel(job.number))
                case .waiting where job.saysYes == false: try perform(.post(job.number))
                case .waiting, .returning, nil: break
                }
            }
            try world.expect(steps > before, "jobs \(world.reference.jobs.map(\.number)) are forgotten")
        }
        try world.checkInvariants()
        try world.expect(world.machine.jobCount == 0 && world.edges.isEmpty, "something is left")
    }
}
