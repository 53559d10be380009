// L6: what runs on a worker of the job's queue, and what a finish or a post from a foreign thread leaves to one.
import Foundation
import WorkQueues
import XCTest

final class ThreadTests: XCTestCase {
    func testL6_BodiesAndStartRunOnAWorkerOfTheirQueue() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), places = Log<Place>(), adder = Guarded<ObjectIdentifier?>(nil)
        let job = Placed(places), closure = BlockJob { places.append(.here) }
        within {
            adder.set(threadMark())
            try queue.addJobs([job, closure])
            queue.waitUntilAllJobsAreFinished()
        }
        XCTAssertEqual(places.values.map(\.job), [job.id, job.id, closure.id], "start, main, block")
        for place in places.values {
            XCTAssertEqual(place.queue, ObjectIdentifier(queue))
            XCTAssertNotEqual(place.thread, adder.current)
        }
    }

    func testL6_CompletionsAndTheObserversOfTheEndRunOnAWorkerOfTheQueue() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = BlockJob {}, places = Log<Place>()
        let watching = watchTheEnd(of: job, on: queue, places)
        let caller = Guarded<ObjectIdentifier?>(nil)
        within {
            caller.set(threadMark())
            try queue.addJob(job)
            queue.waitUntilAllJobsAreFinished()
        }
        XCTAssertEqual(places.count, 4)
        XCTAssertTrue(places.values.allSatisfy { $0.isInside(job, on: queue) && $0.thread != caller.current })
        for observation in watching { observation.invalidate() }
    }

    func testL6_TheEndOfACancelledJobRunsOnAWorkerToo() {
        let queue = WorkQueue(isSuspended: true), places = Log<Place>(), job = Placed(places)
        let watching = watchTheEnd(of: job, on: queue, places), canceller = Guarded<ObjectIdentifier?>(nil)
        within {
            canceller.set(threadMark())
            try queue.addJob(job)
            job.cancel()
            job.waitUntilFinished()
        }
        XCTAssertEqual(places.count, 5, "start() and the four at the end")
        XCTAssertTrue(places.values.allSatisfy { $0.isInside(job, on: queue) && $0.thread != canceller.current })
        for observation in watching { observation.invalidate() }
    }

    func testL6_AForeignFinishFixesTheOutcomeAndHandsTheRestToAWorker() throws {
        let kinds: [(Job, @Sendable (Job) -> Void)] = [
            (HeldJob(), { ($0 as? HeldJob)?.finish() }),
            (HeldJob(), { ($0 as? HeldJob)?.state = .finished }),
            (HandMadeJob(), { ($0 as? HandMadeJob)?.end() }),
        ]
        for (job, finish) in kinds {
            let queue = WorkQueue(maxConcurrentJobCount: 1), places = Log<Place>(), blocked = Gate(), leave = Gate()
            job.addCompletion { _ in
                places.append(.here)
                blocked.open()
                leave.wait()
            }
            try queue.addJob(job)
            eventually("it runs") { job.phase == .executing && job.isExecuting }
            let finisher = Guarded<ObjectIdentifier?>(nil)
            within(20, "a finish runs nobody's callbacks") {
                finisher.set(threadMark())
                finish(job)
                XCTAssertEqual(job.phase, .finished)
                XCTAssertTrue(job.isFinished)
                XCTAssertFalse(job.isExecuting)
                XCTAssertTrue(hasSucceeded(job.outcome))
                blocked.wait()
                leave.open()
            }
            assertDrained(queue)
            XCTAssertEqual(places.count, 1)
            XCTAssertTrue(places.values.allSatisfy { $0.isInside(job, on: queue) && $0.thread != finisher.current })
        }
    }

    func testL6_AForeignFinishRunsNoObserversEither() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HeldJob(), places = Log<Place>(), blocked = Gate(), leave = Gate()
        let watching = [
            job.observe(\.isFinished) { _, _ in
                places.append(.here)
                blocked.open()
                leave.wait()
            },
            job.observe(\.isExecuting, options: .new) { _, change in if change.newValue == false { places.append(.here) } },
            queue.observe { event in if EventLog.name(of: event) == .finished { places.append(.here) } },
        ]
        add(job, to: queue)
        within { job.begun.wait() }
        let finisher = Guarded<ObjectIdentifier?>(nil)
        within(20) {
            finisher.set(threadMark())
            job.finish(throwing: Trouble(6))
            XCTAssertEqual(trouble(job.outcome), Trouble(6))
            blocked.wait()
            leave.open()
        }
        assertDrained(queue)
        XCTAssertEqual(places.count, 3)
        XCTAssertTrue(places.values.allSatisfy { $0.isInside(job, on: queue) && $0.thread != finisher.current })
        for observation in watching { observation.invalidate() }
    }

    func testL6_AForeignFinishStartsNobodyElsesBody() {
        // The next job blocks; had the finisher's thread picked it up, finish() would not return.
        let queue = WorkQueue(maxConcurrentJobCount: 1), job = HeldJob(), leave = Gate(), begun = Gate()
        add(job, to: queue)
        queue.addJob(dependencies: [job]) {
            begun.open()
            leave.wait()
        }
        within { job.begun.wait() }
        within(20) {
            job.finish()
            begun.wait()
            leave.open()
        }
        assertDrained(queue)
    }

    func testL6_AForeignCompletionCallToo() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), kept = Guarded<JobCompletion<Int>?>(nil), begun = Gate(), blocked = Gate(),
            leave = Gate()
        let places = Log<Place>(),
            job = queue.addJob { (done: JobCompletion<Int>) in
                kept.set(done)
                begun.open()
            }
        job.addCompletion { _ in
            places.append(.here)
            blocked.open()
            leave.wait()
        }
        within { begun.wait() }
        within(20) {
            kept.current?.finish(returning: 3)
            XCTAssertEqual(try job.result?.get(), 3)
            blocked.wait()
            leave.open()
        }
        assertDrained(queue)
        XCTAssertTrue(places.values.allSatisfy { $0.isInside(job, on: queue) })
    }

    func testL6_AddingAJobRunsNothingOnTheCallersThread() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), begun = Gate()
        let ready = queue.observe { event in
            if EventLog.name(of: event) == .started {
                begun.open()
                leave.wait()
            }
        }
        within(20, "the add returns while the first event of the start is stuck") {
            queue.addJob {}
            begun.wait()
            leave.open()
        }
        assertDrained(queue)
        ready.invalidate()
    }

    func testL6_ResumingAndWideningStartNothingOnTheCallersThread() {
        for resume in [true, false] {
            let queue = WorkQueue(maxConcurrentJobCount: resume ? 1 : 0, isSuspended: resume), leave = Gate(), begun = Gate()
            queue.addJob {
                begun.open()
                leave.wait()
            }
            within(20) {
                if resume { queue.isSuspended = false } else { queue.maxConcurrentJobCount = 1 }
                begun.wait()
                leave.open()
            }
            assertDrained(queue)
        }
    }

    private func watchTheEnd(of job: Job, on queue: WorkQueue, _ places: Log<Place>) -> [JobObservation] {
        let id = job.id
        job.addCompletion { _ in places.append(.here) }
        job.completionBlock = { places.append(.here) }
        return [
            queue.observe { event in if event.jobID == id, EventLog.name(of: event) == .finished { places.append(.here) } },
            job.observe(\.isFinished) { _, _ in places.append(.here) },
        ]
    }
}

private final class Placed: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    private let places: Log<Place>

    init(_ places: Log<Place>) {
        self.places = places
        super.init()
    }

    override func start() {
        places.append(.here)
        super.start()
    }

    override func main() { places.append(.here) }
}
