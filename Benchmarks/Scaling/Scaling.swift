// The same work at growing sizes: a job must not cost more because there are many of them.

enum Scaling {
    static var scenarios: [Scenario] {
        [
            Scenario("scaling") { plan in
                let base = plan.size(10_000, quick: 1_000), width = Machine.cores
                return try shapes.flatMap { name, shape in
                    try [10 * base, 100 * base].flatMap { jobs in
                        try plan.compare(
                            "scaling/\(name)/\(jobs)", width: width, target: 1.3, shape(jobs, width),
                            against: shape(base, width).named("itself, \(base) jobs"))
                    }
                }
            }
        ]
    }

    private static var shapes: [(String, (_ jobs: Int, _ width: Int) -> Contestant)] {
        [("flat", Flat.workQueue), ("chain", Chain.workQueue), ("fan", Fan.workQueue)]
    }
}
