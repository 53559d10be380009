// An idle queue: how long after it was added does a job begin? The workers have gone home and must be woken.

import Dispatch

enum Wake {
    static var scenarios: [Scenario] {
        [
            Scenario("wake") { plan in
                let wakes = plan.size(400, quick: 50)
                var ours: [Double] = [], theirs: [Double] = []
                for _ in 0..<plan.runs {
                    ours += workQueue(wakes: wakes)
                    theirs += dispatch(wakes: wakes)
                }
                func row(_ name: String, _ percent: Int, target: Double?) -> Row {
                    Row(
                        scenario: name, n: ours.count, width: Machine.cores, figure: percentile(percent, of: ours), rival: "DispatchQueue",
                        rivalFigure: percentile(percent, of: theirs), target: target)
                }
                return [row("wake", 50, target: 1.15), row("wake/p99", 99, target: nil)]
            }
        ]
    }

    /// Adds a job again and again, each time when the one before has ended and the queue has come to rest.
    ///
    /// - Returns: Nanoseconds from just before the call that adds to the first instruction of the job.
    static func delays(_ wakes: Int, add: (@escaping @Sendable () -> Void) -> Void) -> [Double] {
        let added = Moment(), begun = Moment(), done = DispatchSemaphore(value: 0)
        return (0..<wakes).map { _ in
            pause(milliseconds: 0.5)
            added.note()
            add {
                begun.note()
                done.signal()
            }
            done.wait()
            return begun.since(added)
        }
    }
}
