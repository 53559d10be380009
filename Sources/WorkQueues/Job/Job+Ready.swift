// Becoming ready: the question that only the job's own `isReady` can answer.

import SchedulingCore

extension Job {
    /// Asks `isReady` of a queued job without unmet edges, off every lock, again if a post came by meanwhile. True if the job became ready.
    final func askWhetherReady(on engine: QueueEngine) -> Bool {
        while true {
            let posts = jobState.posts
            let isWilling = isReady
            let effect = transition(on: engine) { $0.answer(isWilling, posts: posts) } news: { effect, _ in
                effect == .becameReady ? [.event(.ready), .changed(.isReady)] : []
            }
            switch effect {
            case .becameReady: return true
            case .stillHeld, .stale: return false
            case .askAgain: continue
            }
        }
    }
}
