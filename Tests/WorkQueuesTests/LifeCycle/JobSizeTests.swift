// How large a closure job is: up to 120 bytes, glibc hands memory from thread to thread without a lock.
#if canImport(Glibc)
import Glibc
import WorkQueues
import XCTest

/// The allocator's own; the module of the system's library leaves it out.
@_silgen_name("malloc_usable_size")
private func usableSize(_ memory: UnsafeMutableRawPointer) -> Int

final class JobSizeTests: XCTestCase {
    /// A job is made on one thread and freed on another; a job of one word more made each of them half as dear again.
    func testAClosureJobIsNoLargerThanTheAllocatorsFastSizes() {
        let jobs: [Job] = [
            ResultJob {}, ResultJob { 1 }, ResultJob { "a text that is longer than a word" }, ResultJob { () async -> Int in 1 },
            BlockJob {},
        ]
        for job in jobs {
            XCTAssertLessThanOrEqual(usableSize(Unmanaged.passUnretained(job).toOpaque()), 120, "\(type(of: job))")
        }
    }
}
#endif
