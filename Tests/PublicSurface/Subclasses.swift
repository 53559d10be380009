// Every class that is open to subclasses, with everything that a subclass may override.
import Dispatch
import WorkQueues

final class Multiply: Job, @unchecked Sendable {
    // Unchecked, as the superclass: written by the body, read after the end.
    let factors: [Int]
    var product: Int?

    init(_ factors: [Int]) {
        self.factors = factors
        super.init()
        name = "multiply"
        queuePriority = .low
        qualityOfService = .utility
    }

    override func main() {
        do {
            try Job.checkCancellation()
            product = factors.reduce(1, *)
        } catch {
            fail(with: error)
        }
    }

    override var description: String { "multiply \(factors)" }
}

/// A job that keeps its own state and tells the queue about it, as Foundation subclasses do.
class Posting: Job, @unchecked Sendable {
    // Unchecked, as the superclass: a compile-time sample that never runs.
    private var working = false
    private var ended = false

    override var isReady: Bool { super.isReady && !ended }
    override var isExecuting: Bool { working }
    override var isFinished: Bool { ended }
    override var isAsynchronous: Bool { true }

    override func start() {
        guard !isCancelled else { return end() }
        willChangeValue(forKey: "isExecuting")
        working = true
        didChangeValue(forKey: "isExecuting")
        main()
    }

    override func cancel() {
        super.cancel()
        end()
    }

    func end() {
        willChangeValue(for: \.isFinished)
        ended = true
        didChangeValue(for: \.isFinished)
    }
}

final class Upload: AsyncJob, @unchecked Sendable {
    override func main() {
        DispatchQueue.global().async {
            if self.isCancelled { self.finish(throwing: CancellationError()) } else { self.finish() }
        }
    }
}

final class Square: ResultJob<Int>, @unchecked Sendable {
    // Unchecked, as the superclass: the only stored property is a constant.
    let side: Int

    init(side: Int) {
        self.side = side
        super.init()
    }

    override func run() throws -> Int { side * side }
}

final class LateSquare: AsyncResultJob<Int>, @unchecked Sendable {
    override func run() async throws -> Int {
        await Task.yield()
        return 49
    }
}

final class Several: BlockJob, @unchecked Sendable {
    override func cancel() { super.cancel() }
}
