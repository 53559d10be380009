// Every road from the start of a job to its end, walked one after the other (L3).
import WorkQueues
import XCTest

final class EveryRoadTests: XCTestCase {
    func testL3_EveryRoadReachesOneEndAndGivesOneSlotBack() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let log = EventLog()
        queue.addObserver(log)
        for road in Road.all {
            let job = road.make()
            let ends = counting(job)
            try road.walk(job, queue)
            waitForEnd(of: job)
            assertDrained(queue)
            XCTAssertEqual(job.phase, .finished, road.name)
            XCTAssertNotNil(job.outcome, road.name)
            XCTAssertEqual(ends.total, 2, "\(road.name): one completion and one completion block")
            XCTAssertEqual(log.count(.finished, of: job.id), 1, road.name)
            assertTwoSlots(queue, road.name)
        }
    }

    /// One slot that was lost keeps the two from meeting; one given back twice lets three in.
    private func assertTwoSlots(_ queue: WorkQueue, _ road: String) {
        let meeting = Meeting(parties: 2)
        let inside = Meter()
        let met = Log<Bool>()
        for _ in 0..<6 {
            queue.addJob {
                inside.enter()
                met.append(meeting.meet())
                inside.leave()
            }
        }
        assertDrained(queue)
        XCTAssertEqual(met.values, Array(repeating: true, count: 6), road)
        XCTAssertEqual(inside.peak, 2, road)
    }

    /// A completion and a completion block, both counted by one meter.
    private func counting(_ job: Job) -> Meter {
        let meter = Meter()
        job.addCompletion { _ in meter.enter() }
        job.completionBlock = { meter.enter() }
        return meter
    }
}

/// One way from the start of a job to its end.
private struct Road: Sendable {
    let name: String
    let make: @Sendable () -> Job
    let walk: @Sendable (Job, WorkQueue) throws -> Void

    static let all: [Road] = [
        Road(name: "returned", make: { Probe() }, walk: { try $1.addJob($0) }),
        Road(name: "failed", make: { Probe { $0.fail(with: Trouble()) } }, walk: { try $1.addJob($0) }),
        Road(name: "threw", make: { ResultJob<Int> { throw Trouble() } }, walk: { try $1.addJob($0) }),
        Road(
            name: "returned after a suspension",
            make: {
                ResultJob { () async -> Int in
                    await Task.yield()
                    return 1
                }
            }, walk: { try $1.addJob($0) }),
        Road(
            name: "threw after a suspension",
            make: {
                ResultJob { () async throws -> Int in
                    await Task.yield()
                    throw Trouble()
                }
            }, walk: { try $1.addJob($0) }),
        Road(
            name: "finished by another thread", make: { HeldJob() },
            walk: { job, queue in
                try queue.addJob(job)
                (job as? HeldJob)?.begun.wait()
                (job as? HeldJob)?.finish()
            }),
        Road(
            name: "finished inside its own start", make: { InstantJob() }, walk: { try $1.addJob($0) }),
        Road(
            name: "cancelled before it was added", make: { Probe() },
            walk: { job, queue in
                job.cancel()
                try queue.addJob(job)
            }),
        Road(
            name: "cancelled while an edge was unmet", make: { Probe() },
            walk: { job, queue in
                try job.addDependency(Probe())
                try queue.addJob(job)
                job.cancel()
            }),
        Road(
            name: "cancelled while suspended", make: { Probe() },
            walk: { job, queue in
                queue.isSuspended = true
                try queue.addJob(job)
                job.cancel()
                waitForEnd(of: job)
                queue.isSuspended = false
            }),
        Road(name: "cancelled by its own body", make: { Probe { $0.cancel() } }, walk: { try $1.addJob($0) }),
        Road(
            name: "cancelled while executing, then finished", make: { HeldJob() },
            walk: { job, queue in
                try queue.addJob(job)
                (job as? HeldJob)?.begun.wait()
                job.cancel()
                (job as? HeldJob)?.finish()
            }),
        Road(
            name: "ended by its own cancel while executing", make: { SelfEndingJob() },
            walk: { job, queue in
                try queue.addJob(job)
                (job as? HeldJob)?.begun.wait()
                job.cancel()
            }),
        Road(
            name: "finished itself before it was started", make: { HeldJob() },
            walk: { job, queue in
                try job.addDependency(Probe())
                try queue.addJob(job)
                (job as? HeldJob)?.finish()
            }),
        Road(
            name: "ended by a dependency", make: { Probe() },
            walk: { job, queue in
                let dependency = Probe { $0.fail(with: Trouble()) }
                try job.addDependency(dependency, requiring: .succeeded)
                try queue.addJobs([job, dependency])
            }),
    ]
}

/// Finishes before its `start()` has returned.
private final class InstantJob: AsyncJob, @unchecked Sendable {
    // Unchecked, as the superclass: nothing is added.
    override func main() {
        finish()
    }
}
