// Busy iterations of Dispatch's parallel loop.

import Dispatch

extension CPUAutomatic {
    static func concurrentPerform(jobs: Int, milliseconds: Double) -> Contestant {
        Contestant("concurrentPerform", jobs: jobs) { tally in
            timed {
                DispatchQueue.concurrentPerform(iterations: jobs) { index in
                    burn(milliseconds: milliseconds)
                    tally?.ran(index)
                }
            }
        }
    }
}
