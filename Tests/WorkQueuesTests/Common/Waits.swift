// Waits for asynchronous code with a watchdog, and the opposite of a wait: that something does not move.
import Dispatch
import Foundation
import WorkQueues
import XCTest

/// The bounded proof of "does not begin": a fault that lets the job go shows within this time.
func assertHeld(
    _ job: Job, for time: Duration = .milliseconds(30), _ what: String = "", file: StaticString = #filePath, line: UInt = #line
) {
    XCTAssertFalse(job.waitUntilFinished(timeout: time), "ended: \(what)", file: file, line: line)
    XCTAssertNotEqual(job.phase, .executing, "began: \(what)", file: file, line: line)
}

/// The bounded proof of "does not end", for jobs that may be executing.
func assertUnfinished(
    _ job: Job, for time: Duration = .milliseconds(30), _ what: String = "", file: StaticString = #filePath, line: UInt = #line
) {
    XCTAssertFalse(job.waitUntilFinished(timeout: time), "ended: \(what)", file: file, line: line)
    XCTAssertFalse(job.isFinished, what, file: file, line: line)
}

/// Runs asynchronous code under a watchdog: a task that hangs fails the test instead of hanging the run.
@discardableResult
func inTime(
    _ seconds: Double = patience, _ what: String = "", file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable () async throws -> Void
) -> Bool {
    let done = DispatchSemaphore(value: 0)
    let failure = Guarded<(any Error)?>(nil)
    Task.detached {
        do { try await body() } catch { failure.set(error) }
        done.signal()
    }
    guard done.wait(timeout: .now() + seconds) == .success else {
        XCTFail("not done within \(seconds) s: \(what)", file: file, line: line)
        return false
    }
    if let error = failure.current {
        XCTFail("\(what) threw \(error)", file: file, line: line)
    }
    return true
}

/// Runs code on a thread of its own; whoever needs its end waits for a gate.
func onNewThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread { body() }
    thread.stackSize = largeStack
    thread.start()
}

/// How long a piece of code took, on the monotonic clock.
func duration(of body: () throws -> Void) rethrows -> Duration {
    let start = ContinuousClock.now
    try body()
    return ContinuousClock.now - start
}
