// Edges alone, in the four orders in which programs add them, at two sizes: does an edge cost more when there are more of them?

import WorkQueues

enum Edges {
    static var scenarios: [Scenario] {
        [
            Scenario("edges") { plan in
                let large = plan.size(1_000_000, quick: 20_000), small = large / 10
                return try orders.flatMap { order in
                    let row = "edges/\(order.name)/\(large)"
                    // Drawing the edges of a row that nobody wants would take longer than the measurements of others.
                    guard plan.wants(row) else { return [Row]() }
                    return try plan.compare(
                        row, width: nil, target: order.target, adding(large, order),
                        against: adding(small, order).named("itself, \(small) edges"))
                }
            }
        ]
    }

    /// An order in which edges can come.
    private struct Order {
        let name: String
        let target: Double
        let jobs: (_ edges: Int) -> Int
        /// Pairs of a dependency and its dependent.
        let edges: (Int) -> [(Int, Int)]
    }

    private static var orders: [Order] {
        [
            // Each new end of a chain is linked to the one before.
            Order(name: "forwards", target: 1.5, jobs: { $0 + 1 }, edges: { count in (0..<count).map { ($0, $0 + 1) } }),
            // `jobs[i].addDependency(jobs[i + 1])`: each new beginning of a chain.
            Order(name: "reverse", target: 1.5, jobs: { $0 + 1 }, edges: { count in (0..<count).map { ($0 + 1, $0) } }),
            // Two and two chains become one: the end of one is linked to the beginning of the other, and both have their own edges.
            Order(name: "merging", target: 1.5, jobs: { $0 + 1 }, edges: mergingChains),
            // Five edges a job that agree with an order that nobody knows.
            Order(name: "random", target: 3.5, jobs: { $0 / 5 }, edges: { hiddenOrderEdges($0, jobs: $0 / 5) }),
        ]
    }

    private static func mergingChains(_ count: Int) -> [(Int, Int)] {
        var edges: [(Int, Int)] = []
        var length = 1
        while length <= count {
            edges += stride(from: length, through: count, by: 2 * length).map { ($0 - 1, $0) }
            length *= 2
        }
        return edges
    }

    /// The jobs are made and freed outside of the time.
    private static func adding(_ count: Int, _ order: Order) -> Contestant {
        let edges = order.edges(count)
        // Each edge is an entry of the tally, so "each once" says that each is there.
        return Contestant("WorkQueue", jobs: count) { tally in
            let jobs = emptyJobs(order.jobs(count), nil)
            let time = try timed {
                for (dependency, dependent) in edges { try jobs[dependent].addDependency(jobs[dependency]) }
            }
            if let tally {
                var met = 0
                for job in jobs { met += job.dependencies.count }
                for edge in 0..<min(met, count) { tally.ran(edge) }
            }
            return time
        }
    }
}
