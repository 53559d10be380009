// W7: a queue that runs on somebody's Dispatch queue, or on the main thread, leaves the others their turns.
import Dispatch
import Foundation
import WorkQueues
import XCTest

final class SharedDispatchQueueTests: XCTestCase {
    private static let key = DispatchSpecificKey<String>()

    func testW7_JobsRunOnTheUnderlyingQueue() {
        let shared = DispatchQueue(label: "underlying")
        shared.setSpecific(key: Self.key, value: "underlying")
        let queue = WorkQueue(underlyingQueue: shared), places = Log<String?>()
        XCTAssertTrue(queue.underlyingQueue === shared)
        XCTAssertNil(WorkQueue().underlyingQueue)
        queue.addJob { places.append(DispatchQueue.getSpecific(key: Self.key)) }
        queue.addBarrierBlock { places.append(DispatchQueue.getSpecific(key: Self.key)) }
        // Before it is added: a completion that comes after the end runs on this thread.
        let last = ResultJob {}
        last.addCompletion { _ in places.append(DispatchQueue.getSpecific(key: Self.key)) }
        add(last, to: queue)
        assertDrained(queue)
        XCTAssertEqual(places.values, ["underlying", "underlying", "underlying"])
    }

    func testW7_OneBlockOfASerialQueueRunsOneJob() {
        let shared = DispatchQueue(label: "underlying"), order = Log<String>(), begun = Gate(), leave = Gate()
        let queue = WorkQueue(maxConcurrentJobCount: 1, underlyingQueue: shared)
        queue.addJob {
            begun.open()
            leave.wait()
        }
        for index in 0..<50 { queue.addJob { order.append("job \(index)") } }
        within { begun.wait() }
        shared.async { order.append("other user") }
        leave.open()
        assertDrained(queue)
        let place = order.values.firstIndex(of: "other user") ?? .max
        XCTAssertLessThanOrEqual(place, 1, "the other user's turn comes after the running job, or after one that stood in line already")
        XCTAssertEqual(order.count, 51)
    }

    func testW7_TheOthersGetATurnAfterEachJob() {
        let shared = DispatchQueue(label: "underlying"), order = Log<Int>()
        let queue = WorkQueue(maxConcurrentJobCount: 1, underlyingQueue: shared)
        for index in 0..<100 {
            queue.addJob {
                order.append(index)
                shared.async { order.append(-index) }
            }
        }
        assertDrained(queue)
        within { shared.sync {} }
        let values = order.values
        XCTAssertEqual(values.count, 200)
        for index in 1..<100 {
            guard let job = values.firstIndex(of: index), let other = values.firstIndex(of: -index) else { return XCTFail("lost \(index)") }
            let between = values[job..<other].count { $0 > index }
            XCTAssertLessThanOrEqual(between, 1, "jobs that ran before the block that job \(index) gave to the queue")
        }
    }

    func testW7_TheWidthHoldsOnAConcurrentUnderlyingQueue() {
        let shared = DispatchQueue(label: "underlying", attributes: .concurrent), meter = Meter()
        let queue = WorkQueue(maxConcurrentJobCount: 3, underlyingQueue: shared)
        for _ in 0..<300 {
            queue.addJob {
                meter.enter()
                dawdle(3_000)
                meter.leave()
            }
        }
        assertDrained(queue)
        XCTAssertLessThanOrEqual(meter.peak, 3)
        XCTAssertEqual(meter.total, 300)
    }

    func testW7_ASerialUnderlyingQueueSerializesWhateverTheWidth() {
        let shared = DispatchQueue(label: "underlying"), meter = Meter()
        let queue = WorkQueue(maxConcurrentJobCount: 8, underlyingQueue: shared)
        for _ in 0..<200 {
            queue.addJob {
                meter.enter()
                dawdle(1_000)
                meter.leave()
            }
        }
        assertDrained(queue)
        XCTAssertEqual(meter.peak, 1)
        XCTAssertEqual(meter.total, 200)
    }

    func testW7_TheMainQueueRunsOnTheMainThreadAndLeavesItsOtherUsersTheirTurns() {
        let order = Log<String>(), onMain = Log<Bool>(), done = expectation(description: "all ran")
        let last = Guarded(0)
        for index in 0..<50 {
            WorkQueue.main.addJob {
                onMain.append(Thread.isMainThread)
                order.append("job \(index)")
                if index == 0 { DispatchQueue.main.async { order.append("other user") } }
                if last.with({
                    $0 += 1
                    return $0
                }) == 50 {
                    done.fulfill()
                }
            }
        }
        wait(for: [done], timeout: 30)
        XCTAssertEqual(onMain.values, Array(repeating: true, count: 50))
        XCTAssertEqual(order.values.filter { $0 != "other user" }, (0..<50).map { "job \($0)" })
        XCTAssertLessThanOrEqual(order.values.firstIndex(of: "other user") ?? .max, 3)
    }

    func testW7_JobsOfTheMainQueueKnowIt() {
        let places = Log<Place>(), done = expectation(description: "ran")
        let job = BlockJob { places.append(.here) }
        job.addCompletion { _ in
            places.append(.here)
            done.fulfill()
        }
        add(job, to: WorkQueue.main)
        wait(for: [done], timeout: 30)
        XCTAssertEqual(places.count, 2)
        XCTAssertTrue(places.values.allSatisfy { $0.isInside(job, on: .main) && $0.thread == threadMark() })
    }

    func testW7_AsyncBodiesOfTheMainQueueRunOnTheMainThreadToo() {
        let onMain = Log<Bool>(), done = expectation(description: "ran")
        WorkQueue.main.addJob { () async -> Void in
            onMain.append(isMainThread())
            await Task.yield()
            onMain.append(isMainThread())
            done.fulfill()
        }
        wait(for: [done], timeout: 30)
        XCTAssertEqual(onMain.values, [true, true])
    }

    func testC2_W7_AWaitingJobOfTheMainQueueEndsElsewhereWhenItIsCancelled() {
        // This thread is the main thread, and it is not free while it waits here.
        let places = Log<Bool>(), job = BlockJob { XCTFail("cancelled jobs have no body") }
        job.addCompletion { _ in places.append(Thread.isMainThread) }
        add(job, to: WorkQueue.main)
        job.cancel()
        waitForEnd(of: job, 20)
        XCTAssertEqual(places.values, [false])
    }
}

/// `Thread.isMainThread` may not be asked by asynchronous code itself.
private func isMainThread() -> Bool {
    Thread.isMainThread
}
