// Empty closures of five priorities in turn: what it costs that the ready order is more than one line.

import WorkQueues

enum FlatMixed {
    static var scenarios: [Scenario] {
        [
            Scenario("flat-mixed") { plan in
                let jobs = plan.size(1_000_000, quick: 10_000), width = Machine.cores
                return try plan.compare(
                    "flat-mixed", width: width, target: 0.80, workQueue(jobs: jobs, width: width), against: Flat.dispatch(jobs: jobs))
            }
        ]
    }

    private static func workQueue(jobs: Int, width: Int) -> Contestant {
        let priorities: [Job.QueuePriority] = [.veryLow, .low, .normal, .high, .veryHigh]
        return Contestant("WorkQueue", jobs: jobs) { tally in
            timed {
                let queue = WorkQueue(maxConcurrentJobCount: width)
                if let tally {
                    for index in 0..<jobs { queue.addJob(priority: priorities[index % 5]) { tally.ran(index) } }
                } else {
                    for index in 0..<jobs { queue.addJob(priority: priorities[index % 5]) {} }
                }
                queue.waitUntilAllJobsAreFinished()
            }
        }
    }
}
