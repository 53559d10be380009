// Waits for queues and jobs from a test, on a thread of their own and under a watchdog.
import WorkQueues
import XCTest

/// Waits until the queue is empty, and asserts that it is.
@discardableResult
func assertDrained(_ queue: WorkQueue, _ seconds: Double = patience, file: StaticString = #filePath, line: UInt = #line) -> Bool {
    guard within(seconds, "the queue never became empty", file: file, line: line, { queue.waitUntilAllJobsAreFinished() }) else {
        return false
    }
    XCTAssertEqual(queue.jobCount, 0, "a queue without work counts none", file: file, line: line)
    XCTAssertTrue(queue.jobs.isEmpty, "a queue without work lists none", file: file, line: line)
    return true
}

/// Waits for the end of each job.
@discardableResult
func waitForEnd(of jobs: [Job], _ seconds: Double = patience, file: StaticString = #filePath, line: UInt = #line) -> Bool {
    within(seconds, "a job never ended", file: file, line: line) {
        for job in jobs { job.waitUntilFinished() }
    }
}

@discardableResult
func waitForEnd(of job: Job, _ seconds: Double = patience, file: StaticString = #filePath, line: UInt = #line) -> Bool {
    waitForEnd(of: [job], seconds, file: file, line: line)
}
