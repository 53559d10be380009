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
            empty.append(gap(waiting: 0, isSettled: isSettled))
        }
        return [
            Row(
                scenario: row, n: waiting, width: 1, figure: median(behind), rival: "an empty queue", rivalFigure: median(empty),
                target: target)
        ]
    }

    /// One gap is a matter of microseconds, and of chance, so urgent jobs relieve each other: while one runs, the next one is added.
    private static let reliefs = 21

    /// Nanoseconds from the last instruction of an urgent job to the first of the urgent one after it, in the median.
    ///
    /// - Parameter isSettled: Whether the queue has looked at the waiting jobs before the urgent ones come; suspending and resuming makes it.
    private static func gap(waiting: Int, isSettled: Bool, _ tally: Tally? = nil) -> Double {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let isRunning = DispatchSemaphore(value: 0), mayEnd = DispatchSemaphore(value: 0)
        let begun = (0...reliefs).map { _ in Moment() }, ended = (0...reliefs).map { _ in Moment() }
        for number in 0...reliefs {
            queue.addJob(priority: .veryHigh) {
                begun[number].note()
                tally?.ran(number)
                isRunning.signal()
                mayEnd.wait()
                ended[number].note()
            }
            if number > 0 { mayEnd.signal() }
            isRunning.wait()
            guard number == 0 else { continue }
            for index in 0..<waiting { queue.addJob { tally?.ran(reliefs + 1 + index) } }
            if isSettled {
                queue.isSuspended = true
                queue.isSuspended = false
            }
        }
        if tally == nil { queue.cancelAllJobs() }
        mayEnd.signal()
        queue.waitUntilAllJobsAreFinished()
        return median((1...reliefs).map { begun[$0].since(ended[$0 - 1]) })
    }

    /// Lets all of them run, and fails unless the urgent ones were the first.
    private static func prove(waiting: Int) throws {
        let tally = Tally(jobs: waiting + reliefs + 1)
        _ = gap(waiting: waiting, isSettled: false, tally)
        try tally.expectInOrder()
    }
}
