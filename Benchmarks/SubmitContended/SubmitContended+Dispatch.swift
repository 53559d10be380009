// Dispatch blocks submitted by several threads.

import Dispatch

extension SubmitContended {
    static func dispatch(jobs: Int) -> Contestant {
        Contestant("DispatchQueue", jobs: jobs) { tally in
            timed {
                let queue = DispatchQueue.global(), group = DispatchGroup()
                fromAllProducers(jobs) { share in
                    if let tally {
                        for index in share { queue.async(group: group) { tally.ran(index) } }
                    } else {
                        for _ in share { queue.async(group: group) {} }
                    }
                }
                group.wait()
            }
        }
    }
}
