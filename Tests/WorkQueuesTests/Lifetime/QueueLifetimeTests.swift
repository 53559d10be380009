// W5: a queue with work keeps itself alive; a suspended one, or one of width 0, lets its waiting jobs go with it.
import Foundation
import WorkQueues
import XCTest

final class QueueLifetimeTests: XCTestCase {
    func testW5_DroppingTheLastReferenceLosesNothing() {
        for width in [1, 4, -1] {
            weak var gone: WorkQueue?
            let runs = Meter()
            do {
                let queue = WorkQueue(maxConcurrentJobCount: width)
                gone = queue
                for _ in 0..<200 { queue.addJob { runs.enter() } }
            }
            eventually("all ran") { runs.total == 200 }
            eventually("and the queue is freed then") { gone == nil }
        }
    }

    func testW5_AsyncJobsBarriersAndWhatTheyAddToo() {
        weak var gone: WorkQueue?
        let runs = Meter()
        do {
            let queue = WorkQueue(maxConcurrentJobCount: 2)
            gone = queue
            queue.addJob { () async -> Void in
                await Task.yield()
                WorkQueue.current?.addJob { runs.enter() }
                runs.enter()
            }
            queue.addBarrierBlock { runs.enter() }
            let _: ResultJob<Int> = queue.addJob { done in
                DispatchQueue.global().async {
                    runs.enter()
                    done.finish(returning: 1)
                }
            }
        }
        eventually("all ran") { runs.total == 4 }
        eventually("freed") { gone == nil }
    }

    func testW5_AJobThatWaitsForAnEdgeKeepsItsQueue() throws {
        weak var gone: WorkQueue?
        let root = HeldJob(), runs = Meter()
        func addDependent() -> Job {
            let queue = WorkQueue(name: "kept", maxConcurrentJobCount: 1)
            gone = queue
            return queue.addJob(dependencies: [root]) { runs.enter() }
        }
        let dependent = addDependent()
        assertHeld(dependent)
        XCTAssertEqual(dependent.queue?.name, "kept")
        try WorkQueue(maxConcurrentJobCount: 1).addJob(root)
        within { root.begun.wait() }
        root.finish()
        waitForEnd(of: dependent)
        XCTAssertEqual(runs.total, 1)
        eventually("freed") { gone == nil && dependent.queue == nil }
    }

    func testW5_DroppedInsideOneOfItsOwnJobs() {
        weak var gone: WorkQueue?
        let runs = Meter(), only = Guarded<WorkQueue?>(nil)
        do {
            let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
            gone = queue
            only.set(queue)
            queue.addJob { only.set(nil) }
            for _ in 0..<10 { queue.addJob { runs.enter() } }
            queue.isSuspended = false
        }
        eventually("all ran") { runs.total == 10 }
        eventually("freed") { gone == nil }
    }

    func testW5_DroppedInsideACompletionOfItsLastJob() {
        weak var gone: WorkQueue?
        let dropped = Gate(), only = Guarded<WorkQueue?>(nil)
        do {
            let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
            gone = queue
            only.set(queue)
            queue.addJob {}.addCompletion { _ in
                only.set(nil)
                dropped.open()
            }
            queue.isSuspended = false
        }
        within { dropped.wait() }
        eventually("freed") { gone == nil }
    }

    func testW5_AnIdleQueueIsFreedAtOnce() {
        weak var gone: WorkQueue?
        do {
            let queue = WorkQueue()
            gone = queue
            queue.addJob {}
            assertDrained(queue)
        }
        eventually("freed") { gone == nil }
        let job: ResultJob<Int>
        do { job = WorkQueue().addJob { 3 } }
        XCTAssertEqual(try job.waitForValue(), 3)
        eventually("a finished job does not keep its queue") { job.queue == nil }
    }

    func testW5_ASuspendedQueueEndsItsWaitingJobsWithItself() {
        released { WorkQueue(maxConcurrentJobCount: 2, isSuspended: true) }
    }

    func testW5_AQueueOfWidthZeroEndsItsWaitingJobsWithItself() {
        released { WorkQueue(maxConcurrentJobCount: 0) }
    }

