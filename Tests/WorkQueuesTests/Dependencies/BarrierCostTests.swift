// A living barrier, or a wait for a whole queue, does not make edges and additions search the same jobs again and again (D2, W4).
import WorkQueues
import XCTest

final class BarrierCostTests: XCTestCase {
    /// Builds on a queue that stands still, and times it; `build` gets the queue, which has a barrier, and as many jobs as wanted.
    private func scales(_ what: String, line: UInt = #line, _ build: (WorkQueue, [Link]) throws -> Void) {
        assertScales(what, from: 3_000, line: line) { count in
            let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
            let counters = Link.Counters()
            let jobs = (0..<count).map { _ in Link(counters) }
            queue.addBarrierBlock {}
            let time = ContinuousClock().measure {
                do { try build(queue, jobs) } catch { XCTFail("\(error)", line: line) }
            }
            queue.cancelAllJobs()
            assertDrained(queue)
            return time
        }
    }

    func testS39_AChainElsewhereFromEitherEnd() {
        scales("forwards") { _, jobs in
            for number in 1..<jobs.count { try jobs[number].addDependency(jobs[number - 1]) }
        }
        scales("in reverse") { _, jobs in
            for number in 1..<jobs.count { try jobs[number - 1].addDependency(jobs[number]) }
        }
    }

    func testS39_AChainBehindTheBarrierFromEitherEnd() {
        scales("linked, then added") { queue, jobs in
            for number in 1..<jobs.count {
                try jobs[number].addDependency(jobs[number - 1])
                try queue.addJob(jobs[number])
            }
        }
        scales("added, then linked in reverse") { queue, jobs in
            try queue.addJobs(jobs)
            for number in 1..<jobs.count { try jobs[number - 1].addDependency(jobs[number]) }
        }
        scales("linked in reverse, each added when it is linked") { queue, jobs in
            for number in 1..<jobs.count {
                try jobs[number - 1].addDependency(jobs[number])
                try queue.addJob(jobs[number])
            }
        }
    }

    func testS39_AChainAddedBehindTheBarrierAsOneBatch() {
        scales("a batch") { queue, jobs in
            for number in 1..<jobs.count { try jobs[number].addDependency(jobs[number - 1]) }
            try queue.addJobs(jobs)
        }
    }

    func testS39_JobsBeforeABarrierThatAreLinkedAfterIt() {
        scales("before and behind") { _, jobs in
            let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
            let half = jobs.count / 2
            try queue.addJobs(Array(jobs[..<half]))
            queue.addBarrierBlock {}
            try queue.addJobs(Array(jobs[half...]))
            for number in half + 1..<jobs.count { try jobs[number - 1].addDependency(jobs[number]) }
            for number in 1..<half { try jobs[number - 1].addDependency(jobs[number]) }
        }
    }

    func testS39_AChainWhileSomebodyWaitsForAQueue() {
        let waited = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        waited.addJob {}
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let begun = Gate()
        queue.addJob {
            begun.open()
            waited.waitUntilAllJobsAreFinished()
        }
        begun.wait()
        scales("while a queue is waited for") { _, jobs in
            for number in 1..<jobs.count { try jobs[number - 1].addDependency(jobs[number]) }
        }
        waited.isSuspended = false
        assertDrained(waited)
        assertDrained(queue)
    }
}
