// The ready order, seen through the machine: lines and heap, jobs that leave from their middle, and handles that are used again.

import SchedulingCore
import XCTest

final class ReadyOrderTests: XCTestCase {
    /// Claims all there is to claim, and gives nothing back.
    private func claimAll(_ machine: inout QueueMachine) -> [Handle] {
        var claimed: [Handle] = []
        while case .job(let handle)? = machine.claim() { claimed.append(handle) }
        return claimed
    }

    private func assertSound(_ machine: borrowing QueueMachine, line: UInt = #line) {
        XCTAssertEqual(machine.checkInvariants(), [], line: line)
    }

    func testO2_ByTheTimeOfAddingHoweverJobsBecomeReady() {
        var generator = SeededGenerator(seed: 2)
        let count = 300
        let inOrder = Array(0..<count)
        let orders = [inOrder, inOrder.reversed(), inOrder.shuffled(using: &generator), inOrder.map { $0 * 7 % count }]
        for order in orders {
            var machine = QueueMachine(width: count, isSuspended: false)
            let handles = (0..<count).map { _ in machine.register(lane: 2, isBarrier: false, standing: .waiting) }
            for index in order { machine.becameReady(handles[index]) }
            assertSound(machine)
            XCTAssertEqual(claimAll(&machine), handles)
        }
    }

    func testO2_ByPriorityFirst() {
        var generator = SeededGenerator(seed: 3)
        var machine = QueueMachine(width: 1_000, isSuspended: true)
        let lanes = (0..<1_000).map { _ in UInt8.random(in: 0..<5, using: &generator) }
        let handles = lanes.map { lane in
            machine.register(lane: lane, isBarrier: false, standing: Bool.random(using: &generator) ? .ready : .waiting)
        }
        for handle in handles.shuffled(using: &generator) { machine.becameReady(handle) }
        assertSound(machine)
        machine.setSuspended(false)
        let expected = (0..<UInt8(5)).reversed().flatMap { lane in handles.indices.filter { lanes[$0] == lane }.map { handles[$0] } }
        XCTAssertEqual(claimAll(&machine), expected)
    }

    /// S59.
    func testO2_AfterRemovalsInTheMiddle() {
        var generator = SeededGenerator(seed: 59)
        var machine = QueueMachine(width: 1, isSuspended: true)
        let lanes = [UInt8](repeating: 2, count: 1_000) + (0..<1_000).map { _ in UInt8.random(in: 0..<5, using: &generator) }
        let handles = lanes.map { machine.register(lane: $0, isBarrier: false, standing: .ready) }
        let removed = Set((0..<2_000).shuffled(using: &generator).prefix(700))
        for index in removed {
            XCTAssertTrue(machine.mustEnd(handles[index]))
            machine.finished(handles[index])
        }
        assertSound(machine)
        machine.setSuspended(false)
        let expected = (0..<UInt8(5)).reversed().flatMap { lane in
            handles.indices.filter { lanes[$0] == lane && !removed.contains($0) }.map { handles[$0] }
        }
        for handle in expected {
            guard case .job(handle)? = machine.claim() else { return XCTFail("job \(handle.index) is not next") }
            XCTAssertNil(machine.claim())
            machine.finished(handle)
        }
        XCTAssertEqual(machine.jobCount, 0)
    }

    /// The first of the order is known without a look for it, whoever comes, goes, or is moved.
    func testO2_TheFirstIsKnownAtEachStep() {
        for seed in seeds(7, 8, 9) {
            var generator = SeededGenerator(seed: seed)
            var machine = QueueMachine(width: 1, isSuspended: true)
            var jobs: [(handle: Handle, lane: UInt8)] = []
            for step in 0..<3_000 {
                let lane = UInt8.random(in: 0..<5, using: &generator)
                switch Int.random(in: 0..<7, using: &generator) {
                case 0, 1:
                    let standing: Standing = Bool.random(using: &generator) ? .ready : .waiting
                    jobs.append((machine.register(lane: lane, isBarrier: false, standing: standing), lane))
                case 2 where !jobs.isEmpty: machine.becameReady(jobs[jobs.indices.randomElement(using: &generator)!].handle)
                case 3 where !jobs.isEmpty: machine.mustWait(jobs[jobs.indices.randomElement(using: &generator)!].handle)
                case 4 where !jobs.isEmpty:
                    let index = jobs.indices.randomElement(using: &generator)!
                    machine.setLane(jobs[index].handle, to: lane)
                    jobs[index].lane = lane
                case 5 where jobs.count > 40:
                    let job = jobs.remove(at: jobs.indices.randomElement(using: &generator)!).handle
                    XCTAssertTrue(machine.mustEnd(job))
                    machine.finished(job)
                default: break
                }
                let ready = jobs.filter { machine.standing(of: $0.handle) == .ready }
                let first = ready.first { job in ready.allSatisfy { $0.lane <= job.lane } }
                XCTAssertEqual(machine.firstReady, first?.handle, "seed \(seed), step \(step)")
                if step % 50 == 0 { assertSound(machine) }
            }
        }
    }

