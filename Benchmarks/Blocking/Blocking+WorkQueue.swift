// Jobs that block.

import WorkQueues

extension Blocking {
    static func workQueue(width: Int) -> ChildTask {
        ChildTask("blocking/WorkQueue/\(width)") { plan in
            let milliseconds = milliseconds(plan)
            return try proven { tally in
                timed {
                    let queue = WorkQueue(maxConcurrentJobCount: width)
                    for index in 0..<jobs {
                        queue.addJob {
                            pause(milliseconds: milliseconds)
                            tally.ran(index)
                        }
                    }
                    queue.waitUntilAllJobsAreFinished()
                }
            }
        }
    }
}
