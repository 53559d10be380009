// The rule of the automatic width, as tables.

import SchedulingCore
import XCTest

final class AutomaticWidthTests: XCTestCase {
    /// A look of 10 ms at which the process used some percentage of `cores` cores.
    private func look(_ width: inout AutomaticWidth, percent: UInt64, cores: UInt64, taken: Bool = true, waiting: Bool = true) {
        width.look(
            cpuNanoseconds: 100_000 * percent * cores, elapsedNanoseconds: 10_000_000, everyWorkerTaken: taken, readyJobsWait: waiting)
    }

    func testStartsWithOneWorkerPerCoreAndAtLeastTwo() {
        for (cores, expected) in [(-1, 2), (0, 2), (1, 2), (2, 2), (3, 3), (8, 8), (64, 64), (96, 96)] {
            XCTAssertEqual(AutomaticWidth(cores: cores).width, expected, "\(cores) cores")
        }
    }

    func testGrowsByAQuarterEverySecondIdleLook() {
        var width = AutomaticWidth(cores: 2)
        var seen: [Int] = []
        for _ in 0..<32 {
            look(&width, percent: 0, cores: 2)
            seen.append(width.width)
        }
        let steps = [3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27, 33, 41, 51, 63, 64]
        XCTAssertEqual(seen, Array(([2] + steps).flatMap { [$0, $0] }.dropFirst().prefix(32)))
        look(&width, percent: 0, cores: 2)
        look(&width, percent: 0, cores: 2)
        XCTAssertEqual(width.width, 64)
        for _ in 0..<10 { look(&width, percent: 0, cores: 2) }
        XCTAssertEqual(width.width, 64)
    }

    func testTheBorderIsEightyPercentOfTheCores() {
        for cores in [1, 2, 4, 96] as [UInt64] {
            for (percent, grows) in [(0, true), (79, true), (80, false), (81, false), (100, false), (250, false)] as [(UInt64, Bool)] {
                var width = AutomaticWidth(cores: Int(cores))
                let before = width.width
                look(&width, percent: percent, cores: cores)
                look(&width, percent: percent, cores: cores)
                XCTAssertEqual(width.width > before, grows && cores < 64, "\(percent) % of \(cores)")
            }
        }
    }

    func testOnlyTwoLooksRunningCount() {
        for interruption in 0..<3 {
            var width = AutomaticWidth(cores: 2)
            look(&width, percent: 10, cores: 2)
            switch interruption {
            case 0: look(&width, percent: 90, cores: 2)
            case 1: look(&width, percent: 10, cores: 2, taken: false)
            default: look(&width, percent: 10, cores: 2, waiting: false)
            }
            look(&width, percent: 10, cores: 2)
            XCTAssertEqual(width.width, 2, "interruption \(interruption)")
            look(&width, percent: 10, cores: 2)
            XCTAssertEqual(width.width, 3, "interruption \(interruption)")
        }
    }

    func testALookWithoutTimeSaysNothing() {
        var width = AutomaticWidth(cores: 2)
        look(&width, percent: 0, cores: 2)
        width.look(cpuNanoseconds: 0, elapsedNanoseconds: 0, everyWorkerTaken: true, readyJobsWait: true)
        XCTAssertEqual(width.width, 2)
        look(&width, percent: 0, cores: 2)
        XCTAssertEqual(width.width, 3)
    }

    func testLargeNumbersDoNotOverflow() {
        var width = AutomaticWidth(cores: 64)
        width.look(cpuNanoseconds: .max, elapsedNanoseconds: .max, everyWorkerTaken: true, readyJobsWait: true)
        width = AutomaticWidth(cores: 4)
        width.look(cpuNanoseconds: .max, elapsedNanoseconds: .max, everyWorkerTaken: true, readyJobsWait: true)
        width.look(cpuNanoseconds: .max, elapsedNanoseconds: .max, everyWorkerTaken: true, readyJobsWait: true)
        XCTAssertEqual(width.width, 5, "one of four cores was busy")
    }

    func testShrinksToTheBusyOnesAndNeverBelowTheBase() {
        for (cores, grown, busy, expected) in [(2, 8, 5, 5), (2, 8, 8, 8), (2, 8, 20, 8), (2, 8, 0, 2), (4, 8, 1, 4), (4, 4, 9, 4)] {
            var width = AutomaticWidth(cores: cores)
            for _ in 0..<100 where width.width < grown { look(&width, percent: 0, cores: UInt64(cores)) }
            XCTAssertEqual(width.width, grown)
            width.becameIdle(busy: busy)
            XCTAssertEqual(width.width, expected, "\(cores) cores, \(busy) of \(grown) busy")
        }
    }
}
