// Foundation's operations that block, on a queue as it comes.

import Foundation

extension Blocking {
    static var operationQueue: ChildTask {
        ChildTask("blocking/OperationQueue") { plan in
            let milliseconds = milliseconds(plan)
            return try proven { tally in
                timed {
                    let queue = OperationQueue()
                    for index in 0..<jobs {
                        queue.addOperation {
                            pause(milliseconds: milliseconds)
                            tally.ran(index)
                        }
                    }
                    queue.waitUntilAllOperationsAreFinished()
                }
            }
        }
    }
}
