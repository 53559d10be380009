// Waiting jobs.

import WorkQueues

extension MemoryUse {
    static var workQueue: ChildTask {
        ChildTask("memory/WorkQueue") { plan in
            let reading = read(jobs(plan)) { jobs, whileTheyWait in
                let queue = WorkQueue(maxConcurrentJobCount: Machine.cores, isSuspended: true)
                for _ in 0..<jobs { queue.addJob {} }
                whileTheyWait()
                queue.isSuspended = false
                queue.waitUntilAllJobsAreFinished()
            }
            return reading.numbers
        }
    }
}
