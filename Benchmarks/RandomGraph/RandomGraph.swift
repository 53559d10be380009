// A graph without a pattern: the search for cycles gets no help from the order in which jobs and edges come. The rival runs as many
// independent blocks, which is less work.

import WorkQueues

enum RandomGraph {
    static var scenarios: [Scenario] {
        [
            Scenario("random-graph") { plan in
                let jobs = plan.size(100_000, quick: 5_000), width = Machine.cores
                return try plan.compare(
                    "random-graph", width: width, target: 5, workQueue(jobs: jobs, edges: 5 * jobs, width: width),
                    against: Flat.dispatch(jobs: jobs).named("DispatchQueue, independent blocks"))
            }
        ]
    }

    private static func workQueue(jobs count: Int, edges: Int, width: Int) -> Contestant {
        let edges = hiddenOrderEdges(edges, jobs: count)
        return Contestant("WorkQueue", jobs: count, check: { try $0.expectOrder(of: edges) }) { tally in
            try timed {
                let queue = WorkQueue(maxConcurrentJobCount: width)
                let jobs = emptyJobs(count, tally)
                for (dependency, dependent) in edges { try jobs[dependent].addDependency(jobs[dependency]) }
                try queue.addJobs(jobs)
                queue.waitUntilAllJobsAreFinished()
            }
        }
    }
}
