// L6: what does run on the thread that causes it: `cancel()` overrides, cancel handlers, posts, some events, and jobs started by hand.
import Foundation
import WorkQueues
import XCTest

final class CallerThreadTests: XCTestCase {
    func testL6_CancelOverridesAndHandlersRunOnTheCancellersThread() {
        let queue = WorkQueue(isSuspended: true), marks = Log<ObjectIdentifier>()
        for all in [false, true] {
            let job = Cancellable(marks)
            job.onCancel { _ in marks.append(threadMark()) }
            add(job, to: queue)
            within {
                let mine = threadMark(), before = marks.count
                if all { queue.cancelAllJobs() } else { job.cancel() }
                XCTAssertEqual(Array(marks.values.dropFirst(before)), [mine, mine], "before the call returns")
            }
            waitForEnd(of: job)
        }
        XCTAssertEqual(marks.count, 4)
    }

    func testL6_TheSameForAJobThatExecutes() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), marks = Log<ObjectIdentifier>(), begun = Gate(), leave = Gate()
        let job = Cancellable(marks) {
            begun.open()
            leave.wait()
        }
        job.onCancel { _ in marks.append(threadMark()) }
        add(job, to: queue)
        within { begun.wait() }
        within {
            job.cancel(reason: .custom("foreign"))
            XCTAssertEqual(marks.values, [threadMark(), threadMark()])
        }
        leave.open()
        assertDrained(queue)
    }

    func testL6_ACancelRunsNobodyElsesCallbacks() {
        let queue = WorkQueue(isSuspended: true), job = BlockJob {}, blocked = Gate(), leave = Gate()
        let log = Log<Place>(), change = Log<Place>()
        let stuck: @Sendable () -> Void = {
            log.append(.here)
            blocked.open()
            leave.wait()
        }
        let watching = [
            job.observe(\.isCancelled) { _, _ in
                change.append(.here)
                blocked.open()
                leave.wait()
            },
            job.observe(\.isFinished) { _, _ in stuck() },
            queue.observe { event in if EventLog.name(of: event) == .finished { stuck() } },
        ]
        job.addCompletion { _ in stuck() }
        add(job, to: queue)
        let canceller = Guarded<ObjectIdentifier?>(nil)
        within(20, "cancel() fixes the flag and returns") {
            canceller.set(threadMark())
            job.cancel(reason: .custom("now"))
            XCTAssertTrue(job.isCancelled)
            XCTAssertEqual(job.cancellationReason, .custom("now"))
            blocked.wait()
            leave.open()
        }
        waitForEnd(of: job)
        XCTAssertEqual(change.values.map { $0.thread == canceller.current }, [false])
        XCTAssertEqual(log.count, 3, "the end's")
        XCTAssertTrue(log.values.allSatisfy { $0.thread != canceller.current && $0.isInside(job, on: queue) })
        for observation in watching { observation.invalidate() }
    }

    func testL6_CancellingAllRunsNobodyElsesCallbacks() {
        let queue = WorkQueue(isSuspended: true), blocked = Gate(), leave = Gate()
        let jobs = (0..<10).map { _ in queue.addJob {} }
        for job in jobs {
            job.addCompletion { _ in
                blocked.open()
                leave.wait()
            }
        }
        within(20) {
            queue.cancelAllJobs()
            XCTAssertTrue(jobs.allSatisfy(\.isCancelled))
            blocked.wait()
            leave.open()
        }
        waitForEnd(of: jobs)
    }

    func testL6_TheHandlersOfAPostRunInsideThePostOnThePostersThread() {
        let job = HandMadeJob(ready: false), order = Log<String>(), marks = Log<ObjectIdentifier>()
        let observation = job.observe(\.isReady, options: [.prior, .new]) { _, change in
            marks.append(threadMark())
            order.append(change.isPrior ? "prior" : "after")
        }
        let plain: Job = job
        let superclass = plain.observe(\.isReady, options: [.prior]) { _, change in
            marks.append(threadMark())
            order.append(change.isPrior ? "prior of Job" : "after of Job")
        }
        within {
            order.append("will")
            job.willChangeValue(forKey: "isReady")
            order.append("between")
            job.flags.with { $0.ready = true }
            job.didChangeValue(forKey: "isReady")
            order.append("did")
            XCTAssertTrue(marks.values.allSatisfy { $0 == threadMark() })
        }
        let values = order.values.filter { $0 != "prior" }
        XCTAssertEqual(values.first, "will")
        XCTAssertEqual(values.last, "did")
        guard let between = values.firstIndex(of: "between") else { return XCTFail("\(values)") }
        XCTAssertEqual(Array(values[..<between].dropFirst()), ["prior of Job"], "promised for the properties of Job itself")
        XCTAssertEqual(Set(values[between...].dropFirst().dropLast()), ["after", "after of Job"])
        observation.invalidate()
        superclass.invalidate()
    }

    func testL6_TheHandlersOfAPostOnAQueuedJobToo() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HandMadeJob(), marks = Log<ObjectIdentifier>()
        let observation = job.observe(\.isFinished, options: .new) { _, _ in marks.append(threadMark()) }
        try queue.addJob(job)
        eventually("it runs") { job.starts.total == 1 }
        within {
            job.end()
            XCTAssertEqual(marks.values, [threadMark()])
        }
        assertDrained(queue)
        XCTAssertEqual(marks.count, 1, "and not once more at the engine's own transition")
        observation.invalidate()
    }

    func testL6_AddedAndCancelRequestedAreDeliveredOnTheThreadThatCausesThem() {
        let queue = WorkQueue(isSuspended: true), marks = Log<ObjectIdentifier>(), names = Log<EventLog.Name>(), ready = Meter()
        let observation = queue.observe { event in
            let name = EventLog.name(of: event)
            if name == .ready { ready.enter() }
            if name == .added || name == .cancelRequested {
                names.append(name)
                marks.append(threadMark())
            }
        }
        let jobs = Log<Job>()
        within {
            jobs.append(queue.addJob {})
            try queue.addJobs([BlockJob {}, BlockJob {}])
            XCTAssertEqual(marks.values, [threadMark(), threadMark(), threadMark()])
        }
        eventually("no earlier event is on its way") { ready.total == 3 }
        within {
            jobs.values.first?.cancel()
            queue.cancelAllJobs()
            XCTAssertEqual(Array(marks.values.dropFirst(3)), [threadMark(), threadMark(), threadMark()])
        }
        XCTAssertEqual(names.values, [.added, .added, .added, .cancelRequested, .cancelRequested, .cancelRequested])
        assertDrained(queue)
        observation.invalidate()
    }

    func testL6_AJobStartedByHandDoesAllOnTheCallersThread() {
        let order = Log<String>(), places = Log<Place>(),
            job = BlockJob {
                order.append("body")
                places.append(.here)
            }
        job.addCompletion { _ in
            order.append("completion")
            places.append(.here)
        }
        job.completionBlock = {
            order.append("completionBlock")
            places.append(.here)
        }
        let observation = job.observe(\.isFinished) { _, _ in
            order.append("observer")
            places.append(.here)
        }
        within {
            job.start()
            XCTAssertEqual(order.values, ["body", "observer", "completion", "completionBlock"])
            XCTAssertTrue(places.values.allSatisfy { $0.thread == threadMark() && $0.job == job.id })
            XCTAssertTrue(job.isFinished)
        }
        observation.invalidate()
    }

    func testL6_ByHandAResultJobHasItsResultWhenStartReturns() {
        let job = ResultJob { () -> Int in 4 }
        within {
            job.start()
            XCTAssertEqual(try job.result?.get(), 4)
            XCTAssertEqual(try job.waitForValue(), 4)
        }
    }
}

private final class Cancellable: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    private let marks: Log<ObjectIdentifier>
    private let body: @Sendable () -> Void

    init(_ marks: Log<ObjectIdentifier>, _ body: @escaping @Sendable () -> Void = {}) {
        self.marks = marks
        self.body = body
        super.init()
    }

    override func cancel() {
        marks.append(threadMark())
        super.cancel()
    }

    override func main() { body() }
}
