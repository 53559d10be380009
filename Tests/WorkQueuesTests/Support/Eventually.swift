// Polls for facts that nobody signals, such as a weak reference that turns nil.
import Dispatch
import XCTest

/// True when the condition came to hold in time; otherwise the test fails. Never for establishing an order.
@discardableResult
func eventually(
    _ what: String, within seconds: Double = patience, file: StaticString = #filePath, line: UInt = #line, _ condition: () -> Bool
) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    let pause = DispatchSemaphore(value: 0)
    while !condition() {
        guard ContinuousClock.now < deadline else {
            Watchdog.bark()
            XCTFail("not within \(seconds) s: \(what)", file: file, line: line)
            return false
        }
        _ = pause.wait(timeout: .now() + .milliseconds(1))
    }
    return true
}

@discardableResult
func eventually(
    _ what: String, within seconds: Double = patience, file: StaticString = #filePath, line: UInt = #line, _ condition: () -> Bool
) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while !condition() {
        guard ContinuousClock.now < deadline else {
            Watchdog.bark()
            XCTFail("not within \(seconds) s: \(what)", file: file, line: line)
            return false
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
        }
    }
    return true
}
