// S91, S105, S106: what refers to a job, or is referred to by it, is freed when it is over, or when it is dropped unrun.
import Foundation
import WorkQueues
import XCTest

final class JobLifetimeTests: XCTestCase {
    private let lives = Lives()

    private func allFreed(_ what: String, file: StaticString = #filePath, line: UInt = #line) {
        let lives = lives
        XCTAssertGreaterThan(lives.total, 0, file: file, line: line)
        eventually("freed: \(what)", file: file, line: line) { lives.alive == 0 }
    }

    func testS91_ClosuresThatNameTheirProducerRunAndDropped() {
        do {
            let queue = WorkQueue(maxConcurrentJobCount: 2)
            let producer = Counted(lives) { 5 }
            let consumer = queue.addJob(after: producer) { [token = lives.token()] value in
                _ = token
                return (try? producer.result?.get()) == value ? value : -1
            }
            let second = queue.addJob(after: consumer) { [token = lives.token()] value in
                _ = (token, producer.id, consumer.id)
                return value + 1
            }
            add(producer, to: queue)
            assertDrained(queue)
            XCTAssertEqual(try second.result?.get(), 6)
        }
        allFreed("all three")
    }

    func testS91_TheSameNeverRunAndDropped() {
        do {
            let queue = WorkQueue(isSuspended: true)
            let producer = Counted(lives) { 5 }
            let consumer = queue.addJob(after: producer) { [token = lives.token()] value in
                _ = (token, producer.id)
                return value
            }
            queue.addJob(after: consumer) { [token = lives.token()] _ in _ = (token, producer.id, consumer.id) }
            add(producer, to: queue)
        }
        allFreed("with the suspended queue")
    }

    func testS91_TheSameWithoutAnyQueue() {
        do {
            let producer = Counted(lives) { 5 }, consumer = Counted(lives) { (try? producer.result?.get()) ?? 0 }
            XCTAssertNoThrow(try consumer.addDependency(producer))
        }
        allFreed("two jobs that were never added")
    }

    func testS91_TheSameFailedAndCancelled() {
        do {
            let queue = WorkQueue(maxConcurrentJobCount: 2), producer = Counted(lives) { throw Trouble() }
            let consumer = queue.addJob(after: producer) { [token = lives.token()] value in
                _ = (token, producer.id)
                return value
            }
            let cancelled = queue.addJob(after: consumer) { [token = lives.token()] _ in _ = (token, consumer.id) }
            cancelled.cancel()
            add(producer, to: queue)
            assertDrained(queue)
        }
        allFreed("bodies that never ran")
    }

    func testS105_CompletionsThatCaptureTheirOwnJob() {
        do {
            let queue = WorkQueue(), job = Counted(lives) { 1 }
            job.completionBlock = { _ = job }
            job.addCompletion { _ in _ = job }
            add(job, to: queue)
            assertDrained(queue)
        }
        allFreed("after they ran")
    }

    func testS105_TheBlockIsReleasedOnceItHasRun() {
        let queue = WorkQueue(), job = Counted(Lives()) { 1 }
        job.completionBlock = { [token = lives.token()] in _ = token }
        job.addCompletion { [token = lives.token()] _ in _ = token }
        add(job, to: queue)
        assertDrained(queue)
        allFreed("though the job is still held")
        XCTAssertNil(job.completionBlock)
    }

    func testS105_SetAfterTheEndTheyAreReleasedToo() {
        do {
            let queue = WorkQueue(), job = Counted(lives) { 1 }
            add(job, to: queue)
            assertDrained(queue)
            let called = Meter()
            job.completionBlock = {
                _ = job
                called.enter()
            }
            job.addCompletion { _ in
                _ = job
                called.enter()
            }
            eventually("both ran") { called.total == 2 }
        }
        allFreed("completions of a finished job")
    }

    func testS105_ObserversThatCaptureTheirJob() {
        do {
            let queue = WorkQueue(), job = Counted(lives) { 1 }
            let watching = [
                job.observe(\.isFinished, options: [.initial, .new]) { _, _ in _ = job },
                job.observe(\.isExecuting, options: [.prior]) { _, _ in _ = job },
                queue.observe { _ in _ = job },
            ]
            add(job, to: queue)
            assertDrained(queue)
            for observation in watching { observation.invalidate() }
        }
        allFreed("after they were invalidated")
    }

