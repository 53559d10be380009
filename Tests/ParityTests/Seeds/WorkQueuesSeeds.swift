// The seed programs of operation-queue tutorials as Job subclasses; `FoundationSeeds.swift` is the same text with Foundation's names.
import Foundation
import WorkQueues

enum WorkQueuesSeeds {
    class DownloadImage: Job, @unchecked Sendable {
        let title: String
        let seconds: Double
        let report: @Sendable (String) -> Void

        init(_ title: String, seconds: Double, report: @escaping @Sendable (String) -> Void) {
            self.title = title
            self.seconds = seconds
            self.report = report
            super.init()
        }

        override func main() {
            report("\(title) starts")
            Thread.sleep(forTimeInterval: seconds)
            report("\(title) ends")
        }
    }

    final class Calculate: Job, @unchecked Sendable {
        let first: Int
        let second: Int
        var sum: Int?

        init(first: Int, second: Int) {
            self.first = first
            self.second = second
            super.init()
        }

        override func main() {
            sum = first + second
        }
    }

    final class Display: Job, @unchecked Sendable {
        let show: @Sendable (String) -> Void

        init(show: @escaping @Sendable (String) -> Void) {
            self.show = show
            super.init()
        }

        override func main() {
            guard let sum = dependencies.compactMap({ ($0 as? Calculate)?.sum }).first else { return show("no sum") }
            show("Sum = \(sum)")
        }
    }

    class AsyncOperation: Job, @unchecked Sendable {
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

        override func cancel() {
            super.cancel()
            state = .finished
        }
    }

    final class Fetch: AsyncOperation, @unchecked Sendable {
        let begun: @Sendable (Fetch) -> Void

        init(begun: @escaping @Sendable (Fetch) -> Void) {
            self.begun = begun
            super.init()
        }

        override func main() {
            begun(self)
        }
    }

    final class Download: Job, @unchecked Sendable {
        let expected: Int
        let progress: @Sendable (Int, Int) -> Void
        var received = 0 { didSet { progress(received, expected) } }

        init(expected: Int, progress: @escaping @Sendable (Int, Int) -> Void) {
            self.expected = expected
            self.progress = progress
            super.init()
        }

        override func main() {
            while received < expected && !isCancelled {
                received = min(received + 256, expected)
            }
        }
    }
}
