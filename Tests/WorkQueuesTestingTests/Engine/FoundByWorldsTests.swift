// The smallest form of what random worlds and the explorer found.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class FoundByWorldsTests: XCTestCase {
    /// A job that ended before it had edges was listed as waiting for a barrier once it got one, for ever: a search for rings ran into it
    /// after it had been freed, and ended the process.
    func testD2_AnEdgeToAnEndedJobBehindABarrierLeavesNoTrace() throws {
        let harness = QueueHarness()
        let queue = harness.queue
        let gate = HandMade()
        queue.addBarrierBlock {}
        var ended: Job? = queue.addJob { 1 }
        try queue.addJob(gate)
        let barrier = queue.addBarrierBlock {}
        harness.drain()
        XCTAssertEqual(ended?.isFinished, true)

        let late = Job()
        if let job = ended { try late.addDependency(job) }
        if let job = ended { late.removeDependency(job) }
        ended = nil
        try barrier.addDependency(late)
        gate.finish()
        try queue.addJob(BlockJob {})
        XCTAssertEqual(try harness.thrownCode { () throws(JobError) in try queue.addJob(late) }, .dependencyCycle)
        barrier.cancel()
        XCTAssertTrue(harness.drain().isComplete)
    }
}

private final class HandMade: AsyncJob, @unchecked Sendable {}

extension QueueHarness {
    /// With which code `body` is refused.
    func thrownCode(_ body: () throws(JobError) -> Void) throws -> JobError.Code? {
        do throws(JobError) { try body() } catch { return error.code }
        return nil
    }
}
