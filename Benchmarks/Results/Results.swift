// Pairs of a producer and a consumer that is handed its value.

enum Results {
    static var scenarios: [Scenario] {
        [
            Scenario("results") { plan in
                let pairs = plan.size(1_000_000, quick: 10_000), width = Machine.cores
                return try plan.compare(
                    "results", width: width, target: 0.25, workQueue(pairs: pairs, width: width), against: tasks(pairs: pairs))
            }
        ]
    }

    /// Each run adds up what its consumers return, and so proves that each was handed its own value.
    static func expect(_ sum: Int, pairs: Int) throws {
        if sum != pairs * (pairs + 1) / 2 { throw CheckFailure("the consumers of \(pairs) pairs add up to \(sum)") }
    }
}
