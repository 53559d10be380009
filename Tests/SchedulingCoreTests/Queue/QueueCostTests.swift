// Costs: what ten times the jobs cost is compared with what the jobs cost, which a quadratic step betrays on any machine.

import Foundation
import SchedulingCore
import XCTest

final class QueueCostTests: XCTestCase {
    /// Fails when ten times the jobs take more than thirty times as long; a quadratic step takes a hundred times.
    private func assertScales(from count: Int, line: UInt = #line, _ work: (Int) -> Void) {
        // What is too short to measure counts as a millisecond.
        let few = max(.milliseconds(1), min(processorTime { work(count) }, processorTime { work(count) }))
        var many = Duration.zero
        for _ in 0..<3 {
            many = processorTime { work(count * 10) }
            if many / few <= 30 { return }
        }
        XCTFail("\(count) jobs took \(few), ten times as many \(many)", line: line)
    }

    /// What this thread works, whatever else the machine has to do.
    private func processorTime(_ work: () -> Void) -> Duration {
        func now() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let begin = now()
        work()
        return now() - begin
    }

    private static let orders: [(name: String, order: @Sendable (Int) -> [Int])] = [
        ("from the front", { Array(0..<$0) }),
        ("from the back", { Array((0..<$0).reversed()) }),
        ("from the middle", { count in (0..<count).map { $0 % 2 == 0 ? (count + $0) / 2 : (count - $0 - 1) / 2 } }),
        (
            "by halves",
            { count in
                // All merges of one size before those of twice the size.
                let bits = max(1, Int.bitWidth - count.leadingZeroBitCount)
                return (0..<bits).flatMap { bit in (0..<count).filter { ($0 + 1).trailingZeroBitCount == bit } }
            }
        ),
        (
            "at random",
            { count in
                var generator = SeededGenerator(seed: 6)
                return (0..<count).shuffled(using: &generator)
            }
        ),
    ]

    func testEachOrderIsOne() {
        for (name, order) in Self.orders {
            for count in [1, 2, 7, 64, 1_000] { XCTAssertEqual(order(count).sorted(), Array(0..<count), name) }
        }
    }

    /// C6, W4: cancelled barriers make one stretch of two, at the cost of the smaller one, wherever the many jobs are.
    func testC6_CancellingBarriersIsNearLinear() {
        for crowd in ["nowhere", "first", "last", "first, waiting", "last, waiting", "first, late", "last, late"] {
            for (name, order) in Self.orders {
                assertScales(from: crowd == "nowhere" ? 1_000 : 200) { count in
                    let world = "\(name), the crowd \(crowd)"
                    var machine = QueueMachine(width: 1, isSuspended: true)
                    var jobs: [Handle] = [], barriers: [Handle] = []
                    let standing: Standing = crowd.hasSuffix("waiting") || crowd.hasSuffix("late") ? .waiting : .ready
                    let crowdCount = crowd == "nowhere" ? 0 : count
                    func addCrowd() {
                        let many = (0..<crowdCount).map { _ in machine.register(lane: 2, isBarrier: false, standing: standing) }
                        if crowd.hasSuffix("late") { for job in many.reversed() { machine.becameReady(job) } }
                        jobs += many
                    }
                    if crowd.hasPrefix("first") { addCrowd() }
                    for number in 0..<count {
                        jobs.append(machine.register(lane: 2, isBarrier: false, standing: number % 3 == 0 ? .waiting : .ready))
                        barriers.append(machine.register(lane: 4, isBarrier: true, standing: .ready))
                    }
                    if crowd.hasPrefix("last") { addCrowd() }
                    for index in order(count) {
                        XCTAssertTrue(machine.mustEnd(barriers[index]), world)
                        machine.finished(barriers[index])
                    }
                    machine.setSuspended(false)
                    XCTAssertEqual(machine.handles(), jobs, world)
                    XCTAssertEqual(machine.claimable, count - (count + 2) / 3 + (crowd.hasSuffix("waiting") ? 0 : crowdCount), world)
                    XCTAssertEqual(machine.checkInvariants(), [], world)
                }
            }
        }
    }

    /// C6, S29: a cancelled job leaves at once, wherever it stands.
    func testC6_CancellingJobsIsNearLinear() {
        for (name, order) in Self.orders {
            assertScales(from: 2_000) { count in
                var machine = QueueMachine(width: 1, isSuspended: false)
                let jobs = (0..<count).map { machine.register(lane: UInt8($0 % 5), isBarrier: false, standing: .ready) }
                for index in order(count) {
                    XCTAssertTrue(machine.mustEnd(jobs[index]))
                    machine.finished(jobs[index])
                }
                XCTAssertEqual(machine.jobCount, 0, name)
                let next = machine.register(lane: 0, isBarrier: false, standing: .ready)
                guard case .job(next)? = machine.claim() else { return XCTFail("the next job is not next, \(name)") }
            }
        }
    }