    private func released(file: StaticString = #filePath, line: UInt = #line, _ make: @escaping @Sendable () -> WorkQueue) {
        let places = Log<Place>(), bodies = Meter(), jobs = Log<Job>(), dropper = Guarded<ObjectIdentifier?>(nil), reasons = Log<Bool>()
        within(file: file, line: line) {
            dropper.set(threadMark())
            let queue = make(), byHand = HandMadeJob { _ in bodies.enter() }
            let first = queue.addJob { bodies.enter() }
            let added: [Job] = [
                first, queue.addJob(priority: .high) { bodies.enter() }, queue.addJob(dependencies: [first]) { bodies.enter() },
                queue.addJob { () async -> Void in bodies.enter() }, queue.addBarrierBlock { bodies.enter() },
                queue.addJob(dependencies: [BlockJob {}]) { bodies.enter() }, byHand,
            ]
            try queue.addJob(byHand)
            for job in added {
                jobs.append(job)
                job.onCancel { reason in reasons.append(reason == .queueReleased || reason == .dependency(first.id)) }
                job.addCompletion { _ in places.append(.here) }
            }
        }
        waitForEnd(of: jobs.values, file: file, line: line)
        XCTAssertEqual(bodies.total, 0, file: file, line: line)
        XCTAssertEqual(places.count, 7, file: file, line: line)
        for job in jobs.values {
            XCTAssertEqual(cancellation(job.outcome), .queueReleased, file: file, line: line)
            XCTAssertTrue(job.isCancelled, file: file, line: line)
            XCTAssertNil(job.queue, file: file, line: line)
        }
        XCTAssertTrue(places.values.allSatisfy { $0.thread != dropper.current }, "on a worker", file: file, line: line)
        XCTAssertEqual(reasons.values, Array(repeating: true, count: 7), "through their cancel()", file: file, line: line)
    }

    func testW5_TheirCancelOverridesAreCalled() {
        let cancels = Meter(), job = Careful(cancels)
        do {
            let queue = WorkQueue(isSuspended: true)
            add(job, to: queue)
        }
        waitForEnd(of: job)
        XCTAssertEqual(cancels.total, 1)
        XCTAssertEqual(job.cancellationReason, .queueReleased)
    }

    func testW5_WhatRunsOnASuspendedQueueGoesOn() {
        let begun = Gate(), leave = Gate(), jobs = Log<Job>()
        do {
            let queue = WorkQueue(maxConcurrentJobCount: 1)
            jobs.append(
                queue.addJob {
                    begun.open()
                    leave.wait()
                })
            jobs.append(queue.addJob {})
            within { begun.wait() }
            queue.isSuspended = true
        }
        XCTAssertFalse(jobs.values[0].waitUntilFinished(timeout: .milliseconds(30)))
        XCTAssertFalse(jobs.values[0].isCancelled)
        leave.open()
        waitForEnd(of: jobs.values)
        XCTAssertTrue(hasSucceeded(jobs.values[0].outcome))
        XCTAssertEqual(cancellation(jobs.values[1].outcome), .queueReleased)
    }

    func testW5_DependentsInOtherQueuesLearnOfIt() throws {
        let other = WorkQueue(), strict = BlockJob {}, lenient = BlockJob {}, lost = BlockJob {}
        try strict.addDependency(lost, requiring: .succeeded)
        try lenient.addDependency(lost)
        try other.addJobs([strict, lenient])
        do {
            let queue = WorkQueue(isSuspended: true)
            try queue.addJob(lost)
        }
        assertDrained(other)
        XCTAssertEqual(cancellation(lost.outcome), .queueReleased)
        XCTAssertTrue(hasSucceeded(lenient.outcome))
        XCTAssertEqual(cancellation(strict.outcome), .dependency(lost.id))
    }

    func testW5_LastReferenceRacingLastJob() {
        for round in 0..<Rounds.scaled(10_000) {
            weak var gone: WorkQueue?
            let runs = Meter()
            do {
                let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
                gone = queue
                queue.addJob { runs.enter() }
                dawdle(round % 101 * 20)
            }
            guard eventually("round \(round)", { runs.total == 1 && gone == nil }) else { return }
        }
    }

    func testW5_ManyQueuesComeAndGo() {
        let runs = Meter()
        for _ in 0..<1_000 { WorkQueue(maxConcurrentJobCount: 2).addJob { runs.enter() } }
        eventually("all ran") { runs.total == 1_000 }
    }
}

private final class Careful: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    private let cancels: Meter

    init(_ cancels: Meter) {
        self.cancels = cancels
        super.init()
    }

    override func cancel() {
        cancels.enter()
        super.cancel()
    }
}
