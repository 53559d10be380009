// V2: observation of properties that a subclass overrides, whose values are read again after each post and each transition.
import Foundation
import WorkQueues
import XCTest

final class OverriddenPropertyTests: XCTestCase {
    private func watch<Value: Equatable & Sendable>(
        _ job: HandMadeJob, _ keyPath: any KeyPath<HandMadeJob, Value> & Sendable, _ options: JobObservingOptions = [.old, .new]
    ) -> (log: Log<Seen<Value>>, observation: JobObservation) {
        let log = Log<Seen<Value>>()
        return (log, job.observe(keyPath, options: options) { _, change in log.append(Seen(change)) })
    }

    func testV2_TheSubclassesKeyPathReportsEachChangeOnce() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HandMadeJob()
        let executing = watch(job, \.isExecuting), finished = watch(job, \.isFinished)
        try queue.addJob(job)
        eventually("it runs") { job.starts.total == 1 }
        XCTAssertEqual(executing.log.values, [Seen(false, true)])
        job.end()
        assertDrained(queue)
        XCTAssertEqual(executing.log.values, [Seen(false, true), Seen(true, false)])
        XCTAssertEqual(finished.log.values, [Seen(false, true)])
        executing.observation.invalidate()
        finished.observation.invalidate()
    }

    func testV2_TheSuperclassesKeyPathReportsTheOverrideToo() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HandMadeJob(), plain: Job = job, log = Log<Seen<Bool>>()
        let observation = plain.observe(\.isFinished, options: [.old, .new]) { _, change in log.append(Seen(change)) }
        try queue.addJob(job)
        eventually("it runs") { job.starts.total == 1 }
        job.end()
        assertDrained(queue)
        XCTAssertEqual(log.values, [Seen(false, true)])
        observation.invalidate()
    }

    func testV2_AnOverriddenReadinessIsReportedWhenItIsPosted() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HandMadeJob(ready: false), ready = watch(job, \.isReady)
        try queue.addJob(job)
        assertHeld(job)
        XCTAssertEqual(ready.log.values, [])
        job.allow()
        eventually("it runs") { job.starts.total == 1 }
        XCTAssertEqual(ready.log.values, [Seen(false, true)])
        job.end()
        assertDrained(queue)
        ready.observation.invalidate()
    }

    func testV2_APostWithoutAChangeIsNotReported() throws {
        let job = HandMadeJob(), executing = watch(job, \.isExecuting)
        for _ in 0..<3 {
            job.willChangeValue(forKey: "isExecuting")
            job.didChangeValue(forKey: "isExecuting")
            job.willChangeValue(for: \.isExecuting)
            job.didChangeValue(for: \.isExecuting)
        }
        XCTAssertEqual(executing.log.values, [])
        executing.observation.invalidate()
    }

    func testV2_AChangeThatWasNotPostedIsReportedAtTheNextPost() {
        let job = HandMadeJob(), executing = watch(job, \.isExecuting)
        job.flags.with { $0.executing = true }
        XCTAssertEqual(executing.log.values, [])
        job.didChangeValue(forKey: "isReady")
        XCTAssertEqual(executing.log.values, [Seen(false, true)], "read again after each post, whatever its key")
        job.didChangeValue(forKey: "isExecuting")
        XCTAssertEqual(executing.log.values, [Seen(false, true)])
        executing.observation.invalidate()
    }

    func testV2_AChangeThatWasNotPostedIsReportedAtTheNextTransition() throws {
        let queue = WorkQueue(isSuspended: true), job = Silent(), log = Log<Seen<Int>>()
        let observation = job.observe(\.progress, options: [.old, .new]) { _, change in log.append(Seen(change)) }
        try queue.addJob(job)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(log.values.last?.new, 100, "at the latest at the end")
        XCTAssertEqual(log.values.first?.old, 0)
        for (earlier, later) in zip(log.values, log.values.dropFirst()) { XCTAssertEqual(earlier.new, later.old) }
        observation.invalidate()
    }

    func testV2_APropertyOfTheSubclassesOwn() {
        let job = Silent(), log = Log<Seen<Int>>()
        let observation = job.observe(\.progress, options: [.initial, .old, .new]) { _, change in log.append(Seen(change)) }
        for value in [10, 10, 20] {
            job.willChangeValue(forKey: "progress")
            job.amount.set(value)
            job.didChangeValue(forKey: "progress")
        }
        XCTAssertEqual(log.values, [Seen(nil, 0), Seen(0, 10), Seen(10, 20)])
        observation.invalidate()
    }

    func testV2_AJobThatNeverPostsItsExecutingIsReportedAtItsEnd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = Silent(), log = Log<Seen<Bool>>()
        let observation = job.observe(\.isFinished, options: [.old, .new]) { _, change in log.append(Seen(change)) }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(log.values, [Seen(false, true)])
        observation.invalidate()
    }

    func testV2_WithInitialOnAnOverride() {
        let job = HandMadeJob(ready: false), ready = watch(job, \.isReady, [.initial, .new])
        XCTAssertEqual(ready.log.values, [Seen(nil, false)])
        job.allow()
        XCTAssertEqual(ready.log.values, [Seen(nil, false), Seen(nil, true)])
        ready.observation.invalidate()
    }

    func testV2_RacingPostsReportEachRealChangeOnce() {
        for round in 0..<Rounds.scaled(1_000) {
            let job = HandMadeJob(), executing = watch(job, \.isExecuting)
            let done = (Gate(), Gate())
            for (gate, value) in [(done.0, true), (done.1, false)] {
                onNewThread {
                    for _ in 0..<5 {
                        job.willChangeValue(forKey: "isExecuting")
                        job.flags.with { $0.executing = value }
                        job.didChangeValue(forKey: "isExecuting")
                    }
                    gate.open()
                }
            }
            guard
                within(
                    30, "in time",
                    {
                        done.0.wait()
                        done.1.wait()
                    })
            else { return }
            let values = executing.log.values
            XCTAssertTrue(values.allSatisfy { $0.old != $0.new }, "round \(round): \(values)")
            // Two posters may note theirs in either order, but turns up and turns down alternate.
            let up = values.count { $0.new == true }, down = values.count { $0.new == false }
            XCTAssertEqual(up - down, job.isExecuting ? 1 : 0, "round \(round): \(values)")
            executing.observation.invalidate()
        }
    }
}

/// Changes a property of its own in its body and posts nothing; some overrides only pass on.
private final class Silent: Job, @unchecked Sendable {
    // Unchecked: what varies is behind a lock.
    let amount = Guarded(0)

    var progress: Int { amount.current }
    override var isFinished: Bool { super.isFinished }

    override func main() {
        amount.set(100)
    }
}
