// The flat work as child tasks that nobody asks for a result.

extension Flat {
    static func taskGroup(jobs: Int) -> Contestant {
        Contestant("withDiscardingTaskGroup", jobs: jobs) { tally in
            try blocking {
                await timed {
                    await withDiscardingTaskGroup { group in
                        if let tally {
                            for index in 0..<jobs { group.addTask { tally.ran(index) } }
                        } else {
                            for _ in 0..<jobs { group.addTask {} }
                        }
                    }
                }
            }
        }
    }
}
