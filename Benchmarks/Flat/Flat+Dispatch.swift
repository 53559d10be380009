// The flat work as Dispatch blocks, on the global queue and on a serial one.

import Dispatch

extension Flat {
    static func dispatch(jobs: Int) -> Contestant {
        Contestant("DispatchQueue", jobs: jobs) { tally in
            run(jobs, on: DispatchQueue.global(), tally)
        }
    }

    static func serialDispatch(jobs: Int) -> Contestant {
        Contestant("DispatchQueue, serial", jobs: jobs, check: { try $0.expectInOrder() }) { tally in
            run(jobs, on: DispatchQueue(label: "serial"), tally)
        }
    }

    private static func run(_ jobs: Int, on queue: DispatchQueue, _ tally: Tally?) -> Double {
        timed {
            let group = DispatchGroup()
            if let tally {
                for index in 0..<jobs { queue.async(group: group) { tally.ran(index) } }
            } else {
                for _ in 0..<jobs { queue.async(group: group) {} }
            }
            group.wait()
        }
    }
}