    func testS105_AnObserverObjectThatHoldsItsJobAndItsQueue() {
        do {
            let queue = WorkQueue(), job = Counted(lives) { 1 }, observer = Holder(job, queue)
            queue.addObserver(observer)
            add(job, to: queue)
            assertDrained(queue)
            queue.removeObserver(observer)
        }
        allFreed("after it was removed")
    }

    func testS105_CancelHandlersThatCaptureTheirJob() {
        do {
            let queue = WorkQueue(), job = Counted(lives) { 1 }, cancelled = Counted(lives) { 1 }, suspended = WorkQueue(isSuspended: true)
            job.onCancel { _ in _ = job }
            cancelled.onCancel { _ in _ = cancelled }
            add(job, to: queue)
            add(cancelled, to: suspended)
            cancelled.cancel()
            assertDrained(queue)
            assertDrained(suspended)
        }
        allFreed("called or not")
    }

    func testS105_TheBlocksOfACancelledJob() {
        let queue = WorkQueue(isSuspended: true), token = Guarded<Lives.Token?>(lives.token())
        func makeJobs() -> [Job] {
            guard let held = token.current else { return [] }
            let block = BlockJob { _ = held }
            XCTAssertNil(refusal { try block.addExecutionBlock { [weak block] in _ = (block, held) } })
            add(block, to: queue)
            let job = queue.addJob { _ = held }
            job.addCompletion { _ in _ = (job, held) }
            return [
                block, job, queue.addJob { () async -> Void in _ = held }, queue.addBarrierBlock { _ = held },
                queue.addJob { (_: JobCompletion<Int>) in _ = held },
            ]
        }
        let jobs = makeJobs()
        token.set(nil)
        for job in jobs { job.cancel() }
        waitForEnd(of: jobs)
        allFreed("at the cancel, while the jobs are still held and the queue suspended")
        XCTAssertEqual(queue.jobCount, 0)
    }

    func testS105_TheBodyOfAFinishedJob() {
        let queue = WorkQueue()
        func makeJobs(_ token: Lives.Token) -> [Job] {
            [
                queue.addJob { _ = token }, queue.addJob { () async -> Void in _ = token }, queue.addBarrierBlock { _ = token },
                queue.addJob { (done: JobCompletion<Int>) in
                    _ = token
                    done.finish(returning: 1)
                },
            ]
        }
        let jobs = makeJobs(lives.token())
        assertDrained(queue)
        allFreed("while the jobs are still held")
        XCTAssertEqual(jobs.count, 4)
    }

    func testS106_ARollingChainKeepsAFewOfItsJobs() {
        let lives = lives, count = Rounds.scaled(250_000)
        within(100, "the rolling chain", stackSize: smallStack) {
            let queue = WorkQueue(maxConcurrentJobCount: 2)
            var newest = Counted(lives) { 0 }
            try queue.addJob(newest)
            for index in 1...count {
                let next = Counted(lives) { index }
                try next.addDependency(newest)
                try queue.addJob(next)
                // Held back so that the alive ones are the chain's and not a backlog's.
                newest.waitUntilFinished()
                newest = next
            }
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(try newest.result?.get(), count)
        }
        XCTAssertEqual(lives.total, count + 1)
        XCTAssertLessThanOrEqual(lives.peak, 64, "O(1), whatever the length")
        allFreed("the chain")
    }

    func testS106_ARollingTypedChainKeepsAFewOfItsJobs() {
        let lives = lives, count = Rounds.scaled(250_000)
        within(100, "the rolling chain of results", stackSize: smallStack) {
            let queue = WorkQueue(maxConcurrentJobCount: 2)
            var newest = queue.addJob { 0 }
            for _ in 1...count {
                let next = queue.addJob(after: newest) { [token = lives.token()] value in
                    _ = token
                    return value + 1
                }
                newest.waitUntilFinished()
                newest = next
            }
            XCTAssertEqual(try newest.waitForValue(), count)
        }
        XCTAssertLessThanOrEqual(lives.peak, 64)
        allFreed("the chain")
    }
}

private final class Counted: ResultJob<Int>, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    private let token: Lives.Token
    private let body: @Sendable () throws -> Int

    init(_ lives: Lives, _ body: @escaping @Sendable () throws -> Int) {
        token = lives.token()
        self.body = body
        super.init()
    }

    override func run() throws -> Int { try body() }
}

private final class Holder: JobObserver {
    private let job: Job
    private let queue: WorkQueue

    init(_ job: Job, _ queue: WorkQueue) {
        self.job = job
        self.queue = queue
    }

    func record(_ event: JobEvent) { _ = (job, queue) }
}
