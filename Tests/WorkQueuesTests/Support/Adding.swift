// Adding jobs and edges where an error cannot be thrown: in the rounds of a race, in bodies.
import WorkQueues
import XCTest

/// True when the job was taken. A refusal fails the test, unless it is the one that the race allows.
@discardableResult
func add(
    _ job: Job, to queue: WorkQueue, unless allowed: JobError.Code? = nil, file: StaticString = #filePath, line: UInt = #line
) -> Bool {
    do {
        try queue.addJob(job)
        return true
    } catch {
        if error.code != allowed { XCTFail("not taken: \(error)", file: file, line: line) }
        return false
    }
}

/// True when `job` now waits for `dependency`.
@discardableResult
func link(
    _ job: Job, to dependency: Job, requiring requirement: Job.DependencyRequirement = .finished, unless allowed: JobError.Code? = nil,
    file: StaticString = #filePath, line: UInt = #line
) -> Bool {
    do {
        try job.addDependency(dependency, requiring: requirement)
        return true
    } catch {
        if error.code != allowed { XCTFail("no edge: \(error)", file: file, line: line) }
        return false
    }
}
