// Asynchronous jobs hold their slot until they finish, also when they are cancelled in numbers (S14, S15, S16).
import Dispatch
import WorkQueues
import XCTest

final class AsyncJobTests: XCTestCase {
    func testS14_NothingMovesBeforeAnAsynchronousJobHasFinished() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = HeldJob()
        let next = Probe { _ in XCTAssertTrue(job.isFinished) }
        try queue.addJobs([job, next])
        job.begun.wait()
        // A wait with a limit is how long one looks: the job cannot end meanwhile, whatever the scheduler does.
        within {
            XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(50)))
            XCTAssertFalse(next.waitUntilFinished(timeout: .milliseconds(50)))
        }
        XCTAssertEqual(job.phase, .executing)
        XCTAssertEqual(next.runs.total, 0)
        XCTAssertEqual(queue.jobCount, 2)
        let released = Gate()
        DispatchQueue.global().async {
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(next.runs.total, 1)
            released.open()
        }
        XCTAssertFalse(released.isOpen)
        job.finish()
        released.wait()
        assertDrained(queue)
    }

    func testS15_CancelledAsynchronousJobsBehindARunningOne() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let jobs = (0..<10).map { _ in HeldJob() }
        let completions = jobs.map { job in
            let meter = Meter()
            job.addCompletion { _ in meter.enter() }
            return meter
        }
        try queue.addJobs(jobs)
        jobs[0].begun.wait()
        queue.cancelAllJobs()
        waitForEnd(of: Array(jobs.dropFirst()))
        XCTAssertFalse(jobs[0].isFinished, "an executing job is never interrupted")
        XCTAssertEqual(queue.jobs, [jobs[0]])
        jobs[0].finish()
        assertDrained(queue)
        XCTAssertEqual(jobs.filter { $0.isFinished }.count, 10)
        XCTAssertEqual(jobs.map(\.runs.total), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        XCTAssertEqual(completions.map(\.total), Array(repeating: 1, count: 10))
        XCTAssertTrue(jobs.allSatisfy { cancellation($0.outcome) == .requested })
    }

    func testS16_HalfOfTheSelfEndingJobsCancelledWhileSuspended() throws {
        let width = Widths.raced(3)
        let queue = WorkQueue(maxConcurrentJobCount: width, isSuspended: true)
        let inside = Meter()
        let jobs = (0..<100).map { _ in BriefSelfEndingJob(inside) }
        try queue.addJobs(jobs)
        for (index, job) in jobs.enumerated() where index % 2 == 0 { job.cancel() }
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(inside.total, 50)
        XCTAssertLessThanOrEqual(inside.peak, width)
        for (index, job) in jobs.enumerated() {
            XCTAssertEqual(job.runs.total, index % 2)
            XCTAssertEqual(job.phase, .finished)
            XCTAssertEqual(hasSucceeded(job.outcome), index % 2 == 1)
        }
    }

    func testS16_SelfEndingJobsCancelledWhileTheyStart() throws {
        let misuse = MisuseLog()
        defer { misuse.restore() }
        let width = Widths.raced(3)
        let rounds = Rounds.scaled(300)
        for _ in 0..<rounds {
            let queue = WorkQueue(maxConcurrentJobCount: width)
            let log = EventLog()
            queue.addObserver(log)
            let jobs = (0..<100).map { _ in BriefSelfEndingJob(Meter()) }
            let completions = Meter()
            for job in jobs { job.addCompletion { _ in completions.enter() } }
            race(
                rounds: 1, prepare: { _ in 0 },
                // A job that was cancelled before it came to the queue has ended already: the one refusal that may come.
                { _ in for job in jobs { add(job, to: queue, unless: .alreadyFinished) } },
                { _ in for (index, job) in jobs.enumerated() where index % 2 == 0 { job.cancel() } })
            assertDrained(queue)
            waitForEnd(of: jobs)
            XCTAssertTrue(jobs.allSatisfy { $0.phase == .finished && $0.runs.total <= 1 })
            eventually("each completion once") { completions.total == jobs.count }
            assertNeverMoreThan(width, bodiesOf: jobs, in: log)
        }
        XCTAssertEqual(misuse.messages, [])
    }

    private func assertNeverMoreThan(_ width: Int, bodiesOf jobs: [BriefSelfEndingJob], in log: EventLog) {
        let ran = Set(jobs.filter { $0.runs.total == 1 }.map(\.id))
        var executing = 0
        for event in log.sequenced {
            guard let id = event.jobID, ran.contains(id) else { continue }
            switch EventLog.name(of: event) {
            case .started: executing += 1
            case .finished: executing -= 1
            default: break
            }
            XCTAssertLessThanOrEqual(executing, width)
        }
    }
}

/// Ends itself when cancelled, and soon after its start otherwise, from another thread.
private final class BriefSelfEndingJob: AsyncJob, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let runs = Meter()
    private let inside: Meter

    init(_ inside: Meter) {
        self.inside = inside
        super.init()
    }

    override func main() {
        runs.enter()
        inside.enter()
        DispatchQueue.global().async { [self] in
            inside.leave()
            finish()
        }
    }

    override func cancel() {
        super.cancel()
        state = .finished
    }
}
