// Jobs that are made first and added in one step. The rival submits as many blocks, one by one, since Dispatch knows no other way.

import WorkQueues

enum Batch {
    static var scenarios: [Scenario] {
        [
            Scenario("batch") { plan in
                let jobs = plan.size(1_000_000, quick: 10_000), width = Machine.cores
                return try plan.compare(
                    "batch", width: width, target: 0.60, workQueue(jobs: jobs, width: width), against: Flat.dispatch(jobs: jobs))
            }
        ]
    }

    private static func workQueue(jobs: Int, width: Int) -> Contestant {
        Contestant("WorkQueue", jobs: jobs) { tally in
            try timed {
                let queue = WorkQueue(maxConcurrentJobCount: width)
                try queue.addJobs(emptyJobs(jobs, tally))
                queue.waitUntilAllJobsAreFinished()
            }
        }
    }
}
