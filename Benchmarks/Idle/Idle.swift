// A queue whose jobs all wait for one edge: it must not use any processor time to wait with them. Measured in a process of its own.

import WorkQueues

enum Idle {
    static var scenarios: [Scenario] {
        [
            Scenario("idle") { plan in
                let waiting = jobs(plan)
                let nanoseconds = milliseconds(plan) * 1e6
                return try plan.compare(
                    "idle", width: Machine.cores, target: 0.005, task.contestant("WorkQueue", jobs: waiting, plan),
                    against: .limit("the time that passed", jobs: waiting, nanoseconds: nanoseconds))
            }
        ]
    }

    static var task: ChildTask {
        ChildTask("idle") { plan in
            let tally = Tally(jobs: jobs(plan))
            let queue = WorkQueue(maxConcurrentJobCount: Machine.cores)
            let gate = ResultJob {}
            for index in 0..<tally.jobs { queue.addJob(dependencies: [gate]) { tally.ran(index) } }
            // What adding has set going comes to rest first.
            pause(milliseconds: 100)
            let before = Clock.processTime
            pause(milliseconds: milliseconds(plan))
            let used = Double(Clock.processTime - before)
            try queue.addJob(gate)
            queue.waitUntilAllJobsAreFinished()
            try tally.expectEachOnce()
            return [used]
        }
    }

    private static func jobs(_ plan: Plan) -> Int { plan.size(10_000, quick: 1_000) }
    private static func milliseconds(_ plan: Plan) -> Double { plan.size(2_000, quick: 500) }
}
