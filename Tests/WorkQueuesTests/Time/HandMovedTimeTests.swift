// The automatic width under a time that is moved by hand: the same steps give the same width on any machine.
import Dispatch
import Foundation
import WorkQueues
import XCTest

final class HandMovedTimeTests: XCTestCase {
    func testSection6_TheWidthGrowsByAQuarterAtEachSecondLookThatFindsTheCoresIdle() {
        assertWidths(busyCores: 0, looks: 6) { first, looks in
            (0..<looks / 2).reduce(first) { width, _ in max(width, min(64, width + max(1, width / 4))) }
        }
    }

    func testSection6_TheWidthStaysWhileTheCoresAreBusy() {
        assertWidths(busyCores: 4096, looks: 6) { first, _ in first }
    }

    func testV1_SequenceNumbersRiseThoughTheClockStandsStill() {
        let queue = WorkQueue(name: nil, width: 1, place: ThreadPlace(), time: HandTime()), log = EventLog()
        queue.addObserver(log)
        let jobs = (0..<10).map { _ in queue.addJob {} }
        assertDrained(queue)
        for job in jobs {
            XCTAssertEqual(log.names(of: job.id), [.added, .ready, .started, .finished])
            let numbers = log.events(of: job.id).map(\.sequence)
            XCTAssertEqual(numbers, numbers.sorted())
        }
        XCTAssertEqual(Set(log.events.map(\.sequence)).count, log.events.count, "each number is one event's")
        queue.removeObserver(log)
    }

    /// Fills a queue with jobs that block, and compares after each look how many workers it has summoned so far.
    private func assertWidths(
        busyCores: UInt64, looks: Int, file: StaticString = #filePath, line: UInt = #line, expected: (_ first: Int, _ looks: Int) -> Int
    ) {
        // Beyond two intervals of the pace, so that the first look begins a new measurement.
        let time = HandTime(startingAt: 1_000_000_000), place = ThreadPlace(), end = Gate()
        let queue = WorkQueue(name: nil, width: -1, isSuspended: true, place: place, time: time)
        // More than any width, so that some always wait.
        for _ in 0..<coreCount + 65 { queue.addJob { end.wait() } }
        // Whoever changes the width orders the workers for it, so their number is the width as soon as the call returns.
        queue.isSuspended = false
        let first = place.summoned
        XCTAssertTrue((2...coreCount).contains(first), "\(first) workers to begin with", file: file, line: line)
        for look in 1...looks {
            guard eventually("every worker is taken", file: file, line: line, { time.timerCount > 0 }) else { break }
            time.advance(milliseconds: 10, busyCores: busyCores)
            XCTAssertEqual(place.summoned, expected(first, look), "after \(look) looks", file: file, line: line)
        }
        end.open()
        assertDrained(queue, file: file, line: line)
    }
}

/// A thread for each worker, and a count of those that run jobs.
private final class ThreadPlace: Workplace {
    private let siteWorkers = Guarded(0)

    let givesWayAfterEachJob = false
    let mayBeSerial = false

    var summoned: Int { siteWorkers.current }

    func summon(_ crew: Crew, of engine: QueueEngine, isFirst: Bool, qualityOfService: DispatchQoS.QoSClass) -> Summons {
        if crew == .site { siteWorkers.with { $0 += 1 } }
        let thread = Thread { engine.work(as: crew, isFirst: isFirst) }
        thread.stackSize = smallStack
        thread.start()
        return .coming
    }
}
