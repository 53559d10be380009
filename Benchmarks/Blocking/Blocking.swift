// Jobs that block their thread: are as many of them at work at once as the width says, and does the automatic width find out by itself?
// Each run is a process of its own, so that no thread is there already.

enum Blocking {
    static let jobs = 64

    static var scenarios: [Scenario] {
        [
            Scenario("blocking") { plan in
                try plan.compare(
                    "blocking", width: jobs, target: 1.10, workQueue(width: jobs).contestant("WorkQueue", jobs: jobs, plan),
                    against: .limit("the time of one job", jobs: jobs, nanoseconds: milliseconds(plan) * 1e6))
            },
            Scenario("blocking-automatic") { plan in
                try plan.compare(
                    "blocking-automatic", width: -1, target: 0.60, workQueue(width: -1).contestant("WorkQueue", jobs: jobs, plan),
                    against: operationQueue.contestant("OperationQueue", jobs: jobs, plan))
            },
        ]
    }

    static var tasks: [ChildTask] { [workQueue(width: jobs), workQueue(width: -1), operationQueue] }

    /// How long a job blocks.
    static func milliseconds(_ plan: Plan) -> Double { plan.size(500, quick: 100) }

    /// Does the work with a tally, which costs nothing beside half a second, and checks it.
    static func proven(_ work: (Tally) -> Double) throws -> [Double] {
        let tally = Tally(jobs: jobs)
        let time = work(tally)
        try tally.expectEachOnce()
        return [time]
    }
}
