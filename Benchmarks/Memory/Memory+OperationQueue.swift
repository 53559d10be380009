// Waiting operations of Foundation.

import Foundation

extension MemoryUse {
    static var operationQueue: ChildTask {
        ChildTask("memory/OperationQueue") { plan in
            let reading = read(jobs(plan)) { jobs, whileTheyWait in
                let queue = OperationQueue()
                queue.maxConcurrentOperationCount = Machine.cores
                queue.isSuspended = true
                for _ in 0..<jobs { queue.addOperation {} }
                whileTheyWait()
                queue.isSuspended = false
                queue.waitUntilAllOperationsAreFinished()
            }
            return reading.numbers
        }
    }
}
