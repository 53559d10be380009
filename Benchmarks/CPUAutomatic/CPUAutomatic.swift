// Jobs that keep a core busy, at the automatic width: it must use all cores, and crowd none of them.

import Synchronization

enum CPUAutomatic {
    static var scenarios: [Scenario] {
        [
            Scenario("cpu-automatic") { plan in
                let jobs = plan.size(100, quick: 20), milliseconds = plan.size(50.0, quick: 20.0), peak = Peak()
                // Both rows come out of the same runs, whichever of them is wanted.
                let rows = try plan.withoutFilters.compare(
                    "cpu-automatic", width: -1, target: 1.1, workQueue(jobs: jobs, milliseconds: milliseconds, peak),
                    against: concurrentPerform(jobs: jobs, milliseconds: milliseconds))
                let cores = Double(Machine.cores)
                return rows + [
                    Row(
                        scenario: "cpu-automatic/peak", n: jobs, width: -1, figure: Double(peak.value), rival: "cores", rivalFigure: cores,
                        target: (cores + 1) / cores, unit: .jobs)
                ]
            }
        ]
    }

    /// How many jobs were at work at the same time at most, over all runs.
    final class Peak: Sendable {
        private let count = Mutex((now: 0, most: 0))

        var value: Int { count.withLock { $0.most } }

        func around(_ work: () -> Void) {
            count.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            work()
            count.withLock { $0.now -= 1 }
        }
    }
}
