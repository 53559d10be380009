// V2: key-value style observation posts each real change of an engine-driven job once, with the options of Foundation.
import Foundation
import WorkQueues
import XCTest

/// One call of a handler, comparable.
struct Seen<Value: Equatable & Sendable>: Equatable, Sendable {
    let old: Value?
    let new: Value?
    let prior: Bool

    init(_ change: JobObservedChange<Value>) {
        old = change.oldValue
        new = change.newValue
        prior = change.isPrior
    }

    init(_ old: Value?, _ new: Value?, prior: Bool = false) {
        self.old = old
        self.new = new
        self.prior = prior
    }
}

final class KeyValueTests: XCTestCase {
    private func watch(
        _ job: Job, _ keyPath: any KeyPath<Job, Bool> & Sendable, _ options: JobObservingOptions
    ) -> (log: Log<Seen<Bool>>, observation: JobObservation) {
        let log = Log<Seen<Bool>>()
        return (log, job.observe(keyPath, options: options) { _, change in log.append(Seen(change)) })
    }

    func testV2_EachRealChangeOnce() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = BlockJob {}
        let executing = watch(job, \.isExecuting, [.old, .new]), finished = watch(job, \.isFinished, [.old, .new])
        let cancelled = watch(job, \.isCancelled, [.old, .new]), ready = watch(job, \.isReady, [.old, .new])
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(executing.log.values, [Seen(false, true), Seen(true, false)])
        XCTAssertEqual(finished.log.values, [Seen(false, true)])
        XCTAssertEqual(cancelled.log.values, [])
        XCTAssertEqual(ready.log.values, [], "it was ready from the first")
        for watcher in [executing, finished, cancelled, ready] { watcher.observation.invalidate() }
    }

    func testV2_AChangeWhileTheInitialValueIsReportedIsReportedAfterIt() {
        let job = BlockJob {}, log = Log<Seen<Bool>>()
        let observation = job.observe(\.isCancelled, options: [.initial, .new]) { job, change in
            log.append(Seen(change))
            if change.newValue == false { job.cancel() }
        }
        XCTAssertEqual(log.values, [Seen(nil, false), Seen(nil, true)])
        observation.invalidate()
    }

    func testV2_ThePriorOfAPostIsNotRepeatedByItsChange() {
        let job = PostingJob(), executing = watch(job, \.isExecuting, [.prior, .old])
        job.begin()
        XCTAssertEqual(executing.log.values, [Seen(false, nil, prior: true), Seen(false, nil)])
        executing.observation.invalidate()
    }

    func testV2_ReadinessFollowsTheEdges() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), root = HeldJob(), job = BlockJob {}, ready = watch(job, \.isReady, [.old, .new])
        try job.addDependency(root)
        try queue.addJobs([job, root])
        within { root.begun.wait() }
        eventually("the edge made a difference") { ready.log.values == [Seen(true, false)] }
        root.finish()
        assertDrained(queue)
        XCTAssertEqual(ready.log.values, [Seen(true, false), Seen(false, true)])
        ready.observation.invalidate()
    }

    func testV2_RemovingTheLastEdgeIsAChangeToo() throws {
        let queue = WorkQueue(isSuspended: true), root = BlockJob {}, job = BlockJob {}
        try job.addDependency(root)
        let ready = watch(job, \.isReady, [.old, .new])
        try queue.addJob(job)
        job.removeDependency(root)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(ready.log.values, [Seen(false, true)])
        ready.observation.invalidate()
    }

    func testV2_ACancelIsOneChange() {
        let queue = WorkQueue(isSuspended: true), job = BlockJob {}
        let cancelled = watch(job, \.isCancelled, [.old, .new]), finished = watch(job, \.isFinished, [.old, .new])
        let executing = watch(job, \.isExecuting, [.old, .new])
        add(job, to: queue)
        job.cancel()
        job.cancel(reason: .custom("again"))
        waitForEnd(of: job)
        job.cancel()
        XCTAssertEqual(cancelled.log.values, [Seen(false, true)])
        XCTAssertEqual(finished.log.values, [Seen(false, true)])
        XCTAssertEqual(executing.log.values, [], "its body never ran")
        for watcher in [executing, finished, cancelled] { watcher.observation.invalidate() }
    }

    func testV2_ExecutingTurnsFalseThenFinishedTrueThenTheCompletions() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = BlockJob {}, order = Log<String>()
        let watching = [
            job.observe(\.isFinished) { job, _ in order.append("finished \(job.isFinished) executing \(job.isExecuting)") },
            job.observe(\.isExecuting) { job, _ in order.append("executing \(job.isExecuting)") },
        ]
        job.addCompletion { _ in order.append("completion") }
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(order.values, ["executing true", "executing false", "finished true executing false", "completion"])
        for observation in watching { observation.invalidate() }
    }

    func testV2_WithoutOptionsAChangeCarriesNothing() {
        let queue = WorkQueue(), job = BlockJob {}, finished = watch(job, \.isFinished, [])
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(finished.log.values, [Seen(nil, nil)])
        finished.observation.invalidate()
    }

    func testV2_OldAloneAndNewAlone() {
        let queue = WorkQueue(), job = BlockJob {}, old = watch(job, \.isFinished, [.old]), new = watch(job, \.isFinished, [.new])
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(old.log.values, [Seen(false, nil)])
        XCTAssertEqual(new.log.values, [Seen(nil, true)])
        old.observation.invalidate()
        new.observation.invalidate()
    }

    func testV2_InitialReportsTheValueBeforeObserveReturns() {
        let queue = WorkQueue(), job = BlockJob {}, both = watch(job, \.isFinished, [.initial, .new, .old]),
            bare = watch(job, \.isFinished, [.initial])
        XCTAssertEqual(both.log.values, [Seen(nil, false)], "there is no old value at first")
        XCTAssertEqual(bare.log.values, [Seen(nil, nil)])
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(both.log.values, [Seen(nil, false), Seen(false, true)])
        XCTAssertEqual(bare.log.values, [Seen(nil, nil), Seen(nil, nil)])
        both.observation.invalidate()
        bare.observation.invalidate()
    }

    func testV2_PriorIsCalledBeforeAndAfter() {
        let queue = WorkQueue(), job = BlockJob {}
        let all = watch(job, \.isFinished, [.prior, .new, .old]), bare = watch(job, \.isExecuting, [.prior])
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(all.log.values, [Seen(false, nil, prior: true), Seen(false, true)], "before, there is no new value yet")
        XCTAssertEqual(
            bare.log.values, [Seen(nil, nil, prior: true), Seen(nil, nil), Seen(nil, nil, prior: true), Seen(nil, nil)])
        all.observation.invalidate()
        bare.observation.invalidate()
    }

    func testV2_AllFourOptionsTogether() {
        let queue = WorkQueue(), job = BlockJob {}, all = watch(job, \.isFinished, [.initial, .prior, .new, .old])
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(all.log.values, [Seen(nil, false), Seen(false, nil, prior: true), Seen(false, true)])
        all.observation.invalidate()
    }

    func testV2_InitialOnAFinishedJob() {
        let queue = WorkQueue(), job = queue.addJob {}
        assertDrained(queue)
        let log = Log<Seen<Bool>>(),
            observation = job.observe(\.isFinished, options: [.initial, .new]) { _, change in log.append(Seen(change)) }
        XCTAssertEqual(log.values, [Seen(nil, true)])
        observation.invalidate()
    }

    func testV2_AnObserverWithInitialAddedWhileTheJobEndsSeesFinishedExactlyOnce() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(20_000), "observe while it ends",
            prepare: { _ in (BlockJob {}, Log<Seen<Bool>>(), Guarded<JobObservation?>(nil)) as Ending },
            [
                { (ending: Ending) in add(ending.0, to: queue) },
                { ending in
                    let log = ending.1
                    dawdle(Int.random(in: 0..<3_000))
                    ending.2.set(ending.0.observe(\.isFinished, options: [.initial, .new]) { _, change in log.append(Seen(change)) })
                },
            ],
            check: { round, ending in
                ending.0.waitUntilFinished()
                let news = ending.1.values.map(\.new)
                XCTAssertTrue(news == [true] || news == [false, true], "round \(round): \(news)")
                ending.2.current?.invalidate()
            })
        assertDrained(queue)
    }

    func testV2_AnObserverWithInitialAddedWhileTheJobIsCancelledSeesItExactlyOnce() {
        race(
            rounds: Rounds.scaled(20_000), "observe while it is cancelled",
            prepare: { _ in (BlockJob {}, Log<Seen<Bool>>(), Guarded<JobObservation?>(nil)) as Ending },
            [
                { (ending: Ending) in ending.0.cancel() },
                { ending in
                    let log = ending.1
                    ending.2.set(ending.0.observe(\.isCancelled, options: [.initial, .new]) { _, change in log.append(Seen(change)) })
                },
            ],
            check: { round, ending in
                eventually("the change") { ending.1.values.last?.new == true }
                let news = ending.1.values.map(\.new)
                XCTAssertTrue(news == [true] || news == [false, true], "round \(round): \(news)")
                ending.2.current?.invalidate()
            })
    }

    private typealias Ending = (BlockJob, Log<Seen<Bool>>, Guarded<JobObservation?>)
}
