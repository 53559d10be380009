// Asynchronous closures that give their thread away once: what it costs that a job is a task of its own on the queue's workers.

import WorkQueues

enum AsyncJobs {
    static var scenarios: [Scenario] {
        [
            Scenario("async-jobs") { plan in
                let jobs = plan.size(100_000, quick: 5_000), width = Machine.cores
                return try plan.compare(
                    "async-jobs", width: width, target: 1.2, workQueue(jobs: jobs, width: width), against: tasks(jobs: jobs))
            }
        ]
    }

    private static func workQueue(jobs count: Int, width: Int) -> Contestant {
        Contestant("WorkQueue", jobs: count) { tally in
            try blocking {
                await timed {
                    let queue = WorkQueue(maxConcurrentJobCount: width)
                    let jobs = (0..<count).map { index in
                        queue.addJob {
                            await Task.yield()
                            tally?.ran(index)
                        }
                    }
                    for job in jobs { await job.waitUntilFinished() }
                }
            }
        }
    }

    private static func tasks(jobs count: Int) -> Contestant {
        Contestant("Task", jobs: count) { tally in
            try blocking {
                await timed {
                    let tasks = (0..<count).map { index in
                        Task {
                            await Task.yield()
                            tally?.ran(index)
                        }
                    }
                    for task in tasks { await task.value }
                }
            }
        }
    }
}
