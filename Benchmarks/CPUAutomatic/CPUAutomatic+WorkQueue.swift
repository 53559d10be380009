// Busy jobs.

import WorkQueues

extension CPUAutomatic {
    static func workQueue(jobs: Int, milliseconds: Double, _ peak: Peak) -> Contestant {
        Contestant("WorkQueue", jobs: jobs) { tally in
            timed {
                let queue = WorkQueue()
                for index in 0..<jobs {
                    queue.addJob {
                        peak.around { burn(milliseconds: milliseconds) }
                        tally?.ran(index)
                    }
                }
                queue.waitUntilAllJobsAreFinished()
            }
        }
    }
}
