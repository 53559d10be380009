// Dispatch blocks that submit blocks.

import Dispatch

extension FlatInside {
    static func dispatch(jobs: Int) -> Contestant {
        Contestant("DispatchQueue", jobs: jobs) { tally in
            timed {
                let queue = DispatchQueue.global(), group = DispatchGroup()
                queue.async(group: group) { addChildren(of: 0, jobs: jobs, to: queue, group, tally) }
                group.wait()
            }
        }
    }

    private static func addChildren(of index: Int, jobs: Int, to queue: DispatchQueue, _ group: DispatchGroup, _ tally: Tally?) {
        tally?.ran(index)
        for child in children(of: index, jobs: jobs) {
            queue.async(group: group) { addChildren(of: child, jobs: jobs, to: queue, group, tally) }
        }
    }
}
