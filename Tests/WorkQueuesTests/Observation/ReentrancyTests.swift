// S82: from every observer, completion, cancel handler and override everything may be called, and another thread may be waited for.
import Dispatch
import Foundation
import WorkQueues
import XCTest

final class ReentrancyTests: XCTestCase {
    func testS82_FromQueueObservers() {
        exercise("observer") { scene in
            scene.queue.addObserver(Nosy(scene))
            let observation = scene.queue.observe { _ in scene.hook("closure observer") }
            scene.keep(observation)
        }
    }

    func testS82_FromKeyValueHandlers() {
        exercise("key-value handlers") { scene in
            let job: Job = scene.job, all: JobObservingOptions = [.initial, .prior, .new, .old]
            for path in [\Job.isReady, \Job.isExecuting, \Job.isFinished, \Job.isCancelled] as [any KeyPath<Job, Bool> & Sendable] {
                scene.keep(job.observe(path, options: all) { _, _ in scene.hook("handler") })
            }
        }
    }

    func testS82_FromCompletions() {
        exercise("completions") { scene in
            scene.job.addCompletion { _ in scene.hook("completion") }
            scene.job.completionBlock = { scene.hook("completionBlock") }
        }
    }

    func testS82_FromCancelHandlersAndTheCancelOverride() {
        exercise("cancel", cancelled: true) { scene in
            scene.overrides.set(["cancel"])
            scene.job.onCancel { _ in scene.hook("onCancel") }
        }
    }

    func testS82_FromEachOverride() {
        for name in ["isReady", "start", "main"] {
            exercise(name) { scene in scene.overrides.set([name]) }
        }
    }

    func testS82_FromOverriddenPropertiesThatAreObserved() {
        for name in ["isExecuting", "isFinished", "isReady"] {
            exercise(name) { scene in
                let all: JobObservingOptions = [.initial, .prior, .new, .old]
                scene.keep(scene.job.observe(\.isExecuting, options: all) { _, _ in })
                scene.keep(scene.job.observe(\.isFinished, options: all) { _, _ in })
                scene.keep(scene.job.observe(\.isReady, options: all) { _, _ in })
                scene.overrides.set([name])
            }
        }
    }

    func testS82_FromStartOfACancelledJob() {
        exercise("start", cancelled: true) { scene in scene.overrides.set(["start"]) }
    }

    func testS82_FromTheMisuseHandler() {
        let scene = Scenery(), previous = WorkQueue.misuseHandler
        defer { WorkQueue.misuseHandler = previous }
        WorkQueue.misuseHandler = { _ in scene.hook("misuse") }
        within(patience, "the handler") { scene.queue.maxConcurrentJobCount = -7 }
        XCTAssertEqual(scene.queue.maxConcurrentJobCount, 2)
        within(patience, "the queue runs empty") { scene.queue.waitUntilAllJobsAreFinished() }
        XCTAssertGreaterThan(scene.calls.total, 0)
    }

    func testS82_FromEverywhereAtOnce() {
        for cancelled in [false, true] {
            exercise("everywhere", cancelled: cancelled) { scene in
                scene.overrides.set(["isReady", "isExecuting", "isFinished", "isAsynchronous", "start", "main", "cancel"])
                scene.queue.addObserver(Nosy(scene))
                scene.job.addCompletion { _ in scene.hook("completion") }
                scene.job.completionBlock = { scene.hook("completionBlock") }
                scene.job.onCancel { _ in scene.hook("onCancel") }
                scene.keep(scene.job.observe(\.isFinished, options: [.initial, .prior]) { _, _ in scene.hook("handler") })
            }
        }
    }

    private func exercise(
        _ what: String, cancelled: Bool = false, file: StaticString = #filePath, line: UInt = #line, _ arm: (Scenery) -> Void
    ) {
        let scene = Scenery()
        arm(scene)
        let ended = within(patience, what, file: file, line: line) {
            if cancelled { scene.queue.isSuspended = true }
            try scene.queue.addJob(scene.job)
            if cancelled {
                scene.job.cancel()
                scene.queue.isSuspended = false
            }
            scene.job.waitUntilFinished()
        }
        scene.disarm()
        guard ended, within(patience, "the queue runs empty", file: file, line: line, { scene.queue.waitUntilAllJobsAreFinished() }) else {
            let left = scene.queue.jobs.map { "\($0): \($0.phase), cancelled \($0.isCancelled)" }
            return XCTFail(
                "suspended \(scene.queue.isSuspended), width \(scene.queue.maxConcurrentJobCount), left \(left)", file: file, line: line)
        }
        XCTAssertGreaterThan(scene.calls.total, 0, what, file: file, line: line)
        XCTAssertEqual(scene.late.total, 0, "another thread that does the same comes through: \(what)", file: file, line: line)
    }
}

