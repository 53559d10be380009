// R4: async bodies run on the queue's own workers; other tasks given to the executor are no jobs.
import Foundation
import WorkQueues
import XCTest

final class TaskExecutorTests: XCTestCase {
    func testR4_BlockedCooperativeThreadsDoNotStopAsyncBodies() {
        let leave = Gate(), blocked = Meter(), queue = WorkQueue(maxConcurrentJobCount: 2)
        for _ in 0..<4 * coreCount {
            Task.detached {
                blocked.enter()
                standStill(leave)
                blocked.leave()
            }
        }
        eventually("the pool is full") { blocked.current >= ProcessInfo.processInfo.activeProcessorCount }
        let jobs = (0..<20).map { index in
            queue.addJob { () async -> Int in
                for _ in 0..<5 { await Task.yield() }
                return index
            }
        }
        let slow = SlowSquare(9)
        add(slow, to: queue)
        waitForEnd(of: jobs + [slow], 20)
        XCTAssertEqual(jobs.compactMap { try? $0.result?.get() }, Array(0..<20))
        XCTAssertEqual(try slow.result?.get(), 81)
        leave.open()
        eventually("the pool is free again") { blocked.current == 0 }
    }

    func testR4_AnAsyncBodyIsOnAWorkerBeforeAndAfterItsSuspensionPoints() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(), places = Log<Place>()
        let job = queue.addJob { () async throws -> Void in
            places.append(.here)
            await Task.yield()
            places.append(.here)
            _ = try await other.addJob { 1 }.value
            places.append(.here)
            await detour()
            places.append(.here)
        }
        assertDrained(queue)
        XCTAssertEqual(places.count, 4)
        for place in places.values { XCTAssertTrue(place.isInside(job, on: queue), "\(place)") }
    }

    func testR4_NonisolatedFunctionsOfABodyStayOnTheWorkersWhenThePoolIsBlocked() {
        let leave = Gate(), blocked = Meter(), queue = WorkQueue(maxConcurrentJobCount: 1)
        for _ in 0..<4 * coreCount {
            Task.detached {
                blocked.enter()
                standStill(leave)
                blocked.leave()
            }
        }
        eventually("the pool is full") { blocked.current >= ProcessInfo.processInfo.activeProcessorCount }
        let job = queue.addJob { () async -> Int in
            async let one = number(1)
            async let two = number(2)
            return await one + two
        }
        waitForEnd(of: job, 20)
        XCTAssertEqual(try job.result?.get(), 3)
        leave.open()
        eventually("the pool is free again") { blocked.current == 0 }
    }

    func testR4_ATaskOnTheExecutorNeedsNoSlot() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate(), done = Gate()
        queue.addJob { () async -> Void in
            begun.open()
            await leave.opened()
        }
        within { begun.wait() }
        Task(executorPreference: queue.taskExecutor) { done.open() }
        within(20, "the slot is taken") { done.wait() }
        XCTAssertEqual(queue.jobCount, 1, "a task is no job")
        leave.open()
        assertDrained(queue)
    }

    func testR4_ATaskOnTheExecutorNeedsNoSlotWhileAJobBlocksItsThread() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), begun = Gate(), leave = Gate(), done = Gate()
        queue.addJob {
            begun.open()
            leave.wait()
        }
        within { begun.wait() }
        Task(executorPreference: queue.taskExecutor) {
            await Task.yield()
            done.open()
        }
        within(20, "the only slot's thread is blocked") { done.wait() }
        leave.open()
        assertDrained(queue)
    }

    func testR4_ATaskOnTheExecutorMindsNoSuspension() {
        let queue = WorkQueue(isSuspended: true), done = Gate(), job = queue.addJob {}
        Task(executorPreference: queue.taskExecutor) {
            for _ in 0..<5 { await Task.yield() }
            done.open()
        }
        within(20) { done.wait() }
        assertHeld(job)
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testR4_TasksUseAtMostAsManyThreadsAsTheWidth() {
        for (width, threads) in [(3, 3), (1, 1), (0, 1)] {
            let queue = WorkQueue(maxConcurrentJobCount: width), meter = Meter(), done = Meter()
            for _ in 0..<20 {
                Task(executorPreference: queue.taskExecutor) {
                    meter.enter()
                    burn(milliseconds: 3)
                    meter.leave()
                    done.enter()
                }
            }
            eventually("all ran") { done.total == 20 }
            XCTAssertLessThanOrEqual(meter.peak, threads, "width \(width): at least one, at most the width")
            XCTAssertEqual(queue.jobCount, 0)
        }
    }

    func testR4_TasksThatBlockGetAsManyThreadsAsTheWidth() {
        let queue = WorkQueue(maxConcurrentJobCount: 3), meeting = Meeting(parties: 3), met = Meter()
        for _ in 0..<3 {
            Task(executorPreference: queue.taskExecutor) { if gather(meeting) { met.enter() } }
        }
        eventually("all three met") { met.total == 3 }
    }

    func testR4_ATaskOnTheExecutorIsInNoJob() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), log = EventLog(), jobs = Log<Job?>(), done = Gate()
        queue.addObserver(log)
        Task.detached(executorPreference: queue.taskExecutor) {
            jobs.append(Job.current)
            await Task.yield()
            jobs.append(Job.current)
            done.open()
        }
        within { done.wait() }
        XCTAssertEqual(jobs.values, [nil, nil])
        XCTAssertEqual(log.count(.added) + log.count(.started) + log.count(.finished), 0)
        XCTAssertTrue(queue.waitUntilAllJobsAreFinished(timeout: .zero))
    }

    func testR4_AsyncJobsAndTasksTogether() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), runs = Meter(), executor = queue.taskExecutor
        for _ in 0..<200 {
            queue.addJob { () async -> Void in
                await Task.yield()
                runs.enter()
            }
            Task(executorPreference: executor) {
                await Task.yield()
                runs.enter()
            }
        }
        assertDrained(queue)
        eventually("all ran") { runs.total == 400 }
    }

    func testR4_AnActorsWorkComesBackToTheWorkers() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), tally = Tally(), places = Log<Place>()
        let jobs = (0..<50).map { _ in
            queue.addJob { () async -> Int in
                let value = await tally.increment()
                places.append(.here)
                return value
            }
        }
        assertDrained(queue)
        XCTAssertEqual(Set(jobs.compactMap { try? $0.result?.get() }), Set(1...50))
        XCTAssertTrue(places.values.allSatisfy { $0.queue == ObjectIdentifier(queue) })
    }
}

/// Blocks the thread of a task on purpose.
private func standStill(_ gate: Gate) {
    gate.wait()
}

private func gather(_ meeting: Meeting) -> Bool {
    meeting.meet()
}

private func detour() async {
    await Task.yield()
}

private func number(_ value: Int) async -> Int {
    await Task.yield()
    return value
}

private actor Tally {
    private var count = 0

    func increment() -> Int {
        count += 1
        return count
    }
}

private final class SlowSquare: AsyncResultJob<Int>, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    private let number: Int

    init(_ number: Int) {
        self.number = number
        super.init()
    }

    override func run() async throws -> Int {
        await Task.yield()
        return number * number
    }
}
