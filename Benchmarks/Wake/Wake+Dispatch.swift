// Waking a thread of Dispatch's.

import Dispatch

extension Wake {
    static func dispatch(wakes: Int) -> [Double] {
        let queue = DispatchQueue.global()
        return delays(wakes) { body in queue.async { body() } }
    }
}
