// A job made of closures.

import SchedulingCore

/// Runs one or more closures and ends when all have returned.
///
/// The blocks of one job run one after the other, on the job's worker, in the order they were added; use several jobs to run them at
/// the same time.
open class BlockJob: Job, @unchecked Sendable {
    // Unchecked because a subclass of an unchecked class must say so; the blocks have a lock of their own.
    private enum Blocks {
        case waiting([@Sendable () -> Void])
        case taken
    }

    private let blocks = Locked(Blocks.waiting([]))

    public override init() {}

    public init(_ block: @escaping @Sendable () -> Void) {
        super.init()
        blocks.withLock { $0 = .waiting([block]) }
    }

    deinit { releaseBody() }

    /// Adds a closure.
    ///
    /// - Throws: `.alreadyStarted` once the job executes, `.alreadyFinished` after its end.
    public final func addExecutionBlock(_ block: @escaping @Sendable () -> Void) throws(JobError) {
        let isAdded = blocks.withLock { blocks in
            guard case .waiting(let waiting) = blocks, phase != .executing, phase != .finished else { return false }
            blocks = .waiting(waiting + [block])
            return true
        }
        guard isAdded else {
            throw phase == .finished
                ? .alreadyFinished(self, "no block can be added") : .alreadyStarted(self, "no block can be added")
        }
    }

    /// The closures that will run; empty once they run.
    public final var executionBlocks: [@Sendable () -> Void] {
        blocks.withLock { if case .waiting(let waiting) = $0 { waiting } else { [] } }
    }

    open override func main() {
        for block in takeBlocks() { block() }
    }

    override func releaseBody() {
        let blocks = takeBlocks()
        if !blocks.isEmpty { ReleaseList.release(blocks) }
    }

    private func takeBlocks() -> [@Sendable () -> Void] {
        blocks.withLock { blocks in
            guard case .waiting(let waiting) = blocks else { return [] }
            blocks = .taken
            return waiting
        }
    }
}
