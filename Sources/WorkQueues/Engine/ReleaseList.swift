// Releasing without recursion: long chains of jobs are freed link by link, on a stack of any size.

import SchedulingCore

/// A per-thread list of things to let go of.
///
/// A job that goes frees its dependencies and what its body captured; those may be the last references to further jobs, and so on for a
/// million links. Released directly, each link would sit on the stack of the one before it. So every job hands what it held to this list,
/// and the outermost caller empties it one by one.
struct ReleaseList: ~Copyable {
    private struct Contents {
        /// References that the list owns.
        var jobs: [Unmanaged<Job>] = []
        /// What is no job: bodies and their captures.
        var others: [Any] = []
        var isDraining = false
    }

    // Behind a pointer, because what is let go of comes back here while the list is being emptied.
    private let contents: UnsafeMutablePointer<Contents>

    init() {
        contents = .allocate(capacity: 1)
        contents.initialize(to: Contents())
    }

    deinit {
        contents.deinitialize(count: 1)
        contents.deallocate()
    }

    /// Lets go of `thing` now, or after the release that is under way on this thread.
    static func release(_ thing: consuming Any) { ThreadContext.currentOrNew.releases.release(thing) }

    private func release(_ thing: consuming Any) {
        contents.pointee.others.append(thing)
        if !contents.pointee.isDraining { drain() }
    }

    /// Lets go of references to jobs, and leaves the array empty.
    func release(all jobs: inout [Unmanaged<Job>]) {
        if contents.pointee.isDraining {
            contents.pointee.jobs.append(contentsOf: jobs)
            jobs.reset(keeping: Self.keptCapacity)
            return
        }
        contents.pointee.isDraining = true
        while let job = jobs.popLast() { job.release() }
        if jobs.capacity > Self.keptCapacity { jobs = [] }
        contents.pointee.isDraining = false
        if !contents.pointee.jobs.isEmpty || !contents.pointee.others.isEmpty { drain() }
    }

    /// A list that once held more than this gives its memory back.
    static let keptCapacity = 64

    private func drain() {
        contents.pointee.isDraining = true
        while true {
            if let job = contents.pointee.jobs.popLast() {
                job.release()
                continue
            }
            // What is taken goes at the end of the statement, when it is in no list any more.
            if contents.pointee.others.popLast() == nil { break }
        }
        contents.pointee.jobs.reset(keeping: Self.keptCapacity)
        contents.pointee.others.reset(keeping: Self.keptCapacity)
        contents.pointee.isDraining = false
    }
}
