// Cancelling everything that waits, until all of it has ended, against adding it.

import WorkQueues

enum CancelPending {
    static var scenarios: [Scenario] {
        [
            Scenario("cancel-pending") { plan in
                let jobs = plan.size(1_000_000, quick: 10_000), width = Machine.cores
                return try plan.compare(
                    "cancel-pending", width: width, target: 1.0, run(jobs: jobs, width: width, counting: .cancelling),
                    against: run(jobs: jobs, width: width, counting: .adding).named("adding them"))
            }
        ]
    }

    private enum Part { case adding, cancelling }

    private static func run(jobs: Int, width: Int, counting part: Part) -> Contestant {
        // No job may run; each is counted in when it ends.
        Contestant("WorkQueue", jobs: jobs) { tally in
            let queue = WorkQueue(maxConcurrentJobCount: width, isSuspended: true)
            let adding = timed {
                for index in 0..<jobs {
                    let job = queue.addJob {}
                    if let tally {
                        job.addCompletion { if case .cancelled = $0 { tally.ran(index) } }
                    }
                }
            }
            let cancelling = timed {
                queue.cancelAllJobs()
                queue.waitUntilAllJobsAreFinished()
            }
            return part == .adding ? adding : cancelling
        }
    }
}
