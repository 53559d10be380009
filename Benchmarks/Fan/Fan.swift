// One job, a million that depend on it, and one that depends on all of these: one end makes a million jobs ready, and a million ends
// meet in one job. The rival runs as many independent blocks, which is less work.

import WorkQueues

enum Fan {
    static var scenarios: [Scenario] {
        [
            Scenario("fan") { plan in
                let jobs = plan.size(1_000_000, quick: 10_000), width = Machine.cores
                return try plan.compare(
                    "fan", width: width, target: 1.5, workQueue(jobs: jobs, width: width),
                    against: Flat.dispatch(jobs: jobs).named("DispatchQueue, independent blocks"))
            }
        ]
    }

    /// - Parameter count: All of the jobs, with the two at the ends.
    static func workQueue(jobs count: Int, width: Int) -> Contestant {
        let branches = 1..<count - 1
        return Contestant(
            "WorkQueue", jobs: count, check: { try $0.expectOrder(of: branches.lazy.flatMap { [(0, $0), ($0, count - 1)] }) }
        ) {
            tally in
            try timed {
                let queue = WorkQueue(maxConcurrentJobCount: width)
                let jobs = emptyJobs(count, tally)
                for branch in branches {
                    try jobs[branch].addDependency(jobs[0])
                    try jobs[count - 1].addDependency(jobs[branch])
                }
                try queue.addJobs(jobs)
                queue.waitUntilAllJobsAreFinished()
            }
        }
    }
}
