// The proof that a scenario does its work: which jobs ran, how often, and in which order.

import Synchronization

/// Counts jobs in. Each job has an index, and says once that it ran.
final class Tally: @unchecked Sendable {
    // Unchecked for the pointer: it is set once, and what it points at is atomic.
    private let positions: UnsafeMutablePointer<Atomic<Int>>
    private let next = Atomic<Int>(1)
    private let repeats = Atomic<Int>(0)
    let jobs: Int

    init(jobs: Int) {
        self.jobs = jobs
        positions = .allocate(capacity: jobs)
        for index in 0..<jobs { (positions + index).initialize(to: Atomic(0)) }
    }

    deinit {
        positions.deinitialize(count: jobs)
        positions.deallocate()
    }

    func ran(_ index: Int) {
        let position = next.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue
        if positions[index].exchange(position, ordering: .sequentiallyConsistent) != 0 {
            repeats.wrappingAdd(1, ordering: .sequentiallyConsistent)
        }
    }

    /// Fails unless every job ran exactly once.
    func expectEachOnce() throws {
        let repeats = repeats.load(ordering: .sequentiallyConsistent)
        if repeats > 0 { throw CheckFailure("\(repeats) of \(jobs) jobs ran again") }
        let missing = (0..<jobs).count { position(of: $0) == 0 }
        if missing > 0 { throw CheckFailure("\(missing) of \(jobs) jobs did not run") }
    }

    /// Fails unless every job ran exactly once, in the order of the indices.
    func expectInOrder() throws {
        try expectEachOnce()
        if let index = (0..<jobs).first(where: { position(of: $0) != $0 + 1 }) {
            throw CheckFailure("job \(index) ran as number \(position(of: index) - 1)")
        }
    }

    /// Fails unless every job ran exactly once, and the first of each pair before the second.
    func expectOrder(of pairs: some Sequence<(Int, Int)>) throws {
        try expectEachOnce()
        for (first, second) in pairs where position(of: first) > position(of: second) {
            throw CheckFailure("job \(second) ran before job \(first), on which it depends")
        }
    }

    private func position(of index: Int) -> Int { positions[index].load(ordering: .sequentiallyConsistent) }
}

struct CheckFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