    func testTheEnginesWordStaysWithTheJob() {
        var machine = QueueMachine(width: 100, isSuspended: false)
        func register(_ number: Int) -> Handle {
            machine.register(lane: UInt8(number % 5), isBarrier: number % 7 == 6, standing: .ready, payload: UInt(number))
        }
        let handles = (0..<100).map(register)
        for handle in handles[10..<20] {
            XCTAssertTrue(machine.mustEnd(handle))
            machine.finished(handle)
        }
        let later = (100..<300).map(register)
        let here: [Handle] = Array(handles[..<10]) + Array(handles[20...]) + later
        let words: [UInt] = Array(0..<10) + Array(20..<300)
        XCTAssertEqual(here.map { machine.payload(of: $0) }, words)
        XCTAssertEqual(machine.payload(of: machine.register(lane: 2, isBarrier: false, standing: .waiting)), 0, "as long as none is given")
    }

    func testAJobThatChangesItsPriorityBackAndForthIsClaimedOnce() {
        var machine = QueueMachine(width: 10, isSuspended: false)
        let handles = (0..<4).map { _ in machine.register(lane: 2, isBarrier: false, standing: .ready) }
        for round in 0..<500 {
            machine.setLane(handles[1], to: round % 2 == 0 ? 4 : 2)
            machine.setLane(handles[3], to: UInt8(round % 5))
            machine.setLane(handles[3], to: 2)
        }
        assertSound(machine)
        XCTAssertEqual(machine.claimable, 4)
        XCTAssertEqual(claimAll(&machine), handles)
        XCTAssertEqual(machine.executing, 4)
    }

    func testAJobThatComesAndGoesIsClaimedOnce() {
        var machine = QueueMachine(width: 10, isSuspended: false)
        let handles = (0..<3).map { _ in machine.register(lane: 2, isBarrier: false, standing: .waiting) }
        for _ in 0..<500 {
            for handle in handles {
                machine.mustBeAsked(handle)
                machine.mustWait(handle)
            }
        }
        for handle in handles.reversed() { machine.becameReady(handle) }
        assertSound(machine)
        XCTAssertEqual(machine.claimable, 3)
        XCTAssertEqual(claimAll(&machine), handles)
    }

    /// Another job has the record of one that left a place.
    func testAHandleThatIsUsedAgainDoesNotInheritAPlace() {
        var machine = QueueMachine(width: 4, isSuspended: false)
        let first = machine.register(lane: 4, isBarrier: false, standing: .ready)
        let second = machine.register(lane: 4, isBarrier: false, standing: .ready)
        XCTAssertTrue(machine.mustEnd(first))
        machine.finished(first)
        let third = machine.register(lane: 4, isBarrier: false, standing: .waiting)
        XCTAssertEqual(third, first, "the record is used again")
        XCTAssertEqual(claimAll(&machine), [second])
        machine.becameReady(third)
        XCTAssertEqual(claimAll(&machine), [third])
        assertSound(machine)
    }

    func testABurstGivesItsMemoryBackAndTheQueueGoesOn() {
        var machine = QueueMachine(width: 2, isSuspended: true)
        for round in 0..<3 {
            let handles = (0..<5_000).map { _ in machine.register(lane: 2, isBarrier: false, standing: .ready) }
            for handle in round == 1 ? handles.reversed() : handles {
                XCTAssertTrue(machine.mustEnd(handle))
                machine.finished(handle)
            }
            XCTAssertEqual(machine.jobCount, 0)
            XCTAssertEqual(machine.recordCount, 0)
            assertSound(machine)
        }
        machine.setSuspended(false)
        let handle = machine.register(lane: 2, isBarrier: false, standing: .ready)
        XCTAssertEqual(claimAll(&machine), [handle])
    }

