// A wait costs what it costs, however much hangs on the job that waits (O4).
import WorkQueues
import XCTest

final class WaitCostTests: XCTestCase {
    /// A job on which as many depend waits `count` times. At width 1 the awaited job cannot begin before the wait has lent it the slot, so
    /// no wait finds its job over.
    private func scales(_ what: String, line: UInt = #line, _ wait: @escaping @Sendable (ResultJob<Void>) -> Void) {
        assertScales(what, from: 1_000, line: line) { count in
            let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
            let waiter = queue.addJob {
                for _ in 0..<count { wait(queue.addJob(priority: .high) {}) }
            }
            let counters = Link.Counters()
            let hanging = (0..<count).map { _ in Link(counters) }
            for job in hanging { try? job.addDependency(waiter) }
            return ContinuousClock().measure {
                queue.isSuspended = false
                assertDrained(queue)
            }
        }
    }

    func testS39_WaitsOfAJobOnWhichManyDepend() {
        scales("waitUntilFinished") { $0.waitUntilFinished() }
        scales("waitForValue") { try? $0.waitForValue() }
    }
}
