// Queues that live for one job: made, used and freed, one after the other, and all of them at the same time.

enum Queues {
    static var scenarios: [Scenario] {
        [
            Scenario("queues") { plan in
                let queues = plan.size(10_000, quick: 500)
                return try plan.compare("queues", width: 1, target: 2.0, workQueue(queues: queues), against: dispatch(queues: queues))
                    + plan.compare(
                        "queues/at-once", width: 1, target: nil, workQueuesAtOnce(queues: queues), against: dispatchAtOnce(queues: queues))
            }
        ]
    }
}
