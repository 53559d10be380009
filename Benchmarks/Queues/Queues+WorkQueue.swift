// Many queues.

import WorkQueues

extension Queues {
    static func workQueue(queues: Int) -> Contestant {
        Contestant("WorkQueue", jobs: queues, check: { try $0.expectInOrder() }) { tally in
            timed {
                for index in 0..<queues {
                    let queue = WorkQueue(maxConcurrentJobCount: 1)
                    queue.addJob { tally?.ran(index) }
                    queue.waitUntilAllJobsAreFinished()
                }
            }
        }
    }

    static func workQueuesAtOnce(queues count: Int) -> Contestant {
        Contestant("WorkQueue", jobs: count) { tally in
            timed {
                let queues = (0..<count).map { _ in WorkQueue(maxConcurrentJobCount: 1) }
                for (index, queue) in queues.enumerated() { queue.addJob { tally?.ran(index) } }
                for queue in queues { queue.waitUntilAllJobsAreFinished() }
            }
        }
    }
}
