// Gates that are opened while jobs arrive.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class GateRaceTests: XCTestCase {
    func testOpeningRacesArriving() {
        let queue = WorkQueue(maxConcurrentJobCount: 4)
        for round in 0..<500 {
            let gate = Gate.forTest("round \(round)")
            let blocking = queue.addJob { try gate.wait() }
            let suspending = queue.addJob { () async throws in try await gate.wait() }
            let watching = queue.addJob { try gate.waitForArrival(count: 2) }
            let opening = queue.addJob { gate.open() }
            guard assertEmptied(queue) else { return }
            for job in [blocking, suspending, watching, opening] {
                guard case .succeeded? = job.outcome else { return XCTFail("round \(round): \(job)") }
            }
        }
    }

    func testOpeningRacesTheWatchdog() {
        let queue = WorkQueue(maxConcurrentJobCount: 3)
        for round in 0..<300 {
            let gate = Gate("round \(round)", patience: .microseconds(round))
            let blocking = queue.addJob { try gate.wait() }
            let suspending = queue.addJob { () async throws in try await gate.wait() }
            queue.addJob { gate.open() }
            guard assertEmptied(queue) else { return }
            for job in [blocking, suspending] {
                switch job.outcome {
                case .succeeded: break
                case .failed(let error): XCTAssertTrue(error is ExpectationFailure, "\(error)")
                default: XCTFail("\(job)")
                }
            }
        }
    }
}
