// O4: waiting for oneself returns with `.wouldDeadlock` instead of hanging: thrown where the call can throw, reported where not.
import Foundation
import WorkQueues
import XCTest

final class SelfWaitTests: XCTestCase {
    func testO4_ABlockingWaitForOneselfIsReportedAndReturns() {
        reported { queue in queue.addJob { Job.current?.waitUntilFinished() } }
    }

    func testO4_AnAwaitOfOneselfIsReportedAndReturns() {
        reported { queue in queue.addJob { () async -> Void in _ = await Job.current?.waitUntilFinished() } }
    }

    func testO4_ABlockingWaitForTheOwnQueueIsReportedAndReturns() {
        reported { queue in queue.addJob { WorkQueue.current?.waitUntilAllJobsAreFinished() } }
    }

    func testO4_AnAwaitOfTheOwnQueueIsReportedAndReturns() {
        reported { queue in queue.addJob { () async -> Void in await WorkQueue.current?.waitUntilAllJobsAreFinished() } }
    }

    func testO4_AWaitForAJobThatDependsOnOneselfIsReportedAndReturns() {
        reported { queue in
            queue.addJob {
                guard let me = Job.current else { return }
                queue.addJob(dependencies: [me]) {}.waitUntilFinished()
            }
        }
        reported { queue in
            queue.addJob { () async -> Void in
                guard let me = Job.current else { return }
                await queue.addJob(dependencies: [me]) {}.waitUntilFinished()
            }
        }
    }

    func testO4_ThroughSeveralEdgesAndAnotherQueue() {
        let other = WorkQueue(maxConcurrentJobCount: 1)
        reported { queue in
            queue.addJob {
                guard let me = Job.current else { return }
                let first = other.addJob(dependencies: [me]) {}
                let second = queue.addJob(dependencies: [first]) {}
                other.addJob(dependencies: [second]) {}.waitUntilFinished()
            }
        }
        assertDrained(other)
    }

    func testO4_ThroughABarrier() {
        reported { queue in
            queue.addJob {
                queue.addBarrierBlock {}
                queue.addJob {}.waitUntilFinished()
            }
        }
        reported { queue in queue.addJob { queue.addBarrierBlock {}.waitUntilFinished() } }
        reported { queue in
            queue.addJob { () async -> Void in
                queue.addBarrierBlock {}
                await queue.addJob {}.waitUntilFinished()
            }
        }
    }

    func testO4_WaitingForAnotherQueueThatWaitsForThisJob() {
        let other = WorkQueue(maxConcurrentJobCount: 1)
        reported { queue in
            queue.addJob {
                guard let me = Job.current else { return }
                other.addJob(dependencies: [me]) {}
                other.waitUntilAllJobsAreFinished()
            }
        }
        assertDrained(other)
    }

    private func reported(
        file: StaticString = #filePath, line: UInt = #line, _ add: (WorkQueue) -> ResultJob<Void>
    ) {
        let misuse = MisuseLog(), queue = WorkQueue(maxConcurrentJobCount: 1)
        defer { misuse.restore() }
        let job = add(queue)
        guard assertDrained(queue, 30, file: file, line: line) else { return }
        XCTAssertEqual(misuse.messages.count, 1, "\(misuse.messages)", file: file, line: line)
        XCTAssertTrue(hasSucceeded(job.outcome), "it goes on and ends normally", file: file, line: line)
        XCTAssertEqual(queue.jobCount, 0, file: file, line: line)
        waitForEnd(of: queue.addJob {}, file: file, line: line)
    }

    func testO4_WaitForValueOfOneselfThrows() throws {
        try thrown(Introspective { job in try job.waitForValue() })
    }

    func testO4_TheValueOfOneselfThrows() throws {
        try thrown(AsyncIntrospective { job in try await job.value })
    }

    func testO4_TheValueOfAJobThatDependsOnOneselfThrows() throws {
        let other = WorkQueue(maxConcurrentJobCount: 1)
        try thrown(Introspective { job in try other.addJob(after: job) { $0 }.waitForValue() })
        try thrown(AsyncIntrospective { job in try await other.addJob(after: job) { $0 }.value })
        assertDrained(other)
    }

    func testO4_AddingAJobThatDependsOnOneselfAndWaitingForItThrows() throws {
        let other = WorkQueue(maxConcurrentJobCount: 1)
        try thrown(
            Introspective { job in
                let dependent = BlockJob {}
                try dependent.addDependency(job)
                try other.addJobs([dependent], waitUntilFinished: true)
                return 0
            })
        other.cancelAllJobs()
        assertDrained(other)
    }

