// Pairs of tasks of which one awaits the other.

extension Results {
    static func tasks(pairs: Int) -> Contestant {
        Contestant("Task", jobs: pairs) { tally in
            try blocking {
                try await timed {
                    var consumers: [Task<Int, Never>] = []
                    for index in 0..<pairs {
                        let producer = Task { index }
                        consumers.append(
                            Task {
                                let value = await producer.value
                                tally?.ran(index)
                                return value + 1
                            })
                    }
                    var sum = 0
                    for consumer in consumers { sum += await consumer.value }
                    try expect(sum, pairs: pairs)
                }
            }
        }
    }
}