    func testC5_WhatWasAddedAfterTheDoomIsNext() {
        var machine = QueueMachine(width: 1, isSuspended: false)
        let doomed = (0..<100).map { machine.register(lane: UInt8($0 % 5), isBarrier: false, standing: $0 % 2 == 0 ? .ready : .waiting) }
        machine.doomAll()
        let handle = machine.register(lane: 0, isBarrier: false, standing: .ready)
        for handle in doomed { machine.becameReady(handle) }
        XCTAssertGreaterThan(machine.siteShortage, 0)
        guard case .job(handle)? = machine.claim() else { return XCTFail("a doomed job was claimed") }
        XCTAssertTrue(doomed.allSatisfy { machine.isDoomed($0) && machine.mustEnd($0) })
        assertSound(machine)
    }

    /// O2, C5: nothing overtakes a job that is being asked, and nobody is summoned in vain; but a doomed one is in nobody's way.
    func testC5_ADoomedJobThatIsBeingAskedHoldsNobodyUp() {
        var machine = QueueMachine(width: 1, isSuspended: false)
        let asked = machine.register(lane: 2, isBarrier: false, standing: .waiting)
        machine.mustBeAsked(asked)
        guard case .ask(asked)? = machine.claim() else { return XCTFail("nobody asks") }
        let second = machine.register(lane: 2, isBarrier: false, standing: .ready)
        XCTAssertEqual(machine.claimable, 0)
        XCTAssertEqual(machine.siteShortage, 0)
        XCTAssertNil(machine.claim())
        machine.doomAll()
        let later = machine.register(lane: 2, isBarrier: false, standing: .ready)
        XCTAssertGreaterThan(machine.siteShortage, 0)
        guard case .job(later)? = machine.claim() else { return XCTFail("the doomed hold up the others") }
        machine.becameReady(asked)
        machine.finished(later)
        XCTAssertNil(machine.claim())
        XCTAssertTrue(machine.mustEnd(asked) && machine.mustEnd(second))
        assertSound(machine)
    }

    /// O2, L2: however many others are asked and go, one that waits to be asked is not forgotten.
    func testL2_WhoWaitsToBeAskedIsNotForgotten() {
        var machine = QueueMachine(width: 2, isSuspended: false)
        let blocker = machine.register(lane: 2, isBarrier: false, standing: .waiting)
        let last = machine.register(lane: 0, isBarrier: false, standing: .waiting)
        machine.mustBeAsked(last)
        askAndRun(1_000, &machine)
        let barrier = machine.register(lane: 4, isBarrier: true, standing: .waiting)
        machine.mustBeAsked(barrier)
        assertSound(machine)
        machine.setSuspended(true)
        XCTAssertEqual(machine.errandShortage, 1)
        XCTAssertEqual([machine.takeUnasked(), machine.takeUnasked(), machine.takeUnasked()], [last, barrier, nil])
        XCTAssertEqual(machine.standing(of: blocker), .waiting)
    }

    /// Nobody is woken to ask where there is nobody to ask.
    func testTheAskedLeaveNothingToAsk() {
        var machine = QueueMachine(width: 2, isSuspended: false)
        let bystander = machine.register(lane: 2, isBarrier: false, standing: .waiting)
        askAndRun(1_000, &machine)
        XCTAssertEqual(machine.handles(), [bystander])
        machine.setSuspended(true)
        XCTAssertEqual(machine.errandShortage, 0)
        XCTAssertNil(machine.takeUnasked())
    }

    /// Jobs one after the other that a site worker asks and runs.
    private func askAndRun(_ count: Int, _ machine: inout QueueMachine) {
        for _ in 0..<count {
            let handle = machine.register(lane: 2, isBarrier: false, standing: .waiting)
            machine.mustBeAsked(handle)
            guard case .ask(handle)? = machine.claim() else { return XCTFail("nobody asks job \(handle.index)") }
            machine.becameReady(handle)
            guard case .job(handle)? = machine.claim() else { return XCTFail("job \(handle.index) is not next") }
            machine.finished(handle)
        }
    }
}
