// Waking a queue's worker.

import WorkQueues

extension Wake {
    static func workQueue(wakes: Int) -> [Double] {
        let queue = WorkQueue(maxConcurrentJobCount: Machine.cores)
        return delays(wakes) { body in queue.addJob { body() } }
    }
}
