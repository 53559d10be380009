// S129: what `Job.current` and `WorkQueue.current` say, inside, nested, after suspension points, and outside.
import Dispatch
import Foundation
import WorkQueues
import XCTest

final class CurrentTests: XCTestCase {
    func testS129_NilOutside() {
        XCTAssertNil(Job.current)
        XCTAssertNil(WorkQueue.current)
        within {
            XCTAssertNil(Job.current)
            XCTAssertNil(WorkQueue.current)
        }
        inTime {
            XCTAssertNil(Job.current)
            XCTAssertNil(WorkQueue.current)
        }
    }

    func testS129_InABody() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), places = Log<Place>()
        let jobs: [Job] = (0..<3).map { _ in queue.addJob { places.append(.here) } }
        assertDrained(queue)
        XCTAssertEqual(places.values.map(\.job), jobs.map(\.id))
        XCTAssertTrue(places.values.allSatisfy { $0.queue == ObjectIdentifier(queue) })
    }

    func testS129_InAJobStartedByHandInsideABodyAndAfterIt() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), places = Log<Place>(), inner = BlockJob { places.append(.here) }
        let outer = queue.addJob {
            places.append(.here)
            inner.start()
            places.append(.here)
        }
        assertDrained(queue)
        XCTAssertEqual(places.values.map(\.job), [outer.id, inner.id, outer.id])
        XCTAssertEqual(places.values.first?.queue, ObjectIdentifier(queue))
        XCTAssertEqual(places.values.last?.queue, ObjectIdentifier(queue))
    }

    func testS129_InAJobStartedByHandOutsideAndAfterIt() {
        let places = Log<Place>(), job = BlockJob { places.append(.here) }
        within {
            job.start()
            XCTAssertNil(Job.current)
            XCTAssertNil(WorkQueue.current)
        }
        XCTAssertEqual(places.values.map(\.job), [job.id])
        XCTAssertEqual(places.values.map(\.queue), [nil], "it is in no queue, and its thread is no worker")
    }

    func testS129_InABodyThatRunsInsideAnother() {
        // A waiter on a serial Dispatch queue runs the awaited job itself.
        let queue = WorkQueue(maxConcurrentJobCount: 1, underlyingQueue: DispatchQueue(label: "serial")), places = Log<Place>()
        let inner = Guarded<Job.ID?>(nil)
        let outer = queue.addJob {
            places.append(.here)
            let job = queue.addJob { places.append(.here) }
            inner.set(job.id)
            job.waitUntilFinished()
            places.append(.here)
        }
        assertDrained(queue)
        XCTAssertEqual(places.values.map(\.job), [outer.id, inner.current, outer.id])
        XCTAssertTrue(places.values.allSatisfy { $0.queue == ObjectIdentifier(queue) })
    }

    func testS129_InAnAsyncBodyAfterASuspension() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), other = WorkQueue(maxConcurrentJobCount: 1), leave = Gate(), places = Log<Place>()
        let job = queue.addJob { () async throws -> Void in
            places.append(.here)
            await leave.opened()
            places.append(.here)
            _ = try await other.addJob { places.append(.here) }.value
            places.append(.here)
        }
        assertUnfinished(job)
        leave.open()
        assertDrained(queue)
        assertDrained(other)
        guard places.count == 4 else { return XCTFail("\(places.values)") }
        for index in [0, 1, 3] { XCTAssertTrue(places.values[index].isInside(job, on: queue), "\(index)") }
        XCTAssertEqual(places.values[2].queue, ObjectIdentifier(other))
        XCTAssertNotEqual(places.values[2].job, job.id)
    }

    func testS129_InterleavedAsyncBodiesDoNotMixThemUp() {
        let queues = (0..<3).map { _ in WorkQueue(maxConcurrentJobCount: 8) }, wrong = Meter(), jobs = Guarded<[Int: Job.ID]>([:])
        for index in 0..<150 {
            let queue = queues[index % 3], start = Gate()
            let job = queue.addJob { () async -> Void in
                await start.opened()
                for _ in 0..<20 {
                    await Task.yield()
                    if WorkQueue.current !== queue || Job.current?.id != jobs.current[index] { wrong.enter() }
                }
            }
            jobs.with { $0[index] = job.id }
            start.open()
        }
        for queue in queues { assertDrained(queue) }
        XCTAssertEqual(wrong.total, 0)
    }

    func testS129_InAnAsyncJobsMainAndNotInItsCallback() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), places = Log<Place>(), called = Gate()
        let job = Callback { job in
            places.append(.here)
            DispatchQueue(label: "event loop").async {
                places.append(.here)
                job.finish()
                called.open()
            }
        }
        add(job, to: queue)
        within { called.wait() }
        assertDrained(queue)
        XCTAssertEqual(places.values.map(\.job), [job.id, nil])
        XCTAssertEqual(places.values.map(\.queue), [ObjectIdentifier(queue), nil])
    }

    func testS129_InRunAndAfterIt() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        inTime {
            let places = try await queue.run {
                var places = [Place.here]
                await Task.yield()
                places.append(.here)
                return places
            }
            XCTAssertNotNil(places[0].job)
            XCTAssertEqual(places[0].job, places[1].job)
            XCTAssertTrue(places.allSatisfy { $0.queue == ObjectIdentifier(queue) })
            XCTAssertNil(Job.current)
            XCTAssertNil(WorkQueue.current)
        }
    }

    func testS129_AWorkerThatChangesQueuesLeavesNothingBehind() {
        let places = Log<Place>()
        for _ in 0..<50 {
            let queue = WorkQueue(maxConcurrentJobCount: 1), job = queue.addJob { places.append(.here) }
            assertDrained(queue)
            XCTAssertEqual(places.values.last?.isInside(job, on: queue), true)
            let outside = Gate()
            DispatchQueue.global().async {
                XCTAssertNil(Job.current)
                XCTAssertNil(WorkQueue.current)
                outside.open()
            }
            within { outside.wait() }
        }
    }
}

private final class Callback: AsyncJob, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    private let body: @Sendable (Callback) -> Void

    init(_ body: @escaping @Sendable (Callback) -> Void) {
        self.body = body
        super.init()
    }

    override func main() { body(self) }
}
