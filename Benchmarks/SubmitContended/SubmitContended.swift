// Several threads that add at the same time: what producers cost each other, and the workers.

enum SubmitContended {
    static let producers = 4

    static var scenarios: [Scenario] {
        [
            Scenario("submit-contended") { plan in
                let jobs = plan.size(1_000_000, quick: 10_000), width = Machine.cores
                return try plan.compare(
                    "submit-contended", width: width, target: 0.70, workQueue(jobs: jobs, width: width), against: dispatch(jobs: jobs))
            }
        ]
    }

    /// Has each producer, on a thread of its own, add its share.
    static func fromAllProducers(_ jobs: Int, _ addShare: @escaping @Sendable (Range<Int>) -> Void) {
        let share = jobs / producers
        inThreads(producers) { producer in addShare(producer * share..<(producer + 1) * share) }
    }
}
