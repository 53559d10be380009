// Where producers leave jobs for the workers, without a lock.

import Synchronization

/// A stack of added jobs, linked through `Job.intakeNext`, that is emptied as a whole.
///
/// The lowest bit of the head is the *gate*. While it is shut, adding goes through the lock of the dependency graph, because the order
/// of adding then matters there (a barrier lives, or a job waits for the queue). Shutting it is one exchange on the same word that
/// producers push to, so every push comes clearly before or after.
struct Intake: ~Copyable {
    private static let gate: UInt = 1
    private let head = Atomic<UInt>(0)

    var isEmpty: Bool { head.load(ordering: .sequentiallyConsistent) & ~Self.gate == 0 }
    var isGateShut: Bool { head.load(ordering: .sequentiallyConsistent) & Self.gate != 0 }

    /// Adds a job. False if the gate is shut.
    @inline(__always)
    func push(_ job: Job) -> Bool { push(newest: job, oldest: job, throughGate: false) }

    /// Adds jobs in one step, the first one first. False if the gate is shut.
    func push(chain jobs: [Job]) -> Bool { push(chain: jobs, throughGate: false) }

    /// Adds jobs in one step though the gate is shut; for who holds the lock of the graph.
    func pushThroughGate(chain jobs: [Job]) { _ = push(chain: jobs, throughGate: true) }

    private func push(chain jobs: [Job], throughGate: Bool) -> Bool {
        guard let oldest = jobs.first, let newest = jobs.last else { return true }
        for (job, next) in zip(jobs, jobs.dropFirst()) { next.intakeNext = Unmanaged.passUnretained(job) }
        return push(newest: newest, oldest: oldest, throughGate: throughGate)
    }

    @inline(__always)
    private func push(newest: Job, oldest: Job, throughGate: Bool) -> Bool {
        let bits = UInt(bitPattern: Unmanaged.passUnretained(newest).toOpaque())
        var old = head.load(ordering: .relaxed)
        while true {
            if old & Self.gate != 0 && !throughGate { return false }
            oldest.intakeNext = Self.job(old)
            let (exchanged, current) = head.weakCompareExchange(
                expected: old, desired: bits | old & Self.gate, successOrdering: .sequentiallyConsistent, failureOrdering: .relaxed)
            if exchanged { return true }
            old = current
        }
    }

    /// Takes everything: the newest job, from which `intakeNext` leads to the oldest.
    func takeAll() -> Unmanaged<Job>? {
        var old = head.load(ordering: .sequentiallyConsistent)
        while old & ~Self.gate != 0 {
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
        UnsafeRawPointer(bitPattern: bits & ~gate).map { Unmanaged.fromOpaque($0) }
    }
}
