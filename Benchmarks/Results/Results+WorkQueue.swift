// Pairs of typed jobs.

import WorkQueues

extension Results {
    static func workQueue(pairs: Int, width: Int) -> Contestant {
        Contestant("WorkQueue", jobs: pairs) { tally in
            try blocking {
                try await timed {
                    let queue = WorkQueue(maxConcurrentJobCount: width)
                    var consumers: [ResultJob<Int>] = []
                    for index in 0..<pairs {
                        let producer = queue.addJob { index }
                        consumers.append(
                            queue.addJob(after: producer) { value in
                                tally?.ran(index)
                                return value + 1
                            })
                    }
                    var sum = 0
                    for consumer in consumers { sum += try await consumer.value }
                    try expect(sum, pairs: pairs)
                }
            }
        }
    }
}
