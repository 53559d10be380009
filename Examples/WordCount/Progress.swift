// Draws how many files are counted, for people who watch a terminal: an observer of the queue, so that no job knows of it.

import Synchronization
import WorkQueues

final class Progress: JobObserver {
    static let count = "count"
    static let display = "display"

    private struct State {
        var added = 0
        var finished = 0
        var drawn: ContinuousClock.Instant?

        /// Draws at most twenty times a second.
        mutating func countFinished(at instant: ContinuousClock.Instant) {
            finished += 1
            if let drawn, instant - drawn < .milliseconds(50) { return }
            drawn = instant
            Console.draw(progress: "\(finished) of \(added) files counted")
        }
    }

    private let state = Mutex(State())

    func record(_ event: JobEvent) {
        switch (event.jobName, event.kind) {
        case (Self.count, .added): state.withLock { $0.added += 1 }
        case (Self.count, .finished): state.withLock { $0.countFinished(at: event.instant) }
        case (Self.display, .started): Console.draw(progress: "")
        default: break
        }
    }
}
