// Waits under a watchdog, and what was thrown, for the tests of recorder, diagram and gate.
import Foundation
import WorkQueues
import XCTest

/// How long a watchdog waits; `WORKQUEUES_PATIENCE` shortens it for who expects failures.
let handToolPatience = Duration.seconds(ProcessInfo.processInfo.environment["WORKQUEUES_PATIENCE"].flatMap(Double.init) ?? 60)

struct Trouble: Error {}

func assertEmptied(_ queue: WorkQueue, file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertTrue(queue.waitUntilAllJobsAreFinished(timeout: handToolPatience), "the queue never became empty", file: file, line: line)
}

/// The description of what `body` throws; nil if it throws nothing.
func thrown(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return "\(error)" }
    return nil
}
