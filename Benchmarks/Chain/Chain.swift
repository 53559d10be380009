// Jobs of which each depends on the one before: made, linked, added and run. No two can run at the same time, so every end is what
// the next start waits for. The Dispatch rival runs as many independent blocks, which is less work.

enum Chain {
    static var scenarios: [Scenario] {
        [
            Scenario("chain") { plan in
                let jobs = plan.size(1_000_000, quick: 10_000), width = Machine.cores
                return try plan.compare(
                    "chain", width: width, target: 1.0, workQueue(jobs: jobs, width: width),
                    against: Flat.dispatch(jobs: jobs).named("DispatchQueue, independent blocks"))
            },
            Scenario("chain-foundation") { plan in
                // At its default width Foundation takes the square of the time for twice the length; the second row is its best case.
                func compare(_ row: String, width: Int, target: Double?) throws -> [Row] {
                    let jobs = plan.size(5_000, quick: 500)
                    return try plan.compare(
                        row, width: width, target: target, workQueue(jobs: jobs, width: width),
                        against: operationQueue(jobs: jobs, width: width))
                }
                return try compare("chain-foundation", width: -1, target: 0.0005)
                    + compare("chain-foundation/narrow", width: Machine.cores, target: nil)
            },
        ]
    }
}
