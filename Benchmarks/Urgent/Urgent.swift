// An urgent job behind a million that wait: how long after the end of the running job does it begin, compared with an empty queue?

import Dispatch
import WorkQueues

enum Urgent {
    static var scenarios: [Scenario] {
        [
            Scenario("urgent") { plan in
                let waiting = plan.size(1_000_000, quick: 10_000)
                try prove(waiting: min(waiting, 10_000))
                return try [("urgent", false, 2), ("urgent/settled", true, nil)].flatMap { row, isSettled, target in
                    try gaps(row, plan, waiting: waiting, isSettled: isSettled, target: target)
                }
            }
        ]
    }

    private static func gaps(_ row: String, _ plan: Plan, waiting: Int, isSettled: Bool, target: Double?) throws -> [Row] {
        guard plan.wants(row) else { return [] }
        var behind: [Double] = [], empty: [Double] = []
        for _ in 0..<plan.runs {
            behind.append(gap(waiting: waiting, isSettled: isSettled))
            // One gap is a matter of microseconds, and of chance; an empty queue is made quickly, so there can be more of them.
            empty.append(median((0..<20).map { _ in gap(waiting: 0, isSettled: isSettled) }))
        }
        return [
            Row(
                scenario: row, n: waiting, width: 1, figure: median(behind), rival: "an empty queue", rivalFigure: median(empty),
                target: target)
        ]
    }

    /// Nanoseconds from the last instruction of the running job to the first of the urgent one.
    ///
    /// - Parameter isSettled: Whether the queue has looked at the waiting jobs before the urgent one comes. A busy queue of this width
    ///   has no reason to until its worker is free; suspending and resuming makes it look.
    private static func gap(waiting: Int, isSettled: Bool, _ tally: Tally? = nil) -> Double {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let isRunning = DispatchSemaphore(value: 0), mayEnd = DispatchSemaphore(value: 0)
        let ended = Moment(), begun = Moment()
        queue.addJob {
            isRunning.signal()
            mayEnd.wait()
            ended.note()
        }
        isRunning.wait()
        for index in 0..<waiting { queue.addJob { tally?.ran(index + 1) } }
        if isSettled {
            queue.isSuspended = true
            queue.isSuspended = false
        }
        let urgent = queue.addJob(priority: .veryHigh) {
            begun.note()
            tally?.ran(0)
        }
        mayEnd.signal()
        urgent.waitUntilFinished()
        if tally == nil { queue.cancelAllJobs() }
        queue.waitUntilAllJobsAreFinished()
        return begun.since(ended)
    }

    /// Lets all of them run, and fails unless the urgent one was the first.
    private static func prove(waiting: Int) throws {
        let tally = Tally(jobs: waiting + 1)
        _ = gap(waiting: waiting, isSettled: false, tally)
        try tally.expectInOrder()
    }
}
