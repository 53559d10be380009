// A deliberate difference in cost: blocking jobs that Foundation gives no threads.
import Foundation
import WorkQueues
import XCTest

final class SpeedDifferenceTests: XCTestCase {
    func testW2_SixtyFourBlockingJobsMeetWithinHalfASecondWhereFoundationLacksThreads() throws {
        if ProcessInfo.processInfo.activeProcessorCount <= 16 { assertFoundationHangs("meeting", within: 2) }
        let meter = Meter()
        let met = Gate()
        let took = Guarded(0.0)
        within {
            let queue = WorkQueue(maxConcurrentJobCount: 64)
            let begin = ContinuousClock.now
            for _ in 0..<64 {
                queue.addJob {
                    meter.enter()
                    if meter.total == 64 {
                        took.set((ContinuousClock.now - begin) / .seconds(1))
                        met.open()
                    }
                    met.wait()
                    meter.leave()
                }
            }
            queue.waitUntilAllJobsAreFinished()
        }
        XCTAssertEqual(meter.peak, 64)
        XCTAssertLessThanOrEqual(took.current, 0.5)
    }
}
