// The flat work as Foundation's operations.

import Foundation

extension Flat {
    static func operationQueue(jobs: Int, width: Int) -> Contestant {
        Contestant("OperationQueue", jobs: jobs) { tally in
            timed {
                let queue = OperationQueue()
                queue.maxConcurrentOperationCount = width
                if let tally {
                    for index in 0..<jobs { queue.addOperation { tally.ran(index) } }
                } else {
                    for _ in 0..<jobs { queue.addOperation {} }
                }
                queue.waitUntilAllOperationsAreFinished()
            }
        }
    }
}
