// Many serial queues of Dispatch.

import Dispatch

extension Queues {
    static func dispatch(queues: Int) -> Contestant {
        Contestant("DispatchQueue, serial", jobs: queues, check: { try $0.expectInOrder() }) { tally in
            timed {
                for index in 0..<queues {
                    let queue = DispatchQueue(label: "serial"), group = DispatchGroup()
                    queue.async(group: group) { tally?.ran(index) }
                    group.wait()
                }
            }
        }
    }

    static func dispatchAtOnce(queues count: Int) -> Contestant {
        Contestant("DispatchQueue, serial", jobs: count) { tally in
            timed {
                let queues = (0..<count).map { _ in (DispatchQueue(label: "serial"), DispatchGroup()) }
                for (index, (queue, group)) in queues.enumerated() { queue.async(group: group) { tally?.ran(index) } }
                for (_, group) in queues { group.wait() }
            }
        }
    }
}
