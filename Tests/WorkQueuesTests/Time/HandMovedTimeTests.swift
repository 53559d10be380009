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
        let queue = WorkQueue(name: nil, width: 1, place: ThreadPlace(), time: HandMovedTime()), log = EventLog()
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
        let time = HandMovedTime(), place = ThreadPlace(), end = Gate()
        let queue = WorkQueue(name: nil, width: -1, isSuspended: true, place: place, time: time)
        // More than any width, so that some always wait.
        for _ in 0..<coreCount + 65 { queue.addJob { end.wait() } }
        // Whoever changes the width orders the workers for it, so their number is the width as soon as the call returns.
        queue.isSuspended = false
        let first = place.summoned
        XCTAssertTrue((2...coreCount).contains(first), "\(first) workers to begin with", file: file, line: line)
        for look in 1...looks {
            guard eventually("every worker is taken", file: file, line: line, { time.isArmed }) else { break }
            time.advance(by: 10_000_000, busyCores: busyCores)
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

/// Time stands still, and no core works, but for what `advance` says.
private final class HandMovedTime: TimeSource {
    private struct Contents {
        // Beyond two intervals of the pace, so that the first look begins a new measurement.
        var now: UInt64 = 1_000_000_000
        var processorTime: UInt64 = 0
        var lastToken: UInt64 = 0
        var timers: [UInt64: (deadline: UInt64, action: @Sendable () -> Void)] = [:]
    }

    private let contents = Guarded(Contents())
    private let anchor = ContinuousClock.now

    var isArmed: Bool { contents.with { !$0.timers.isEmpty } }

    func now() -> UInt64 { contents.with { $0.now } }

    func processorTime() -> UInt64 { contents.with { $0.processorTime } }

    func instant(at nanoseconds: UInt64) -> ContinuousClock.Instant { anchor.advanced(by: .nanoseconds(Int64(nanoseconds))) }

    func schedule(at deadline: UInt64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        contents.with { contents in
            contents.lastToken += 1
            contents.timers[contents.lastToken] = (deadline, action)
            return contents.lastToken
        }
    }

    func cancel(_ timer: UInt64) {
        let gone = contents.with { $0.timers.removeValue(forKey: timer) }
        withExtendedLifetime(gone) {}
    }

    func advance(by nanoseconds: UInt64, busyCores: UInt64) {
        let due = contents.with { contents in
            contents.now += nanoseconds
            contents.processorTime += nanoseconds * busyCores
            let now = contents.now
            let due = contents.timers.filter { $0.value.deadline <= now }
            for token in due.keys { contents.timers[token] = nil }
            return due.sorted { $0.value.deadline < $1.value.deadline }.map(\.value.action)
        }
        for action in due { action() }
    }
}
