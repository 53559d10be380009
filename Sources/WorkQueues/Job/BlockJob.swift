// A job made of closures.

import SchedulingCore
import Synchronization

/// Runs one or more closures and ends when all have returned.
///
/// The blocks of one job run one after the other, on the job's worker, in the order they were added; use several jobs to run them at
/// the same time.
open class BlockJob: Job, @unchecked Sendable {
    // Unchecked for `first`. It is written in `init`, run by the worker, and taken away by whoever ends the job; others read it under the
    // lock of `further`. They make that, then look whether the job has begun; the worker, once the job has begun, looks whether it was
    // made. Both accesses are sequentially consistent, so one of the two sees the other.

    /// The block that the job was made with.
    private var first: (@Sendable () -> Void)?
    /// What was needed only since somebody asked for, or added, blocks.
    private let further = LazyReference<FurtherBlocks>()

    public override init() {}

    public init(_ block: @escaping @Sendable () -> Void) {
        first = block
        super.init()
    }

    deinit { if first != nil || further.value != nil { releaseBlocks() } }

    /// Adds a closure.
    ///
    /// - Throws: `.alreadyStarted` once the job executes, `.alreadyFinished` after its end.
    public final func addExecutionBlock(_ block: @escaping @Sendable () -> Void) throws(JobError) {
        let isAdded = further.value(orMake: FurtherBlocks.init).blocks.withLock { blocks in
            guard mayStillChange else { return false }
            blocks.append(block)
            return true
        }
        guard isAdded else {
            throw phase == .finished
                ? .alreadyFinished(self, "no block can be added") : .alreadyStarted(self, "no block can be added")
        }
    }

    /// The closures that will run; empty once they run.
    public final var executionBlocks: [@Sendable () -> Void] {
        further.value(orMake: FurtherBlocks.init).blocks.withLock { blocks in mayStillChange ? (first.map { [$0] } ?? []) + blocks : [] }
    }

    open override func main() {
        first?()
        guard let further = further.value else { return }
        for block in further.take() { block() }
    }

    override func releaseBody() {
        // Nobody reads a block of a job that has begun or ended without having made `further`.
        if further.value == nil { first = nil } else { releaseBlocks() }
    }

    /// Lets go of the blocks one after the other with what else is let go of on this thread: each may hold the last reference to a job with
    /// blocks of its own.
    private func releaseBlocks() {
        // A reader may be at it, under the lock.
        let gone = further.value?.blocks.withLock { blocks in
            defer { (first, blocks) = (nil, []) }
            return (first, blocks)
        }
        if let gone { return ReleaseList.release(gone) }
        if let first = first.take() { ReleaseList.release(first) }
    }

    private var mayStillChange: Bool {
        let state = JobState(rawValue: word.load(ordering: .sequentiallyConsistent))
        return state.phase != .executing && state.phase != .finished
    }
}

/// Blocks that were added to a job after it was made.
private final class FurtherBlocks: Sendable {
    let blocks = Locked<[@Sendable () -> Void]>([])

    func take() -> [@Sendable () -> Void] {
        blocks.withLock { blocks in
            defer { blocks = [] }
            return blocks
        }
    }
}
