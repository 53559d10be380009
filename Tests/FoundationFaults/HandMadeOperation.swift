// The asynchronous operation as tutorials write it by hand; `cancel()` ends it whatever it does.
import Foundation

final class HandMadeOperation: Operation, @unchecked Sendable {
    // Unchecked: the state is as unprotected as it is in the tutorials.
    enum State: String {
        case ready = "isReady"
        case executing = "isExecuting"
        case finished = "isFinished"
    }

    var state = State.ready {
        willSet {
            willChangeValue(forKey: newValue.rawValue)
            willChangeValue(forKey: state.rawValue)
        }
        didSet {
            didChangeValue(forKey: oldValue.rawValue)
            didChangeValue(forKey: state.rawValue)
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

    override func main() {
        state = .finished
    }

    override func cancel() {
        super.cancel()
        state = .finished
    }
}
