// Obstacles: what the machine says of a job that does not run, and when nothing in a queue goes on.

import SchedulingCore
import XCTest

final class ObstacleTests: XCTestCase {
    private var machine = QueueMachine(width: 1, isSuspended: false)

    private func register(_ standing: Standing = .ready, isBarrier: Bool = false) -> Handle {
        machine.register(lane: 2, isBarrier: isBarrier, standing: standing)
    }

    func testTheNearestBarrierAndTheJobsBeforeABarrier() {
        let (first, second) = (register(), register(.waiting))
        let barrier = register(isBarrier: true)
        let between = register()
        let last = register(isBarrier: true)
        let behind = register()
        XCTAssertNil(machine.obstacles(of: first).barrier)
        XCTAssertTrue(machine.obstacles(of: first).isNext)
        XCTAssertFalse(machine.obstacles(of: second).isNext, "it has no place")
        XCTAssertEqual(machine.obstacles(of: barrier).earlierCount, 2)
        XCTAssertEqual(machine.obstacles(of: barrier).oldestEarlier, first)
        XCTAssertEqual(machine.obstacles(of: between).barrier, barrier)
        XCTAssertFalse(machine.obstacles(of: between).isNext)
        XCTAssertEqual(machine.obstacles(of: last).barrier, barrier)
        XCTAssertEqual(machine.obstacles(of: last).earlierCount, 1)
        XCTAssertEqual(machine.obstacles(of: behind).barrier, last)
        XCTAssertEqual(machine.earlierJobs(than: barrier), [second, first])
        for job in [first, second] {
            XCTAssertTrue(machine.mustEnd(job))
            machine.finished(job)
        }
        XCTAssertEqual(machine.obstacles(of: barrier).earlierCount, 0)
        XCTAssertTrue(machine.obstacles(of: barrier).isNext, "it is in")
        XCTAssertEqual(machine.checkInvariants(), [])
    }

    func testAQuestionHoldsThoseBehindIt() {
        let asked = register(.waiting), next = register()
        machine.mustBeAsked(asked)
        XCTAssertEqual(machine.obstacles(of: next).question, asked)
        XCTAssertNil(machine.obstacles(of: asked).question)
        machine.mustWait(asked)
        XCTAssertNil(machine.obstacles(of: next).question)
    }

    func testDormantIsAQueueWithJobsInWhichNothingGoesOn() {
        XCTAssertFalse(machine.isDormant(), "no jobs")
        let waiting = register(.waiting)
        XCTAssertTrue(machine.isDormant())
        let ready = register()
        XCTAssertFalse(machine.isDormant(), "one could start")
        guard case .job(ready)? = machine.claim() else { return XCTFail("not claimed") }
        XCTAssertFalse(machine.isDormant(), "one executes")
        machine.lend(ready)
        XCTAssertTrue(machine.isDormant(), "it only waits")
        machine.mustBeAsked(waiting)
        XCTAssertFalse(machine.isDormant(), "one must be asked")
        machine.mustWait(waiting)
        machine.setSuspended(true)
        XCTAssertFalse(machine.isDormant(), "suspended")
        machine.setSuspended(false)
        machine.setWidth(0)
        XCTAssertFalse(machine.isDormant(), "of width 0")
        machine.setWidth(1)
        machine.staffing.errandWorkers = 1
        XCTAssertFalse(machine.isDormant())
        XCTAssertTrue(machine.isDormant(notCounting: 1))
        machine.staffing.errandWorkers = 0
        machine.staffing.ends = 1
        XCTAssertFalse(machine.isDormant(), "an end waits for a worker")
    }

    func testTrafficTellsComingAndGoing() {
        let job = register(), before = machine.traffic
        XCTAssertEqual(machine.traffic, before)
        _ = register()
        XCTAssertNotEqual(machine.traffic, before)
        machine.finished(job)
        XCTAssertNotEqual(machine.traffic, before, "as many as before, and others")
    }
}
