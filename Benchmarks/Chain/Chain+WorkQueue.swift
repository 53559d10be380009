// A chain of jobs.

import WorkQueues

extension Chain {
    static func workQueue(jobs count: Int, width: Int) -> Contestant {
        Contestant("WorkQueue", jobs: count, check: { try $0.expectInOrder() }) { tally in
            try timed {
                let queue = WorkQueue(maxConcurrentJobCount: width)
                let jobs = emptyJobs(count, tally)
                for index in 1..<count { try jobs[index].addDependency(jobs[index - 1]) }
                try queue.addJobs(jobs)
                queue.waitUntilAllJobsAreFinished()
            }
        }
    }
}
