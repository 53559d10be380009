// Jobs made by hand as subclasses of Foundation's operations are: their flags are their own, and every change is posted.
import WorkQueues

/// Asynchronous; `start()` posts its beginning and calls the body, and somebody calls `end()`.
class HandMadeJob: Job, @unchecked Sendable {
    // Unchecked: what varies is behind a lock.
    struct Flags: Sendable {
        var ready = true
        var executing = false
        var finished = false
    }

    let flags: Guarded<Flags>
    let starts = Meter()
    private let body: @Sendable (HandMadeJob) -> Void

    init(ready: Bool = true, _ body: @escaping @Sendable (HandMadeJob) -> Void = { _ in }) {
        flags = Guarded(Flags(ready: ready))
        self.body = body
        super.init()
    }

    override var isReady: Bool { flags.current.ready && super.isReady }
    override var isExecuting: Bool { flags.current.executing }
    override var isFinished: Bool { flags.current.finished }
    override var isAsynchronous: Bool { true }

    override func start() {
        if isCancelled {
            end()
            return
        }
        willChangeValue(forKey: "isExecuting")
        flags.with { $0.executing = true }
        didChangeValue(forKey: "isExecuting")
        starts.enter()
        body(self)
    }

    func end() {
        willChangeValue(forKey: "isExecuting")
        willChangeValue(forKey: "isFinished")
        flags.with {
            $0.executing = false
            $0.finished = true
        }
        didChangeValue(forKey: "isExecuting")
        didChangeValue(forKey: "isFinished")
    }

    func allow() {
        willChangeValue(forKey: "isReady")
        flags.with { $0.ready = true }
        didChangeValue(forKey: "isReady")
    }
}

/// Synchronous; held back by its own `isReady` until `allow()`, and counts how it was asked.
class LateJob: Job, @unchecked Sendable {
    // Unchecked: what varies is behind a lock.
    let allowed: Guarded<Bool>
    let runs = Meter()
    let refusals = Meter()
    let consents = Meter()

    init(allowed: Bool = false) {
        self.allowed = Guarded(allowed)
        super.init()
    }

    override var isReady: Bool {
        guard super.isReady, allowed.current else {
            refusals.enter()
            return false
        }
        consents.enter()
        return true
    }

    override func main() {
        runs.enter()
        runs.leave()
    }

    func allow(announced: Bool = true) {
        if announced { willChangeValue(forKey: "isReady") }
        allowed.set(true)
        didChangeValue(forKey: "isReady")
    }
}
