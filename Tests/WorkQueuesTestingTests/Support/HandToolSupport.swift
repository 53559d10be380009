// Waits under a watchdog, and what was thrown, for the tests of recorder, diagram and gate.
import Dispatch
import Foundation
import WorkQueues
import WorkQueuesTesting
import XCTest

/// How long a watchdog waits; `WORKQUEUES_PATIENCE` shortens it for who expects failures.
let handToolPatience = Duration.seconds(ProcessInfo.processInfo.environment["WORKQUEUES_PATIENCE"].flatMap(Double.init) ?? 60)

struct Trouble: Error {}

/// True if the queue became empty in time; otherwise the test fails.
@discardableResult
func assertEmptied(_ queue: WorkQueue, file: StaticString = #filePath, line: UInt = #line) -> Bool {
    // Longer than a gate is patient, whose failure says more.
    let isEmpty = queue.waitUntilAllJobsAreFinished(timeout: handToolPatience * 2)
    XCTAssertTrue(isEmpty, "the queue never became empty", file: file, line: line)
    return isEmpty
}

/// For what nobody signals, such as a weak reference that turns nil. Never for establishing an order.
func assertSoon(_ what: String, file: StaticString = #filePath, line: UInt = #line, _ condition: () -> Bool) {
    let deadline = ContinuousClock.now + handToolPatience, pause = DispatchSemaphore(value: 0)
    while !condition() {
        guard ContinuousClock.now < deadline else { return XCTFail("not in time: \(what)", file: file, line: line) }
        _ = pause.wait(timeout: .now() + .milliseconds(1))
    }
}

extension Gate {
    /// A gate that is as patient as the other watchdogs of the tests.
    static func forTest(_ name: String? = nil) -> Gate { Gate(name, patience: handToolPatience) }
}

/// The description of what `body` throws; nil if it throws nothing.
func thrown(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return "\(error)" }
    return nil
}
