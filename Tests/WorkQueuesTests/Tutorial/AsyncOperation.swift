// The hand-made asynchronous operation of the tutorials, as a `Job`: nothing is changed but the names.
import WorkQueues

class AsyncOperation: Job, @unchecked Sendable {
    // Unchecked, as the tutorials have it: `state` has no lock of its own.
    enum State: String {
        case ready = "Ready"
        case executing = "Executing"
        case finished = "Finished"

        fileprivate var keyPath: String { "is" + rawValue }
    }

    var state = State.ready {
        willSet {
            willChangeValue(forKey: newValue.keyPath)
            willChangeValue(forKey: state.keyPath)
        }
        didSet {
            didChangeValue(forKey: oldValue.keyPath)
            didChangeValue(forKey: state.keyPath)
        }
    }

    override var isReady: Bool { super.isReady && state == .ready }
    override var isExecuting: Bool { state == .executing }
    override var isFinished: Bool { state == .finished }
    override var isAsynchronous: Bool { true }

    override func start() {
        if isCancelled {
            state = .finished
            return
        }
        main()
        state = .executing
    }

    override func cancel() {
        super.cancel()
        state = .finished
    }
}

/// What a reader of the tutorial writes next: calls back from elsewhere, here when the gate opens.
final class FetchOperation: AsyncOperation, @unchecked Sendable {
    // Unchecked, as the superclass: what is added is constant.
    let bodies = Meter()
    let begun = Gate()
    private let work: @Sendable (FetchOperation) -> Void

    init(_ work: @escaping @Sendable (FetchOperation) -> Void = { _ in }) {
        self.work = work
        super.init()
    }

    override func main() {
        bodies.enter()
        begun.open()
        work(self)
    }

    func callBack() { state = .finished }
}

/// The careful variant of the same tutorials: the state lives behind a lock, and only moves forward.
class LockedOperation: Job, @unchecked Sendable {
    // Unchecked: what varies is behind a lock.
    private let stored = Guarded(AsyncOperation.State.ready)
    let bodies = Meter()

    var state: AsyncOperation.State {
        get { stored.current }
        set {
            let old = stored.current
            willChangeValue(forKey: newValue.keyPath)
            willChangeValue(forKey: old.keyPath)
            stored.with { if $0 != .finished { $0 = newValue } }
            didChangeValue(forKey: old.keyPath)
            didChangeValue(forKey: newValue.keyPath)
        }
    }

    override var isReady: Bool { super.isReady && state == .ready }
    override var isExecuting: Bool { state == .executing }
    override var isFinished: Bool { state == .finished }
    override var isAsynchronous: Bool { true }

    override func start() {
        if isCancelled {
            state = .finished
            return
        }
        state = .executing
        main()
    }

    override func main() { bodies.enter() }

    override func cancel() {
        super.cancel()
        state = .finished
    }
}
