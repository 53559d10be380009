// Becoming ready: the question that only the job's own `isReady` can answer.

import SchedulingCore
import Synchronization

extension Job {
    /// Asks `isReady` of a queued job without unmet edges, off every lock, again if a post came by meanwhile.
    final func askWhetherReady(on engine: QueueEngine) {
        while true {
            let posts = jobState.posts
            let isWilling = isReady
            let effect = transition(on: engine) {
                $0.answer(isWilling, posts: posts)
            } news: { effect, _ in
                effect == .becameReady ? [.event(.ready), .changed(.isReady)] : []
            }
            if effect != .askAgain { return }
        }
    }

    /// The job became ready under its queue's lock, where no letter can be written: leaves the stamp for who delivers next.
    final func notePendingReady(on engine: QueueEngine) {
        guard isWatched(by: engine) else { return }
        extrasOrNew.pendingReady.store(engine.hub.stamp(), ordering: .sequentiallyConsistent)
    }

    /// The last obstacle of a queued job, but for its own answer, went away.
    final func becameAskable(on engine: QueueEngine) {
        if isPlain { askWhetherReady(on: engine) }
        engine.place(self)
    }
}
