// Jobs that add jobs: each adds two more until all are there, so the workers are the producers.

enum FlatInside {
    static var scenarios: [Scenario] {
        [
            Scenario("flat-inside") { plan in
                let jobs = plan.size(1_000_000, quick: 10_000), width = Machine.cores
                return try plan.compare(
                    "flat-inside", width: width, target: 0.60, workQueue(jobs: jobs, width: width), against: dispatch(jobs: jobs))
            }
        ]
    }

    /// The two jobs that a job adds, as far as there are that many; the first job is number 0.
    static func children(of index: Int, jobs: Int) -> Range<Int> {
        let first = min(2 * index + 1, jobs)
        return first..<min(first + 2, jobs)
    }
}