/// A queue, a job under test, and the hooks that call the whole package from inside it.
private final class Scenery: Sendable {
    let queue = WorkQueue(maxConcurrentJobCount: 2)
    let calls = Meter()
    let late = Meter()
    let overrides = Guarded<Set<String>>([])
    let job: Everything
    private let budget = Guarded<[String: Int]>([:])
    private let kept = Guarded<[JobObservation]>([])

    init() {
        job = Everything(overrides)
        job.hook.set { [weak self] name in self?.hook(name) }
    }

    func keep(_ observation: JobObservation) {
        kept.with { $0.append(observation) }
    }

    func disarm() {
        for observation in kept.with({ $0 }) { observation.invalidate() }
        kept.set([])
        overrides.set([])
        job.hook.set(nil)
    }

    /// The calls cause more events, so each hook does it a few times only.
    func hook(_ name: String) {
        let first = budget.with { budget in
            budget[name, default: 0] += 1
            return budget[name, default: 0] <= 3
        }
        guard first else { return }
        calls.enter()
        callEverything()
        let done = DispatchSemaphore(value: 0)
        onNewThread {
            self.callEverything()
            done.signal()
        }
        if done.wait(timeout: .now() + 20) != .success { late.enter() }
    }

    private func callEverything() {
        _ = (queue.jobs.count, queue.jobCount, queue.name, queue.maxConcurrentJobCount, queue.isSuspended, queue.qualityOfService)
        _ = (queue.underlyingQueue, queue.taskExecutor, WorkQueue.current, Job.current, WorkQueue.main.jobCount)
        _ = (job.phase, job.isReady, job.isExecuting, job.isFinished, job.isCancelled, job.isAsynchronous, job.cancellationReason)
        _ = (job.outcome, job.queue, job.dependencies.count, job.description, job.name, job.queuePriority, job.qualityOfService)
        job.name = "seen"
        job.queuePriority = .high
        job.qualityOfService = .utility
        queue.name = "seen"
        queue.qualityOfService = .utility
        queue.maxConcurrentJobCount = 3
        queue.maxConcurrentJobCount = 2
        let scratch = BlockJob {}, other = BlockJob {}
        _ = try? scratch.addDependency(job)
        scratch.removeDependency(job)
        _ = try? scratch.addDependency(other)
        _ = try? other.addDependency(scratch)
        _ = try? scratch.addExecutionBlock {}
        scratch.addCompletion { _ in }
        scratch.completionBlock = {}
        scratch.onCancel { _ in }
        scratch.observe(\.isFinished, options: [.initial, .prior]) { _, _ in }.invalidate()
        _ = try? queue.addJobs([scratch, other])
        _ = try? queue.addJob(scratch)
        queue.isSuspended = true
        queue.isSuspended = false
        queue.addJob {}.cancel()
        queue.addJob(dependencies: [other]) {}
        queue.addJob(after: queue.addJob { 1 }) { _ in }
        queue.addBarrierBlock {}.cancel()
        scratch.cancel(reason: .custom("scratch"))
        _ = scratch.waitUntilFinished(timeout: .zero)
        _ = job.waitUntilFinished(timeout: .zero)
        _ = queue.waitUntilAllJobsAreFinished(timeout: .zero)
        job.addCompletion { _ in }
        job.onCancel { _ in }
        job.willChangeValue(forKey: "isReady")
        job.didChangeValue(forKey: "isReady")
        let log = EventLog()
        queue.addObserver(log)
        queue.removeObserver(log)
        queue.observe { _ in }.invalidate()
        _ = queue.events()
        _ = try? Job.checkCancellation()
        queue.cancelAllJobs(reason: .custom("everything"))
    }
}

/// Calls its hook from every override that it was told to use.
private final class Everything: Job, @unchecked Sendable {
    // Unchecked: what varies is behind a lock.
    let hook = Guarded<(@Sendable (String) -> Void)?>(nil)
    private let armed: Guarded<Set<String>>

    init(_ armed: Guarded<Set<String>>) {
        self.armed = armed
        super.init()
    }

    private func call(_ name: String) {
        if armed.current.contains(name) { hook.current?(name) }
    }

    override var isReady: Bool {
        call("isReady")
        return super.isReady
    }
    override var isExecuting: Bool {
        call("isExecuting")
        return super.isExecuting
    }
    override var isFinished: Bool {
        call("isFinished")
        return super.isFinished
    }
    override var isAsynchronous: Bool {
        call("isAsynchronous")
        return super.isAsynchronous
    }
    override func start() {
        call("start")
        super.start()
    }
    override func main() { call("main") }
    override func cancel() {
        super.cancel()
        call("cancel")
    }
}

private final class Nosy: JobObserver {
    // Weak: the queue that holds this observer belongs to the scene.
    private weak let scene: Scenery?

    init(_ scene: Scenery) { self.scene = scene }

    func record(_ event: JobEvent) { scene?.hook("observer of \(EventLog.name(of: event))") }
}
