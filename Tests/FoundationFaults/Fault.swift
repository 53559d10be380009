// The faults by name, and the few lines that commit each of them.
import Foundation
import Synchronization

/// The raw values are what `Tests/ParityTests` passes as the argument.
enum Fault: String, CaseIterable {
    case cycle
    case removedDependency = "removed-dependency"
    case longChain = "long-chain"
    case addedTwice = "added-twice"
    case addedFinished = "added-finished"
    case badBatch = "bad-batch"
    case cancelledBehindBarrier = "cancelled-behind-barrier"
    case meeting
    case unmetStart = "unmet-start"
    case lateBlock = "late-block"
    case negativeWidth = "negative-width"
    case waitForOwnJob = "wait-for-own-job"
    case waitForOwnQueue = "wait-for-own-queue"
    case handMadeRace = "hand-made-race"
    case handMadeAdded = "hand-made-added"

    /// Returns when Foundation survived.
    func commit() {
        let queue = OperationQueue()
        switch self {
        case .cycle: Self.cycle(queue)
        case .removedDependency: Self.removedDependency(queue)
        case .longChain: Self.longChain()
        case .addedTwice: Self.addedTwice(queue)
        case .addedFinished: Self.addedFinished(queue)
        case .badBatch: Self.badBatch(queue)
        case .cancelledBehindBarrier: Self.cancelledBehindBarrier(queue)
        case .meeting: Self.meeting(queue)
        case .unmetStart: Self.unmetStart()
        case .lateBlock: Self.lateBlock(queue)
        case .negativeWidth: Self.negativeWidth(queue)
        case .waitForOwnJob: Self.waitForOwnJob(queue)
        case .waitForOwnQueue: Self.waitForOwnQueue(queue)
        case .handMadeRace: Self.handMadeRace(queue)
        case .handMadeAdded: Self.handMadeAdded(queue)
        }
    }
}

extension Fault {
    /// Two operations that wait for each other: neither ever runs, and nobody says so.
    private static func cycle(_ queue: OperationQueue) {
        let a = BlockOperation {}
        let b = BlockOperation {}
        a.addDependency(b)
        b.addDependency(a)
        queue.addOperations([a, b], waitUntilFinished: true)
    }

    /// The only edge of an operation is taken away before its dependency ran: the operation never runs.
    private static func removedDependency(_ queue: OperationQueue) {
        let other = BlockOperation {}
        let dependent = BlockOperation {}
        dependent.addDependency(other)
        queue.addOperation(dependent)
        dependent.removeDependency(other)
        queue.waitUntilAllOperationsAreFinished()
    }

    /// The last reference to a chain goes: the deinits nest until the stack is full.
    private static func longChain() {
        var last = BlockOperation {}
        for _ in 0..<100_000 {
            let next = BlockOperation {}
            next.addDependency(last)
            last = next
        }
        last = BlockOperation {}
    }

    private static func addedTwice(_ queue: OperationQueue) {
        queue.isSuspended = true
        let operation = BlockOperation {}
        queue.addOperation(operation)
        queue.addOperation(operation)
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
    }

    private static func addedFinished(_ queue: OperationQueue) {
        let operation = BlockOperation {}
        queue.addOperations([operation], waitUntilFinished: true)
        queue.addOperation(operation)
    }

    /// One member of a batch is finished already.
    private static func badBatch(_ queue: OperationQueue) {
        let finished = BlockOperation {}
        finished.start()
        queue.addOperations([BlockOperation {}, finished, BlockOperation {}], waitUntilFinished: true)
    }

    /// A cancelled operation is added while a barrier waits: `addOperation` does not return.
    private static func cancelledBehindBarrier(_ queue: OperationQueue) {
        let gate = DispatchSemaphore(value: 0)
        queue.addOperation { gate.wait() }
        queue.addBarrierBlock {}
        let cancelled = BlockOperation {}
        cancelled.cancel()
        queue.addOperation(cancelled)
        gate.signal()
        queue.waitUntilAllOperationsAreFinished()
    }

    /// 64 operations at width 64 that wait for each other: most get no thread, so those that have one wait for ever.
    private static func meeting(_ queue: OperationQueue) {
        queue.maxConcurrentOperationCount = 64
        let group = DispatchGroup()
        for _ in 0..<64 { group.enter() }
        for _ in 0..<64 {
            queue.addOperation {
                group.leave()
                group.wait()
            }
        }
        queue.waitUntilAllOperationsAreFinished()
    }

    private static func unmetStart() {
        let operation = BlockOperation {}
        operation.addDependency(BlockOperation {})
        operation.start()
    }

    /// A block is added to an operation that runs.
    private static func lateBlock(_ queue: OperationQueue) {
        let runs = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        let operation = BlockOperation {
            runs.signal()
            gate.wait()
        }
        queue.addOperation(operation)
        runs.wait()
        operation.addExecutionBlock {}
        gate.signal()
        queue.waitUntilAllOperationsAreFinished()
    }

    private static func negativeWidth(_ queue: OperationQueue) {
        queue.maxConcurrentOperationCount = -2
    }

    /// At width 1 an operation waits for another one of its own queue.
    private static func waitForOwnJob(_ queue: OperationQueue) {
        queue.maxConcurrentOperationCount = 1
        queue.addOperation {
            let inner = BlockOperation {}
            OperationQueue.current?.addOperation(inner)
            inner.waitUntilFinished()
        }
        queue.waitUntilAllOperationsAreFinished()
    }

    /// An operation waits for all of its own queue, itself among them.
    private static func waitForOwnQueue(_ queue: OperationQueue) {
        queue.addOperation { OperationQueue.current?.waitUntilAllOperationsAreFinished() }
        queue.waitUntilAllOperationsAreFinished()
    }

    /// The tutorials' operation is cancelled just when the queue starts it: it ends twice, hangs, or kills the process.
    private static func handMadeRace(_ queue: OperationQueue) {
        let rounds = 2_000
        let completions = Atomic<Int>(0)
        for _ in 0..<rounds {
            let operation = HandMadeOperation()
            operation.completionBlock = { completions.add(1, ordering: .relaxed) }
            queue.addOperation(operation)
            operation.cancel()
        }
        queue.waitUntilAllOperationsAreFinished()
        let all = completions.load(ordering: .relaxed)
        guard all <= rounds else {
            say("\(rounds) operations, \(all) completions")
            exit(1)
        }
    }

    /// The tutorials' operation was cancelled, and by that finished, before it was added.
    private static func handMadeAdded(_ queue: OperationQueue) {
        let operation = HandMadeOperation()
        operation.cancel()
        queue.addOperations([operation], waitUntilFinished: true)
    }
}
