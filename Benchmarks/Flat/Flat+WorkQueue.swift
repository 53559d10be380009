// The flat work as jobs.

import WorkQueues

extension Flat {
    static func workQueue(jobs: Int, width: Int) -> Contestant {
        Contestant("WorkQueue", jobs: jobs, check: { width == 1 ? try $0.expectInOrder() : try $0.expectEachOnce() }) { tally in
            timed {
                let queue = WorkQueue(maxConcurrentJobCount: width)
                if let tally {
                    for index in 0..<jobs { queue.addJob { tally.ran(index) } }
                } else {
                    for _ in 0..<jobs { queue.addJob {} }
                }
                queue.waitUntilAllJobsAreFinished()
            }
        }
    }
}
