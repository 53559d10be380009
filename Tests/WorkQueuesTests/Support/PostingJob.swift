// A hand-made asynchronous job in the manner of operation subclasses: overridden properties and posts.
import WorkQueues

/// Runs from its start until `end()`; the end is posted as often as `end()` is called.
class PostingJob: Job, @unchecked Sendable {
    // Unchecked, as the superclass: what varies is guarded.
    let begun = Gate()
    let starts = Meter()
    private let state = Guarded((executing: false, finished: false))

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state.with { $0.executing } }
    override var isFinished: Bool { state.with { $0.finished } }

    override func start() {
        starts.enter()
        starts.leave()
        begin()
    }

    final func begin() {
        willChangeValue(forKey: "isExecuting")
        state.with { $0.executing = true }
        didChangeValue(forKey: "isExecuting")
        begun.open()
    }

    final func end() {
        willChangeValue(forKey: "isExecuting")
        willChangeValue(forKey: "isFinished")
        state.with { $0 = (executing: false, finished: true) }
        didChangeValue(forKey: "isExecuting")
        didChangeValue(forKey: "isFinished")
    }
}
