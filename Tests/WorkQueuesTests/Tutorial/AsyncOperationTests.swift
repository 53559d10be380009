// Section 5 and L2: the tutorial's asynchronous operation works unchanged: queued, waiting, running, suspended, cancelled at any point.
import Foundation
import WorkQueues
import XCTest

final class AsyncOperationTests: XCTestCase {
    func testSection5_Queued() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), operations = (0..<5).map { _ in FetchOperation() }, ended = Log<Int>()
        for (index, operation) in operations.enumerated() {
            operation.completionBlock = { ended.append(index) }
            try queue.addJob(operation)
        }
        for (index, operation) in operations.enumerated() {
            within { operation.begun.wait() }
            eventually("start() has returned") { operation.isExecuting }
            XCTAssertEqual(operation.phase, .executing)
            XCTAssertEqual(queue.jobCount, 5 - index)
            XCTAssertTrue(operations.dropFirst(index + 1).allSatisfy { $0.bodies.total == 0 }, "one at a time")
            operation.callBack()
            waitForEnd(of: operation)
        }
        assertDrained(queue)
        XCTAssertEqual(ended.values, [0, 1, 2, 3, 4])
        XCTAssertTrue(operations.allSatisfy { hasSucceeded($0.outcome) && $0.isFinished && !$0.isExecuting })
    }

    func testSection5_CalledBackFromOtherThreads() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 4), completions = Meter()
        let operations = (0..<100).map { _ in
            FetchOperation { operation in
                DispatchQueue.global().async {
                    while !operation.isExecuting { dawdle(10) }
                    operation.callBack()
                }
            }
        }
        for operation in operations { operation.addCompletion { _ in completions.enter() } }
        try queue.addJobs(operations)
        assertDrained(queue)
        XCTAssertEqual(completions.total, 100)
        XCTAssertTrue(operations.allSatisfy { $0.bodies.total == 1 && hasSucceeded($0.outcome) })
    }

    func testSection5_CalledBackBeforeStartHasReturned() throws {
        // The known trap of this very text: main() ends the operation, then start() sets .executing.
        let queue = WorkQueue(maxConcurrentJobCount: 1), completions = Meter(), operation = FetchOperation { $0.callBack() }
        operation.addCompletion { _ in completions.enter() }
        try queue.addJob(operation)
        waitForEnd(of: operation, 20)
        waitForEnd(of: queue.addJob {}, 20)
        XCTAssertEqual(operation.phase, .finished)
        XCTAssertTrue(hasSucceeded(operation.outcome))
        XCTAssertEqual(completions.total, 1)
    }

    func testSection5_Waiting() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), first = FetchOperation(), second = FetchOperation()
        try second.addDependency(first)
        try queue.addJobs([second, first])
        within { first.begun.wait() }
        eventually("start() has returned") { first.isExecuting }
        XCTAssertEqual(second.phase, .waiting)
        XCTAssertFalse(second.isReady)
        assertHeld(second)
        first.callBack()
        within { second.begun.wait() }
        eventually("start() has returned") { second.isExecuting }
        second.callBack()
        assertDrained(queue)
        XCTAssertEqual([first, second].map(\.bodies.total), [1, 1])
    }

    func testSection5_Running() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), operation = FetchOperation(), log = EventLog()
        queue.addObserver(log)
        try queue.addJob(operation)
        let next = queue.addJob {}
        within { operation.begun.wait() }
        eventually("start() has returned") { operation.isExecuting }
        XCTAssertFalse(operation.isFinished)
        XCTAssertTrue(operation.isAsynchronous)
        assertHeld(next, "it holds its slot")
        operation.callBack()
        assertDrained(queue)
        XCTAssertEqual(log.names(of: operation.id), [.added, .ready, .started, .finished])
    }

    func testSection5_Suspended() throws {
        let queue = WorkQueue(isSuspended: true), operation = FetchOperation()
        try queue.addJob(operation)
        assertHeld(operation)
        XCTAssertEqual(operation.bodies.total, 0)
        queue.isSuspended = false
        within { operation.begun.wait() }
        eventually("start() has returned") { operation.isExecuting }
        queue.isSuspended = true
        operation.callBack()
        waitForEnd(of: operation)
        XCTAssertTrue(hasSucceeded(operation.outcome), "it may end on a suspended queue")
        queue.isSuspended = false
    }

    func testSection5_CancelledBeforeItIsAdded() {
        let queue = WorkQueue(), operation = FetchOperation(), completions = Meter()
        operation.addCompletion { _ in completions.enter() }
        operation.cancel()
        XCTAssertTrue(operation.isCancelled)
        XCTAssertTrue(operation.isFinished)
        waitForEnd(of: operation)
        XCTAssertEqual(operation.phase, .finished, "it finished itself in no queue (L4)")
        assertRefused(.alreadyFinished) { try queue.addJob(operation) }
        XCTAssertEqual(completions.total, 1)
        XCTAssertEqual(operation.bodies.total, 0)
    }

    func testSection5_CancelledWhileSuspended() throws {
        try cancelledBeforeItsTurn { queue, operation in
            queue.isSuspended = true
            try queue.addJob(operation)
        }
    }

    func testSection5_CancelledWhileWaiting() throws {
        let root = BlockJob {}
        try cancelledBeforeItsTurn { queue, operation in
            try operation.addDependency(root)
            try queue.addJob(operation)
        }
    }

    func testSection5_CancelledBehindABarrierAndAtWidthZero() throws {
        try cancelledBeforeItsTurn { queue, operation in
            queue.maxConcurrentJobCount = 0
            queue.addBarrierBlock {}.cancel()
            queue.isSuspended = true
            queue.addBarrierBlock {}
            try queue.addJob(operation)
        }
    }

    func testSection5_CancelledWithAllTheOthers() throws {
        try cancelledBeforeItsTurn(all: true) { queue, operation in
            queue.isSuspended = true
            try queue.addJob(operation)
            try queue.addJobs([FetchOperation(), FetchOperation()])
        }
    }

    private func cancelledBeforeItsTurn(
        all: Bool = false, file: StaticString = #filePath, line: UInt = #line, _ add: (WorkQueue, FetchOperation) throws -> Void
    ) throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), operation = FetchOperation(), completions = Meter()
        operation.addCompletion { _ in completions.enter() }
        try add(queue, operation)
        if all { queue.cancelAllJobs() } else { operation.cancel() }
        waitForEnd(of: operation, file: file, line: line)
        XCTAssertEqual(operation.bodies.total, 0, file: file, line: line)
        XCTAssertEqual(completions.total, 1, file: file, line: line)
        XCTAssertEqual(cancellation(operation.outcome), .requested, file: file, line: line)
        XCTAssertTrue(operation.isFinished && operation.isCancelled && !operation.isExecuting, file: file, line: line)
        queue.isSuspended = false
        queue.maxConcurrentJobCount = 1
        waitForEnd(of: queue.addJob {}, file: file, line: line)
        assertDrained(queue, file: file, line: line)
    }

    func testSection5_CancelledWhileRunning() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), operation = FetchOperation(), completions = Meter(), log = EventLog()
        queue.addObserver(log)
        operation.addCompletion { _ in completions.enter() }
        try queue.addJob(operation)
        let next = queue.addJob {}
        within { operation.begun.wait() }
        eventually("start() has returned") { operation.isExecuting }
        operation.cancel()
        waitForEnd(of: [operation, next])
        XCTAssertEqual(cancellation(operation.outcome), .requested)
        operation.callBack()
        operation.cancel()
        assertDrained(queue)
        XCTAssertEqual(completions.total, 1)
        XCTAssertEqual(log.count(.finished, of: operation.id), 1)
        XCTAssertEqual(cancellation(operation.outcome), .requested)
    }

    func testSection5_CancelledAfterItsEnd() throws {
        let queue = WorkQueue(), operation = FetchOperation(), completions = Meter()
        operation.addCompletion { _ in completions.enter() }
        try queue.addJob(operation)
        within { operation.begun.wait() }
        eventually("start() has returned") { operation.isExecuting }
        operation.callBack()
        waitForEnd(of: operation)
        operation.cancel()
        XCTAssertFalse(operation.isCancelled)
        XCTAssertTrue(hasSucceeded(operation.outcome))
        XCTAssertEqual(completions.total, 1)
    }

    func testSection5_ItsOverriddenPropertiesAreObserved() throws {
        let queue = WorkQueue(), operation = FetchOperation(), seen = Log<String>()
        let watching = [
            operation.observe(\.isExecuting, options: .new) { _, change in
                seen.append("executing \(change.newValue.map(String.init) ?? "")")
            },
            operation.observe(\.isFinished, options: .new) { _, change in seen.append("finished \(change.newValue.map(String.init) ?? "")")
            },
        ]
        try queue.addJob(operation)
        within { operation.begun.wait() }
        eventually("start() has returned") { seen.count == 1 }
        operation.callBack()
        assertDrained(queue)
        XCTAssertEqual(Set(seen.values), ["executing true", "executing false", "finished true"])
        XCTAssertEqual(seen.count, 3, "each once")
        for observation in watching { observation.invalidate() }
    }
}