    func testO4_RunBehindABarrierThatWaitsForThisJobThrows() throws {
        let misuse = MisuseLog(), queue = WorkQueue(maxConcurrentJobCount: 1)
        defer { misuse.restore() }
        let job = queue.addJob { () async throws -> Int in
            queue.addBarrierBlock {}
            return try await queue.run { 1 }
        }
        assertDrained(queue)
        XCTAssertEqual((failure(job.outcome) as? JobError)?.code, .wouldDeadlock)
        XCTAssertEqual(misuse.messages, [])
    }

    private func thrown(_ job: ResultJob<Int>, file: StaticString = #filePath, line: UInt = #line) throws {
        let misuse = MisuseLog(), queue = WorkQueue(maxConcurrentJobCount: 1)
        defer { misuse.restore() }
        try queue.addJob(job)
        guard assertDrained(queue, 30, file: file, line: line) else { return }
        XCTAssertEqual(
            (failure(job.outcome) as? JobError)?.code, .wouldDeadlock, "\(String(describing: job.outcome))", file: file, line: line)
        XCTAssertEqual(misuse.messages, [], "thrown, so not reported too", file: file, line: line)
        waitForEnd(of: queue.addJob {}, file: file, line: line)
    }

    func testO4_AWaitWithATimeLimitForOneselfComesToItsEnd() {
        let misuse = MisuseLog(), queue = WorkQueue(maxConcurrentJobCount: 1), answers = Log<Bool?>()
        defer { misuse.restore() }
        queue.addJob { answers.append(Job.current?.waitUntilFinished(timeout: .milliseconds(20))) }
        queue.addJob { answers.append(WorkQueue.current?.waitUntilAllJobsAreFinished(timeout: .milliseconds(20))) }
        queue.addJob { () async -> Void in answers.append(await Job.current?.waitUntilFinished(timeout: .milliseconds(20))) }
        assertDrained(queue, 30)
        XCTAssertEqual(answers.values, [false, false, false])
    }

    func testO4_TheMainThreadDoesNotWaitForTheMainQueue() {
        // A synchronous test runs on the main thread.
        XCTAssertTrue(Thread.isMainThread)
        let ended = expectation(description: "the main queue goes on afterwards")
        let job = WorkQueue.main.addJob { 6 }
        job.addCompletion { _ in ended.fulfill() }
        MisuseLog.capturing { misuse in
            job.waitUntilFinished()
            XCTAssertEqual(misuse.messages.count, 1)
            WorkQueue.main.waitUntilAllJobsAreFinished()
            XCTAssertEqual(misuse.messages.count, 2)
            assertRefused(.wouldDeadlock, "value") { _ = try job.waitForValue() }
            assertRefused(.wouldDeadlock, "batch") { try WorkQueue.main.addJobs([BlockJob {}], waitUntilFinished: true) }
            XCTAssertEqual(misuse.messages.count, 2)
        }
        XCTAssertFalse(job.isFinished)
        wait(for: [ended], timeout: 30)
        XCTAssertEqual(try job.result?.get(), 6)
    }

    func testO4_OtherThreadsMayWaitForTheMainQueue() {
        let waited = expectation(description: "waited")
        MisuseLog.capturing { misuse in
            let job = WorkQueue.main.addJob { 6 }
            onNewThread {
                XCTAssertEqual(try? job.waitForValue(), 6)
                WorkQueue.main.waitUntilAllJobsAreFinished()
                waited.fulfill()
            }
            wait(for: [waited], timeout: 30)
            XCTAssertEqual(misuse.messages, [])
        }
    }

    func testO4_TheMainThreadMayWaitForAnyOtherQueue() {
        MisuseLog.capturing { misuse in
            let queue = WorkQueue(maxConcurrentJobCount: 1)
            XCTAssertEqual(try? queue.addJob { 2 }.waitForValue(), 2)
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(misuse.messages, [])
        }
    }
}

/// A body that can name its own job.
private final class Introspective: ResultJob<Int>, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    private let body: @Sendable (ResultJob<Int>) throws -> Int

    init(_ body: @escaping @Sendable (ResultJob<Int>) throws -> Int) {
        self.body = body
        super.init()
    }

    override func run() throws -> Int { try body(self) }
}

private final class AsyncIntrospective: AsyncResultJob<Int>, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    private let body: @Sendable (ResultJob<Int>) async throws -> Int

    init(_ body: @escaping @Sendable (ResultJob<Int>) async throws -> Int) {
        self.body = body
        super.init()
    }

    override func run() async throws -> Int { try await body(self) }
}
