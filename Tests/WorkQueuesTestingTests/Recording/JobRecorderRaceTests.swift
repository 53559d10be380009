// A recorder that is told by many workers, and asked meanwhile.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class JobRecorderRaceTests: XCTestCase {
    func testManyWorkersTellAndManyAskAtTheSameTime() throws {
        let queues = (0..<3).map { _ in WorkQueue(maxConcurrentJobCount: 4) }
        let recorder = JobRecorder()
        for queue in queues { queue.addObserver(recorder) }
        let asking = WorkQueue(maxConcurrentJobCount: 2)
        for _ in 0..<2 {
            asking.addJob {
                for _ in 0..<50 {
                    let instants = recorder.events.map(\.instant)
                    if instants != instants.sorted() { throw Trouble() }
                    if recorder.peakConcurrency > 12 { throw Trouble() }
                    _ = recorder.happenedBefore("0-0", "1-5")
                }
            }
        }
        let askers = asking.jobs
        for number in 0..<200 {
            for (index, queue) in queues.enumerated() { queue.addJob(name: "\(index)-\(number)") {} }
        }
        queues.forEach { assertEmptied($0) }
        assertEmptied(asking)
        for asker in askers { XCTAssertEqual(asker.outcome.map { "\($0)" }, "succeeded") }

        XCTAssertEqual(recorder.names(of: .finished).count, 600)
        XCTAssertEqual(Set(recorder.names(of: .started)).count, 600)
        XCTAssertLessThanOrEqual(recorder.peakConcurrency, 12)
        for number in [0, 99, 199] { XCTAssertNotNil(recorder.span(of: "2-\(number)")) }
    }
}
