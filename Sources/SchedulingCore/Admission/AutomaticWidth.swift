// How many workers a queue has that decides its width by itself.

/// The rule of the automatic width: one worker per core to begin with, more while jobs wait and the cores are idle, fewer when workers are.
///
/// Jobs that compute keep the cores busy and get no more workers; jobs that block leave them idle and do.
package struct AutomaticWidth: Sendable {
    /// The width up to which a queue grows; one that has more cores than this begins with one worker per core and stays there.
    package static let limit = 64

    private let cores: UInt64
    private let base: Int
    private var idleLooks = 0

    /// The number of workers that the queue may have now.
    package private(set) var width: Int

    /// Starts with one worker per core, at least two. `cores` is what affinity and quotas leave to the process.
    package init(cores: Int) {
        self.cores = UInt64(max(1, cores))
        base = max(2, cores)
        width = base
    }

    /// Takes note of what the process did since the last look.
    ///
    /// When in two looks running jobs wait for a worker, all workers are taken, and the process used less than 80 % of its cores, the
    /// width grows by a quarter, at least by one. The next growth takes two more looks. A look at which no time has passed says nothing.
    ///
    /// - Parameters:
    ///   - cpuNanoseconds: the processor time that the process used, on all cores.
    ///   - elapsedNanoseconds: the time that passed.
    package mutating func look(cpuNanoseconds: UInt64, elapsedNanoseconds: UInt64, everyWorkerTaken: Bool, readyJobsWait: Bool) {
        guard elapsedNanoseconds > 0 else { return }
        let used = cpuNanoseconds.multipliedFullWidth(by: 100)
        let enough = elapsedNanoseconds.multipliedFullWidth(by: 80 * cores)
        guard everyWorkerTaken, readyJobsWait, (used.high, used.low) < (enough.high, enough.low) else {
            idleLooks = 0
            return
        }
        idleLooks += 1
        if idleLooks == 2 {
            idleLooks = 0
            width = max(width, min(Self.limit, width + max(1, width / 4)))
        }
    }

    /// Gives up the workers that are idle: the width falls to those that are busy, but never below what it began with.
    package mutating func becameIdle(busy: Int) {
        width = min(width, max(base, busy))
    }
}
