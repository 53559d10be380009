// Where producers leave jobs for the workers, without a lock.

import Synchronization

/// A stack of added jobs, linked through `Job.intakeNext`, that is emptied as a whole.
///
/// The lowest bit of the head is the *gate*. While it is shut, adding goes through the lock of the dependency graph, because the order
/// of adding then matters there (a barrier lives, or a job waits for the queue). Shutting it is one exchange on the same word that
/// producers push to, so every push comes clearly before or after.
///
/// The next three bits count the jobs that lie here, up to seven. Where no worker comes, the producer of the seventh takes them in: so the
/// next worker finds little to do before it can choose, however many jobs wait.
struct Intake: ~Copyable {
    // Objects begin at multiples of 16, so four bits are free.
    private static let gate: UInt = 1
    private static let one: UInt = 2
    private static let counter: UInt = 7 * one
    private static let bits = gate | counter
    private let head = Atomic<UInt>(0)

    /// How a push went.
    enum Push {
        /// The gate is shut; nothing was pushed.
        case refused
        case pushed
        /// Pushed, and so many lie here now that the producer takes them in.
        case crowded
    }

    var isEmpty: Bool { head.load(ordering: .sequentiallyConsistent) & ~Self.bits == 0 }
    var isGateShut: Bool { head.load(ordering: .sequentiallyConsistent) & Self.gate != 0 }

    /// Adds a job.
    @inline(__always)
    func push(_ job: Job) -> Push { push(newest: job, oldest: job, count: 1, throughGate: false) }

    /// Adds jobs in one step, the first one first.
    func push(chain jobs: [Job]) -> Push { push(chain: jobs, throughGate: false) }

    /// Adds jobs in one step though the gate is shut; for who holds the lock of the graph.
    func pushThroughGate(chain jobs: [Job]) -> Push { push(chain: jobs, throughGate: true) }

    private func push(chain jobs: [Job], throughGate: Bool) -> Push {
        guard let oldest = jobs.first, let newest = jobs.last else { return .pushed }
        for (job, next) in zip(jobs, jobs.dropFirst()) { next.intakeNext = Unmanaged.passUnretained(job) }
        return push(newest: newest, oldest: oldest, count: UInt(jobs.count), throughGate: throughGate)
    }

    @inline(__always)
    private func push(newest: Job, oldest: Job, count: UInt, throughGate: Bool) -> Push {
        let bits = UInt(bitPattern: Unmanaged.passUnretained(newest).toOpaque())
        var old = head.load(ordering: .relaxed)
        while true {
            if old & Self.gate != 0 && !throughGate { return .refused }
            oldest.intakeNext = Self.job(old)
            let counted = min(old & Self.counter + count * Self.one, Self.counter)
            let (exchanged, current) = head.weakCompareExchange(
                expected: old, desired: bits | counted | old & Self.gate, successOrdering: .sequentiallyConsistent,
                failureOrdering: .relaxed)
            if exchanged { return counted == Self.counter ? .crowded : .pushed }
            old = current
        }
    }

    /// Takes everything: the newest job, from which `intakeNext` leads to the oldest.
    func takeAll() -> Unmanaged<Job>? {
        var old = head.load(ordering: .sequentiallyConsistent)
        while old & ~Self.bits != 0 {
            let (exchanged, current) = head.weakCompareExchange(
                expected: old, desired: old & Self.gate, successOrdering: .sequentiallyConsistent, failureOrdering: .relaxed)
            if exchanged { return Self.job(old) }
            old = current
        }
        return nil
    }

    func shutGate() { head.bitwiseOr(Self.gate, ordering: .sequentiallyConsistent) }
    func openGate() { head.bitwiseAnd(~Self.gate, ordering: .sequentiallyConsistent) }

    private static func job(_ bits: UInt) -> Unmanaged<Job>? {
        UnsafeRawPointer(bitPattern: bits & ~Self.bits).map { Unmanaged.fromOpaque($0) }
    }
}
