// V2: how long an observation lasts, what its handlers may do, and the `state` of asynchronous jobs.
import Foundation
import WorkQueues
import XCTest

final class KeyValueLifeTests: XCTestCase {
    func testV2_InvalidatingEndsIt() {
        let queue = WorkQueue(), job = BlockJob {}, calls = Meter(), observation = job.observe(\.isFinished) { _, _ in calls.enter() }
        observation.invalidate()
        observation.invalidate()
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(calls.total, 0)
    }

    func testV2_DroppingItInvalidatesIt() {
        let queue = WorkQueue(), job = BlockJob {}, calls = Meter()
        do {
            let observation = job.observe(\.isFinished, options: .initial) { _, _ in calls.enter() }
            _ = observation
        }
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(calls.total, 1, "the initial call alone")
    }

    func testV2_InvalidatingInsideTheHandler() {
        let queue = WorkQueue(), job = BlockJob {}, calls = Meter(), held = Guarded<JobObservation?>(nil)
        held.set(
            job.observe(\.isExecuting) { _, _ in
                calls.enter()
                held.current?.invalidate()
            })
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(calls.total, 1)
        held.set(nil)
    }

    func testV2_SeveralObserversOfOneProperty() {
        let queue = WorkQueue(), job = BlockJob {}, calls = Meter()
        let watching = (0..<5).map { _ in job.observe(\.isFinished) { _, _ in calls.enter() } }
        watching[2].invalidate()
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(calls.total, 4)
        for observation in watching { observation.invalidate() }
    }

    func testV2_AHandlerMayObserveMore() {
        let queue = WorkQueue(), job = BlockJob {}, more = Log<JobObservation>(), calls = Meter()
        let observation = job.observe(\.isExecuting) { job, _ in
            guard more.count == 0 else { return }
            more.append(job.observe(\.isFinished, options: [.initial]) { _, _ in calls.enter() })
        }
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(calls.total, 2, "its initial value and the change")
        observation.invalidate()
        for other in more.values { other.invalidate() }
    }

    func testV2_TheHandlerGetsTheJobAsWhatItIs() {
        let queue = WorkQueue(), job = ResultJob { 15 }, values = Log<Int?>()
        let observation = job.observe(\.isFinished) { job, _ in values.append(try? job.result?.get()) }
        add(job, to: queue)
        assertDrained(queue)
        XCTAssertEqual(values.values, [15])
        observation.invalidate()
    }

    func testV2_TheStateOfAnAsyncJob() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HeldJob(), states = Log<Seen<AsyncJob.State>>()
        let observation = job.observe(\.state, options: [.old, .new, .initial, .prior]) { _, change in states.append(Seen(change)) }
        add(job, to: queue)
        within { job.begun.wait() }
        job.finish()
        assertDrained(queue)
        XCTAssertEqual(
            states.values,
            [
                Seen(nil, .ready),
                Seen(.ready, nil, prior: true), Seen(.ready, .executing),
                Seen(.executing, nil, prior: true), Seen(.executing, .finished),
            ])
        observation.invalidate()
    }

    func testV2_AnAsyncJobsOwnProperties() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HeldJob(), order = Log<String>()
        let watching = [
            job.observe(\.isExecuting, options: .new) { _, change in order.append("executing \(change.newValue.map(String.init) ?? "")") },
            job.observe(\.isFinished, options: .new) { _, change in order.append("finished \(change.newValue.map(String.init) ?? "")") },
        ]
        add(job, to: queue)
        within { job.begun.wait() }
        job.finish()
        job.finish()
        assertDrained(queue)
        XCTAssertEqual(order.values, ["executing true", "executing false", "finished true"])
        for observation in watching { observation.invalidate() }
    }

    func testV2_AJobStartedByHandPostsThemToo() {
        let job = BlockJob {}, order = Log<String>()
        let watching = [
            job.observe(\.isExecuting, options: .new) { _, change in order.append("executing \(change.newValue.map(String.init) ?? "")") },
            job.observe(\.isFinished, options: .new) { _, change in order.append("finished \(change.newValue.map(String.init) ?? "")") },
        ]
        within { job.start() }
        XCTAssertEqual(order.values, ["executing true", "executing false", "finished true"])
        for observation in watching { observation.invalidate() }
    }

    func testV2_ObserversComeAndGoWhileTheJobRuns() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        for round in 0..<Rounds.scaled(1_000) {
            let job = BlockJob { dawdle(500) }, finished = Meter(), steady = job.observe(\.isFinished) { _, _ in finished.enter() }
            add(job, to: queue)
            for _ in 0..<20 { job.observe(\.isFinished, options: .initial) { _, _ in }.invalidate() }
            guard waitForEnd(of: job) else { return }
            XCTAssertEqual(finished.total, 1, "round \(round)")
            steady.invalidate()
        }
    }

    func testV3_ObserversThatAreGoneAreNotPaidFor() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        func reads(_ prepare: (CountedJob) -> Void) -> Int {
            let job = CountedJob()
            prepare(job)
            add(job, to: queue)
            assertDrained(queue)
            return job.reads.total
        }
        let never = reads { _ in }
        var observation: JobObservation?
        let watched = reads { observation = $0.observe(\.isExecuting, options: [.new]) { _, _ in } }
        observation?.invalidate()
        let gone = reads { job in
            for _ in 0..<100 { job.observe(\.isExecuting, options: [.new]) { _, _ in }.invalidate() }
            // What those calls read themselves is theirs; only the run is compared.
            job.reads.reset()
        }
        XCTAssertGreaterThan(watched, never, "an observer's value is read at each transition")
        XCTAssertEqual(gone, never)
    }

    func testV3_AQueueWhoseObserversAreGoneIsNoSlowerThanOneThatNeverHadAny() {
        let never = WorkQueue(maxConcurrentJobCount: 1), once = WorkQueue(maxConcurrentJobCount: 1), logs = (0..<50).map { _ in EventLog() }
        for log in logs { once.addObserver(log) }
        for log in logs { once.removeObserver(log) }
        func took(_ queue: WorkQueue) -> Duration {
            duration {
                for _ in 0..<2_000 { queue.addJob {} }
                assertDrained(queue)
            }
        }
        var best = (never: Duration.seconds(1_000), once: Duration.seconds(1_000))
        for _ in 0..<5 {
            best.never = min(best.never, took(never))
            best.once = min(best.once, took(once))
        }
        XCTAssertLessThan(best.once, best.never * 3)
        XCTAssertEqual(logs.map(\.events.count), Array(repeating: 0, count: 50))
    }
}

/// Counts how often its `isExecuting` is asked.
private final class CountedJob: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let reads = Counter()

    override var isExecuting: Bool {
        reads.enter()
        return super.isExecuting
    }

    override func main() {}

    final class Counter: Sendable {
        private let count = Guarded(0)

        var total: Int { count.current }

        func enter() { count.with { $0 += 1 } }

        func reset() { count.set(0) }
    }
}
