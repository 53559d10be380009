// The two schedulers that a parity test compares, and the loop that runs one scenario on each.
import Foundation
import WorkQueues

enum Side: CaseIterable, CustomStringConvertible {
    case foundation
    case workQueues

    var description: String {
        switch self {
        case .foundation: "OperationQueue"
        case .workQueues: "WorkQueue"
        }
    }

    /// A negative width is the default one of either side.
    func queue(width: Int = -1, isSuspended: Bool = false) -> any ParityQueue {
        switch self {
        case .foundation:
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = width
            queue.isSuspended = isSuspended
            return queue
        case .workQueues:
            return WorkQueue(maxConcurrentJobCount: width, isSuspended: isSuspended)
        }
    }

    func job(_ body: @escaping @Sendable () -> Void = {}) -> any ParityJob {
        switch self {
        case .foundation: BlockOperation(block: body)
        case .workQueues: BlockJob(body)
        }
    }

    /// A job whose body is told which job it is.
    func job(knowingItself body: @escaping @Sendable (any ParityJob) -> Void) -> any ParityJob {
        switch self {
        case .foundation: SelfKnowingOperation(body)
        case .workQueues: SelfKnowingJob(body)
        }
    }

    func jobs(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> [any ParityJob] {
        (0..<count).map { number in job { body(number) } }
    }

    /// The queue whose job the calling thread runs.
    var currentQueue: (any ParityQueue)? {
        switch self {
        case .foundation: OperationQueue.current
        case .workQueues: WorkQueue.current
        }
    }
}

/// Runs the scenario on Foundation's type first and on ours second, each on a thread of its own under a watchdog.
func onBothSides(
    _ seconds: Double = 60, file: StaticString = #filePath, line: UInt = #line, _ scenario: @escaping @Sendable (Side) throws -> Void
) {
    for side in Side.allCases {
        within(seconds, "\(side)", file: file, line: line) { try scenario(side) }
    }
}

/// For scenarios in which Foundation's side may take the process with it: a hand-made operation that is cancelled ends twice there,
/// from two threads, and now and then crashes.
func onOurSide(
    _ seconds: Double = 60, file: StaticString = #filePath, line: UInt = #line, _ scenario: @escaping @Sendable (Side) throws -> Void
) {
    within(seconds, "\(Side.workQueues)", file: file, line: line) { try scenario(.workQueues) }
}

private final class SelfKnowingOperation: Operation, @unchecked Sendable {
    // Unchecked, as the superclass: the only stored property is a constant.
    private let body: @Sendable (any ParityJob) -> Void

    init(_ body: @escaping @Sendable (any ParityJob) -> Void) {
        self.body = body
        super.init()
    }

    override func main() { body(self) }
}

private final class SelfKnowingJob: Job, @unchecked Sendable {
    // Unchecked, as the superclass: the only stored property is a constant.
    private let body: @Sendable (any ParityJob) -> Void

    init(_ body: @escaping @Sendable (any ParityJob) -> Void) {
        self.body = body
        super.init()
    }

    override func main() { body(self) }
}
