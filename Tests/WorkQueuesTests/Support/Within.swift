// Runs what may block, or hang, on a thread of its own under a watchdog.
import Dispatch
import Foundation
import XCTest

let largeStack = 8 << 20
let smallStack = 512 << 10

/// True when `body` returned in time; an error that it throws fails the test too. A body that hangs keeps its thread, the test goes on.
@discardableResult
func within(
    _ seconds: Double = patience, _ what: String = "", stackSize: Int, file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable () throws -> Void
) -> Bool {
    let done = DispatchSemaphore(value: 0)
    let failure = Guarded<(any Error)?>(nil)
    let thread = Thread {
        do { try body() } catch { failure.set(error) }
        done.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    guard done.wait(timeout: .now() + seconds) == .success else {
        Watchdog.bark()
        XCTFail("not done within \(seconds) s: \(what)", file: file, line: line)
        return false
    }
    if let error = failure.current {
        XCTFail("\(what) threw \(error)", file: file, line: line)
    }
    return true
}

@discardableResult
func within(
    _ seconds: Double = patience, _ what: String = "", file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable () throws -> Void
) -> Bool {
    within(seconds, what, stackSize: largeStack, file: file, line: line, body)
}
