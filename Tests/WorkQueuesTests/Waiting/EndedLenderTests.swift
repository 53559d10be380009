// A job that lent its slot and is ended while it waits leaves with its loan (O4, L3).
import Foundation
import WorkQueues
import XCTest

final class EndedLenderTests: XCTestCase {
    func testO4_AJobThatIsEndedWhileItWaitsLeavesItsQueueUsable() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1)
        let gate = Gate()
        let awaited = other.addJob { gate.wait() }
        let lender = EndedOutside(awaiting: awaited)
        try queue.addJob(lender)
        within { lender.begun.wait() }
        // At width 1 another job runs only on the lent slot.
        XCTAssertTrue(within { queue.addJob {}.waitUntilFinished() })
        lender.endFromOutside()
        waitForEnd(of: lender)
        assertDrained(queue)
        gate.open()
        within { lender.wentOn.wait() }
        assertUsable(queue)
    }

    func testO4_AJobThatIsEndedWhileItWaitsInLineForASlotLeavesTheLine() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1)
        let gate = Gate(), holding = Gate(), release = Gate()
        let awaited = other.addJob { gate.wait() }
        let lender = EndedOutside(awaiting: awaited)
        try queue.addJob(lender)
        within { lender.begun.wait() }
        let holder = queue.addJob {
            holding.open()
            release.wait()
        }
        within { holding.wait() }
        // The slot is taken when the wait ends, so the lender stands in line.
        gate.open()
        waitForEnd(of: awaited)
        lender.endFromOutside()
        waitForEnd(of: lender)
        within { lender.wentOn.wait() }
        release.open()
        waitForEnd(of: holder)
        assertUsable(queue)
    }

    private func assertUsable(_ queue: WorkQueue, file: StaticString = #filePath, line: UInt = #line) {
        let runs = Meter()
        for _ in 0..<10 {
            queue.addJob {
                runs.enter()
                runs.leave()
            }
        }
        assertDrained(queue, file: file, line: line)
        XCTAssertEqual(runs.total, 10, file: file, line: line)
        XCTAssertEqual(runs.peak, 1, file: file, line: line)
    }
}

/// Awaits a job in its body, and can be ended by a hand-made post meanwhile.
private final class EndedOutside: AsyncResultJob<Void>, @unchecked Sendable {
    // Unchecked, as the superclass: the flag has a lock of its own, all else is constant.
    let begun = Gate(), wentOn = Gate()
    private let awaited: Job
    private let isEnded = Guarded(false)

    init(awaiting awaited: Job) {
        self.awaited = awaited
        super.init()
    }

    override var isFinished: Bool { isEnded.current || super.isFinished }

    override func run() async throws {
        begun.open()
        await awaited.waitUntilFinished()
        wentOn.open()
    }

    func endFromOutside() {
        willChangeValue(forKey: "isFinished")
        isEnded.set(true)
        didChangeValue(forKey: "isFinished")
    }
}
