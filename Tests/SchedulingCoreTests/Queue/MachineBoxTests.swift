// The worlds' copies of a machine: if these are wrong, the worlds prove nothing.

import SchedulingCore
import XCTest

final class MachineBoxTests: XCTestCase {
    /// A stored property more or less: see to `QueueMachine.copy()`, then set the new size here.
    func testNoPropertyIsForgotten() throws {
        #if arch(x86_64) || arch(arm64)
        XCTAssertEqual(MemoryLayout<QueueMachine>.size, 304)
        #else
        throw XCTSkip("the size is that of a machine with words of 64 bits")
        #endif
    }

    /// 200 bytes are the wish for a waiting job, and the job itself takes most of them.
    func testARecordIsSmall() { XCTAssertLessThanOrEqual(QueueMachine.bytesPerRecord, 40) }

    func testAWorldGoesOnWithoutItsCopy() throws {
        var world = World(width: 1)
        for number in 0..<3 {
            try world.perform(.make(Plan(isBarrier: number == 1), dependencies: []))
            try world.perform(.add(number))
        }
        let before = world
        while world.machine.jobCount > 0 {
            try world.perform(.look)
            try world.perform(.finish(3 - world.machine.jobCount))
        }
        XCTAssertEqual(before.machine.jobCount, 3)
        XCTAssertEqual(before.machine.claimable, 1)
        var again = before
        try again.perform(.look)
        XCTAssertEqual(before.machine.executing, 0)
        XCTAssertEqual(again.machine.executing, 1)
        try before.checkInvariants()
        try again.checkInvariants()
    }
}
