// Asserts that a refused edge names the whole ring that it would have closed.
import WorkQueues
import XCTest

/// Each job of the path depends on the next; the first pair is the refused edge itself. A pair with a barrier in it is an order of adding
/// and no edge, so it is not looked up.
func assertRing(
    _ error: JobError?, of job: Job, to dependency: Job, length: Int? = nil, barriers: Set<Job> = [],
    file: StaticString = #filePath, line: UInt = #line
) {
    guard let error else { return XCTFail("no error", file: file, line: line) }
    let path = error.cyclePath
    XCTAssertEqual(error.code, .dependencyCycle, file: file, line: line)
    guard path.count >= 2 else { return XCTFail("a path of \(path.count)", file: file, line: line) }
    XCTAssertIdentical(path.first, job, "begins with the job that was to get the edge", file: file, line: line)
    XCTAssertIdentical(path.last, job, "ends with it", file: file, line: line)
    XCTAssertIdentical(path[1], dependency, "goes on with what it was to wait for", file: file, line: line)
    if let length { XCTAssertEqual(path.count, length + 1, "length", file: file, line: line) }
    for (dependent, next) in zip(path, path.dropFirst()).dropFirst() {
        guard barriers.isDisjoint(with: [dependent, next]) else { continue }
        XCTAssertTrue(dependent.dependencies.contains(next), "\(dependent) does not depend on \(next)", file: file, line: line)
    }
    XCTAssertTrue(barriers.isSubset(of: path), "the barriers are in the path", file: file, line: line)
}
