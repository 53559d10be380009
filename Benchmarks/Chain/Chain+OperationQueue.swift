// A chain of Foundation's operations.

import Foundation

extension Chain {
    static func operationQueue(jobs count: Int, width: Int) -> Contestant {
        Contestant("OperationQueue", jobs: count, check: { try $0.expectInOrder() }) { tally in
            timed {
                let queue = OperationQueue()
                queue.maxConcurrentOperationCount = width
                let operations = emptyOperations(count, tally)
                for index in 1..<count { operations[index].addDependency(operations[index - 1]) }
                queue.addOperations(operations, waitUntilFinished: false)
                queue.waitUntilAllOperationsAreFinished()
            }
        }
    }

    private static func emptyOperations(_ count: Int, _ tally: Tally?) -> [Operation] {
        if let tally {
            (0..<count).map { index in BlockOperation { tally.ran(index) } }
        } else {
            (0..<count).map { _ in BlockOperation {} }
        }
    }
}
