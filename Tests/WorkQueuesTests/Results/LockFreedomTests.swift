// R3: no continuation is resumed, and no user code called, while a lock is held.
import Dispatch
import Foundation
import WorkQueues
import XCTest

final class LockFreedomTests: XCTestCase {
    /// Each waits on an executor whose `enqueue` runs inside the resumption and calls back into the package.
    func testR3_ContinuationsAreResumedOffEveryLock() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), running = Gate(), asleep = Meter(), done = Meter()
        let job = queue.addJob { () -> Int in
            running.open()
            leave.wait()
            return 1
        }
        within { running.wait() }
        let failing = queue.addJob { () -> Int in throw Trouble(1) }
        let cancelled = queue.addJob { 2 }
        let executor = NosyExecutor { touch(queue, job) }
        let waits: [@Sendable () async -> Void] = [
            { _ = try? await job.value },
            { await job.waitUntilFinished() },
            { _ = await job.waitUntilFinished(timeout: .seconds(30)) },
            { _ = await cancelled.waitUntilFinished(timeout: .milliseconds(1)) },
            { _ = try? await failing.value },
            { await cancelled.waitUntilFinished() },
            { await queue.waitUntilAllJobsAreFinished() },
            { _ = await queue.waitUntilAllJobsAreFinished(timeout: .seconds(30)) },
            { _ = await queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(1)) },
            { _ = try? await queue.run { 1 } },
        ]
        for wait in waits {
            Task.detached(executorPreference: executor) {
                asleep.enter()
                await wait()
                done.enter()
            }
        }
        eventually("all wait") { asleep.total == waits.count }
        XCTAssertFalse(job.waitUntilFinished(timeout: .milliseconds(50)))
        cancelled.cancel()
        leave.open()
        eventually("all are released") { done.total == waits.count }
        within(patience, "the queue runs empty") { queue.waitUntilAllJobsAreFinished() }
        XCTAssertGreaterThan(executor.enqueued.total, waits.count)
    }

    func testR3_CancelledWaitersAreResumedOffEveryLock() {
        let queue = WorkQueue(isSuspended: true), job = queue.addJob { 1 }, asleep = Meter(), done = Meter()
        let executor = NosyExecutor { touch(queue, job) }
        let tasks = [
            Task.detached(executorPreference: executor) {
                asleep.enter()
                _ = try? await job.value
                done.enter()
            },
            Task.detached(executorPreference: executor) {
                asleep.enter()
                _ = try? await queue.run { 1 }
                done.enter()
            },
        ]
        eventually("both wait") { asleep.total == 2 }
        assertHeld(job)
        for task in tasks { task.cancel() }
        eventually("both are released") { done.total == 2 }
        queue.cancelAllJobs()
        within(patience, "the queue runs empty") { queue.waitUntilAllJobsAreFinished() }
    }

    func testR3_EventStreamsAreFedOffEveryLock() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), started = Gate(), done = Gate(), job = BlockJob {}
        let executor = NosyExecutor { touch(queue, job) }
        let events = queue.events()
        Task.detached(executorPreference: executor) {
            started.open()
            for await event in events where event.jobID == job.id && EventLog.name(of: event) == .finished { break }
            done.open()
        }
        within { started.wait() }
        add(job, to: queue)
        within { done.wait() }
        within(patience, "the queue runs empty") { queue.waitUntilAllJobsAreFinished() }
    }

    /// What was captured, thrown or returned may be released by the engine; the `deinit` is then the user's code.
    func testR3_ObjectsAreReleasedOffEveryLock() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), dead = Meter(), probe = BlockJob {}
        @Sendable func lastWord() -> LastWord {
            LastWord {
                touch(queue, probe)
                dead.enter()
            }
        }
        @Sendable func addCarriers() {
            let body = lastWord(), completion = lastWord(), handler = lastWord(), observer = lastWord(), block = lastWord()
            queue.addJob { _ = body }
            queue.addJob { () async -> Void in
                _ = body
                await Task.yield()
            }
            queue.addJob { lastWord() }
            let consumed = queue.addJob { lastWord() }
            queue.addJob(after: consumed) { _ in }
            let job = queue.addJob {}
            job.addCompletion { _ in _ = completion }
            job.completionBlock = { _ = completion }
            job.onCancel { _ in _ = handler }
            let observation = queue.observe { _ in _ = observer }
            observation.invalidate()
            let cancelled = queue.addJob { _ = block }
            cancelled.addCompletion { _ in _ = block }
            cancelled.cancel()
            XCTAssertNoThrow(
                try queue.addJob(
                    Talkative {
                        touch(queue, probe)
                        dead.enter()
                    }))
            let removed = Talkative {
                touch(queue, probe)
                dead.enter()
            }
            XCTAssertNoThrow(try probe.addDependency(removed))
            probe.removeDependency(removed)
        }
        within(30, "no deinit under a lock") {
            for _ in 0..<20 { addCarriers() }
            queue.waitUntilAllJobsAreFinished()
        }
        eventually("all said their last word") { dead.total == 20 * 9 }
    }

    func testR3_AQueueThatIsDroppedReleasesOffEveryLock() {
        let other = WorkQueue(), dead = Meter(), probe = BlockJob {}
        within(30) {
            for _ in 0..<20 {
                let queue = WorkQueue(isSuspended: true)
                let body = LastWord {
                    touch(other, probe)
                    dead.enter()
                }
                queue.addJob { _ = body }
                queue.addJob(priority: .high) { _ = body }
            }
        }
        eventually("all said their last word") { dead.total == 20 }
    }
}

/// Takes the locks of a queue and of a job.
private func touch(_ queue: WorkQueue, _ job: Job) {
    _ = (queue.jobCount, queue.jobs.count, queue.isSuspended, queue.maxConcurrentJobCount, queue.name)
    _ = (job.phase, job.isReady, job.isExecuting, job.isFinished, job.isCancelled, job.outcome, job.dependencies.count, job.queue)
    job.addCompletion { _ in }
    queue.observe { _ in }.invalidate()
    let scratch = queue.addJob {}
    scratch.cancel()
}

private final class NosyExecutor: TaskExecutor {
    let enqueued = Meter()
    private let threads = DispatchQueue(label: "nosy", attributes: .concurrent)
    private let probe: @Sendable () -> Void

    init(_ probe: @escaping @Sendable () -> Void) {
        self.probe = probe
    }

    func enqueue(_ job: consuming ExecutorJob) {
        enqueued.enter()
        probe()
        let job = UnownedJob(job)
        threads.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

private final class LastWord: Sendable {
    private let word: @Sendable () -> Void

    init(_ word: @escaping @Sendable () -> Void) {
        self.word = word
    }

    deinit { word() }
}

private final class Talkative: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    private let word: @Sendable () -> Void

    init(_ word: @escaping @Sendable () -> Void) {
        self.word = word
        super.init()
    }

    deinit { word() }
}
