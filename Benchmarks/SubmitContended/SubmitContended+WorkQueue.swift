// Jobs added by several threads.

import WorkQueues

extension SubmitContended {
    static func workQueue(jobs: Int, width: Int) -> Contestant {
        Contestant("WorkQueue", jobs: jobs) { tally in
            timed {
                let queue = WorkQueue(maxConcurrentJobCount: width)
                fromAllProducers(jobs) { share in
                    if let tally {
                        for index in share { queue.addJob { tally.ran(index) } }
                    } else {
                        for _ in share { queue.addJob {} }
                    }
                }
                queue.waitUntilAllJobsAreFinished()
            }
        }
    }
}
