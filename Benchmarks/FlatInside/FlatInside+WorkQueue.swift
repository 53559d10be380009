// Jobs that add jobs.

import WorkQueues

extension FlatInside {
    static func workQueue(jobs: Int, width: Int) -> Contestant {
        Contestant("WorkQueue", jobs: jobs) { tally in
            timed {
                let queue = WorkQueue(maxConcurrentJobCount: width)
                queue.addJob { addChildren(of: 0, jobs: jobs, to: queue, tally) }
                queue.waitUntilAllJobsAreFinished()
            }
        }
    }

    private static func addChildren(of index: Int, jobs: Int, to queue: WorkQueue, _ tally: Tally?) {
        tally?.ran(index)
        for child in children(of: index, jobs: jobs) {
            queue.addJob { addChildren(of: child, jobs: jobs, to: queue, tally) }
        }
    }
}