    /// C6: the same, one of five standing in the way of four.
    func testC6_CancellingLatecomersIsNearLinear() {
        for (name, order) in Self.orders {
            assertScales(from: 2_000) { count in
                var machine = QueueMachine(width: 1, isSuspended: false)
                let jobs = (0..<count).map { machine.register(lane: UInt8($0 % 5), isBarrier: false, standing: .waiting) }
                for job in jobs.reversed() { machine.becameReady(job) }
                for index in order(count) {
                    XCTAssertTrue(machine.mustEnd(jobs[index]))
                    machine.finished(jobs[index])
                }
                XCTAssertEqual(machine.jobCount, 0, name)
                XCTAssertEqual(machine.placeCount, 0, name)
            }
        }
    }

    /// C6: what is cancelled among 100,000 costs what it costs among few.
    func testC6_CancellingFromTheMiddleOfMany() {
        func cancelHundred(among count: Int, late: Bool) -> Duration {
            var machine = QueueMachine(width: 1, isSuspended: true)
            let jobs = (0..<count).map { _ in machine.register(lane: 2, isBarrier: false, standing: late ? .waiting : .ready) }
            if late { for job in jobs.reversed() { machine.becameReady(job) } }
            let elapsed = ContinuousClock().measure {
                for job in jobs[count / 2 - 50..<count / 2 + 50] {
                    XCTAssertTrue(machine.mustEnd(job))
                    machine.finished(job)
                }
            }
            XCTAssertEqual(machine.placeCount, count - 100)
            return elapsed
        }
        for late in [false, true] {
            // A hundred steps through the crowd would take a second.
            let elapsed = (0..<3).map { _ in cancelHundred(among: 100_000, late: late) }.min() ?? .zero
            XCTAssertLessThan(elapsed, .milliseconds(50), late ? "from the heap" : "from the line")
        }
    }

    /// W4: a barrier costs no edge per job.
    func testW4_BarriersAmongManyJobsAreNearLinear() {
        assertScales(from: 2_000) { count in
            var machine = QueueMachine(width: 1, isSuspended: false)
            let crowd = (0..<count).map { _ in machine.register(lane: 2, isBarrier: false, standing: .ready) }
            let barriers = (0..<count).map { _ in machine.register(lane: 4, isBarrier: true, standing: .ready) }
            for handle in crowd + barriers {
                guard case .job(handle)? = machine.claim() else { return XCTFail("job \(handle.index) is not next") }
                machine.finished(handle)
            }
            XCTAssertEqual(machine.jobCount, 0)
        }
    }

    /// A queue that starts nothing never looks at its ready order, and yet what was cancelled there must go.
    func testC6_CancelledJobsLeaveNothingInTheReadyOrder() {
        var machine = QueueMachine(width: 1, isSuspended: true)
        let kept = (0..<10).map { _ in machine.register(lane: 2, isBarrier: false, standing: .ready) }
        for number in 0..<10_000 {
            let handle = machine.register(lane: UInt8(number % 5), isBarrier: false, standing: .ready)
            XCTAssertTrue(machine.mustEnd(handle))
            machine.finished(handle)
            if machine.placeCount != kept.count {
                return XCTFail("\(machine.placeCount) places for \(kept.count) jobs after \(number + 1) cancels")
            }
        }
        XCTAssertEqual(machine.checkInvariants(), [])
    }

    func testO2_JobsThatBecomeReadyInAnyOrderAreNearLinear() {
        for (name, order) in Self.orders {
            assertScales(from: 2_000) { count in
                var machine = QueueMachine(width: 1, isSuspended: false)
                let handles = (0..<count).map { _ in machine.register(lane: 2, isBarrier: false, standing: .waiting) }
                for index in order(count) { machine.becameReady(handles[index]) }
                for handle in handles {
                    guard case .job(handle)? = machine.claim() else { return XCTFail("job \(handle.index) is not next, \(name)") }
                    machine.finished(handle)
                }
            }
        }
    }

    /// S60: among many, and from lane to lane by the front, the back, the middle.
    func testO2_ChangesOfPriorityAmongManyAreNearLinear() {
        for (name, order) in Self.orders {
            assertScales(from: 2_000) { count in
                var machine = QueueMachine(width: 1, isSuspended: true)
                let handles = (0..<count).map { _ in machine.register(lane: 2, isBarrier: false, standing: .ready) }
                let turns = order(count)
                for index in turns { machine.setLane(handles[index], to: 3) }
                for index in turns { machine.setLane(handles[index], to: index % 2 == 0 ? 3 : 1) }
                machine.setSuspended(false)
                for parity in [0, 1] {
                    for handle in stride(from: parity, to: count, by: 2).map({ handles[$0] }) {
                        guard case .job(handle)? = machine.claim() else { return XCTFail("job \(handle.index) is not next, \(name)") }
                        machine.finished(handle)
                    }
                }
            }
        }
    }

    /// S60.
    func testO2_ChangesOfPriorityAreNearLinear() {
        assertScales(from: 2_000) { count in
            var machine = QueueMachine(width: 1, isSuspended: true)
            let handles = (0..<100).map { _ in machine.register(lane: 2, isBarrier: false, standing: .ready) }
            for number in 0..<count { machine.setLane(handles[number * 37 % 100], to: UInt8(number % 5)) }
            XCTAssertEqual(machine.checkInvariants(), [])
        }
    }
}
