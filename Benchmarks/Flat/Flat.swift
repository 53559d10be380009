// Empty closures, added one by one while the workers run them: what a job costs when nothing but the queue costs anything.

enum Flat {
    static var scenarios: [Scenario] {
        [
            Scenario("flat") { plan in
                let jobs = plan.size(1_000_000, quick: 10_000), width = Machine.cores
                return try plan.compare(
                    "flat", width: width, target: 0.60, workQueue(jobs: jobs, width: width), against: dispatch(jobs: jobs))
            },
            Scenario("flat-serial") { plan in
                let jobs = plan.size(1_000_000, quick: 10_000)
                return try plan.compare(
                    "flat-serial", width: 1, target: 0.80, workQueue(jobs: jobs, width: 1), against: serialDispatch(jobs: jobs))
            },
            Scenario("flat-wide") { plan in
                let jobs = plan.size(1_000_000, quick: 10_000)
                return try plan.compare(
                    "flat-wide", width: 64, target: 0.80, workQueue(jobs: jobs, width: 64), against: dispatch(jobs: jobs))
            },
            Scenario("flat-foundation") { plan in
                let jobs = plan.size(100_000, quick: 5_000), width = Machine.cores
                return try plan.compare(
                    "flat-foundation", width: width, target: 0.05, workQueue(jobs: jobs, width: width),
                    against: operationQueue(jobs: jobs, width: width))
            },
            Scenario("flat-taskgroup") { plan in
                let jobs = plan.size(1_000_000, quick: 10_000), width = Machine.cores
                return try plan.compare(
                    "flat-taskgroup", width: width, target: nil, workQueue(jobs: jobs, width: width), against: taskGroup(jobs: jobs))
            },
        ]
    }
}
