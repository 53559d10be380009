// What an observer adds to the flat work, for each event that it is told, against reading the clock three times.

import Synchronization
import WorkQueues

enum Observed {
    static var scenarios: [Scenario] {
        [
            Scenario("observed") { plan in
                let jobs = plan.size(100_000, quick: 5_000)
                let observer = Observer()
                try run(jobs: jobs, observer).prove()
                let events = observer.events
                if events < 4 * jobs { throw CheckFailure("the observer was told \(events) events of \(jobs) jobs") }

                var with: [Double] = [], without: [Double] = [], clock: [Double] = []
                for _ in 0..<plan.runs {
                    with.append(try sample(run(jobs: jobs, Observer()), plan))
                    without.append(try sample(run(jobs: jobs, nil), plan))
                    clock.append(threeReads(plan))
                }
                let added = (median(with) - median(without)) * Double(jobs) / Double(events)
                return [
                    Row(
                        scenario: "observed", n: events, width: Machine.cores, figure: added, rival: "three reads of the clock",
                        rivalFigure: median(clock), target: 1.0)
                ]
            }
        ]
    }

    private final class Observer: JobObserver {
        private let count = Atomic<Int>(0)
        var events: Int { count.load(ordering: .relaxed) }

        func record(_ event: JobEvent) { count.wrappingAdd(1, ordering: .relaxed) }
    }

    private static func run(jobs: Int, _ observer: Observer?) -> Contestant {
        Contestant("WorkQueue", jobs: jobs) { tally in
            timed {
                let queue = WorkQueue(maxConcurrentJobCount: Machine.cores)
                if let observer { queue.addObserver(observer) }
                if let tally {
                    for index in 0..<jobs { queue.addJob { tally.ran(index) } }
                } else {
                    for _ in 0..<jobs { queue.addJob {} }
                }
                queue.waitUntilAllJobsAreFinished()
            }
        }
    }

    /// Nanoseconds per job.
    private static func sample(_ contestant: Contestant, _ plan: Plan) throws -> Double {
        var sum = 0.0, jobs = 0
        repeat {
            sum += try contestant.run(nil)
            jobs += contestant.jobs
        } while sum < plan.leastSample
        return sum / Double(jobs)
    }

    private static func threeReads(_ plan: Plan) -> Double {
        let count = plan.size(2_000_000, quick: 50_000)
        var last: UInt64 = 0
        let time = timed { for _ in 0..<count { last = max(Clock.now, Clock.now, Clock.now, last) } }
        precondition(last > 0, "the clock stands at zero")
        return time / Double(count)
    }
}
