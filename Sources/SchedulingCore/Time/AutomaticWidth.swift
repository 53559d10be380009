// The width that a queue gives itself.

/// The rule of the automatic width.
///
/// It starts with one worker per core, at least two. While ready jobs wait and all workers are taken, the queue looks every 10 ms; if the process
/// used less than 80 % of its cores in two looks running, its jobs are blocked rather than busy, and the width grows by a quarter, at
/// least by one, up to 64. It shrinks when workers find nothing to do.
package struct AutomaticWidth: Sendable {
    package static let maximum = 64

    private let cores: Int
    private let base: Int
    private var lazyLooks = 0
    package private(set) var width: Int

    package init(cores: Int) {
        self.cores = max(1, cores)
        base = max(2, cores)
        width = base
    }

    /// One look: how much processor time the process used since the last one, and whether more workers would have work.
    package mutating func look(cpuNanoseconds: UInt64, elapsedNanoseconds: UInt64, everyWorkerTaken: Bool, readyJobsWait: Bool) {
        guard everyWorkerTaken, readyJobsWait, elapsedNanoseconds > 0 else {
            lazyLooks = 0
            return
        }
        let capacity = Double(elapsedNanoseconds) * Double(cores)
        guard Double(cpuNanoseconds) < 0.8 * capacity else {
            lazyLooks = 0
            return
        }
        lazyLooks += 1
        if lazyLooks == 2 {
            lazyLooks = 0
            width = min(max(Self.maximum, base), width + max(1, width / 4))
        }
    }

    /// A worker found nothing to do while `busy` slots were taken.
    package mutating func becameIdle(busy: Int) { width = max(base, min(width, busy)) }
}
