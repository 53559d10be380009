// R4, C4: an asynchronous body begins in the turn of its job's start(), is tied to the job before that, and ends on the worker it is on.
import Foundation
import WorkQueues
import XCTest

final class AsyncBodyTurnTests: XCTestCase {
    func testR4_ABodyBeginsOnTheThreadThatStartsItsJob() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), jobs = (0..<50).map { _ in TurnJob() }
        for job in jobs { add(job, to: queue) }
        assertDrained(queue)
        for job in jobs {
            XCTAssertEqual(job.threads.count, 2)
            XCTAssertEqual(Set(job.threads.values).count, 1, "start() and the body are on one thread")
        }
    }

    func testC4_ACancelBetweenTheClaimAndTheBodyReachesItsTask() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = TurnJob(cancelsItself: true)
        add(job, to: queue)
        waitForEnd(of: job, 20)
        XCTAssertEqual(job.sawCancel.values, [true])
        XCTAssertTrue(job.isCancelled)
    }

    func testC4_ACancelOfABodyThatIsSuspendedReachesItsTask() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), sawCancel = Log<Bool>()
        let job = queue.addJob { () async -> Void in
            begun.open()
            try? await Task.sleep(for: .seconds(60))
            sawCancel.append(Task.isCancelled)
        }
        within { begun.wait() }
        job.cancel()
        waitForEnd(of: job, 20)
        XCTAssertEqual(sawCancel.values, [true])
    }

    func testR4_ATaskMadeByABodyThatBlocksGetsAWorkerOfItsOwn() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), executor = queue.taskExecutor
        let job = queue.addJob { () async -> Bool in
            let ran = Gate()
            Task(executorPreference: executor) { ran.open() }
            return hold(until: ran)
        }
        waitForEnd(of: job, 20)
        XCTAssertEqual(try job.result?.get(), true)
    }

    func testR4_ACompletionThatBlocksTakesNoThreadFromTasks() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), ran = Gate(), done = Gate()
        let job = ResultJob { () async -> Void in await Task.yield() }
        job.addCompletion { _ in
            begun.open()
            ran.wait()
            done.open()
        }
        add(job, to: queue)
        within(20) { begun.wait() }
        Task(executorPreference: queue.taskExecutor) { ran.open() }
        within(20, "the task has a thread though the completion blocks its own") { done.wait() }
        assertDrained(queue)
    }

    func testR4_BodiesEndOnAnUnderlyingQueue() {
        let runs = Meter(), queue = WorkQueue(underlyingQueue: DispatchQueue(label: "one at a time"))
        let jobs = (0..<50).map { index in
            queue.addJob { () async -> Int in
                for _ in 0..<index % 3 { await Task.yield() }
                runs.enter()
                return index
            }
        }
        assertDrained(queue)
        XCTAssertEqual(runs.total, 50)
        XCTAssertEqual(jobs.compactMap { try? $0.result?.get() }, Array(0..<50))
    }

    func testR4_TheClosureOfAnAsyncJobIsNoSynchronousWork() {
        let job = ResultJob { () async -> Int in 1 }
        XCTAssertTrue(job.isAsynchronous)
        XCTAssertThrowsError(try job.run())
        job.start()
        waitForEnd(of: job, 20)
        XCTAssertEqual(try job.result?.get(), 1)
        XCTAssertFalse(job.isAsynchronous, "the body is gone")
    }

    func testD5_TheBodyOfAnAsyncJobIsReleased() {
        final class Token: Sendable {}
        weak var kept: Token?
        let queue = WorkQueue(), job: ResultJob<Void>
        do {
            let token = Token()
            kept = token
            job = queue.addJob { () async -> Void in
                await Task.yield()
                withExtendedLifetime(token) {}
            }
        }
        assertDrained(queue)
        eventually("the task is gone") { kept == nil }
        weak var neverRun: Token?
        do {
            let token = Token()
            neverRun = token
            _ = ResultJob { () async -> Void in withExtendedLifetime(token) {} }
        }
        XCTAssertNil(neverRun)
        withExtendedLifetime(job) {}
    }
}

/// Notes where it starts and where its body begins.
private final class TurnJob: AsyncResultJob<Void>, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let threads = Log<UInt>()
    let sawCancel = Log<Bool>()
    private let cancelsItself: Bool

    init(cancelsItself: Bool = false) {
        self.cancelsItself = cancelsItself
        super.init()
    }

    override func start() {
        note()
        if cancelsItself { cancel() }
        super.start()
    }

    override func run() async throws {
        note()
        sawCancel.append(Task.isCancelled)
        await Task.yield()
    }

    private func note() { threads.append(UInt(bitPattern: ObjectIdentifier(Thread.current))) }
}

/// Blocks the thread of a task on purpose.
private func hold(until gate: Gate) -> Bool {
    gate.wait()
    return true
}
