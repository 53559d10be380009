// Releasing without recursion: long chains of jobs are freed link by link, on a stack of any size.

/// A per-thread list of things to let go of.
///
/// A job that goes frees its dependencies and what its body captured; those may be the last references to further jobs, and so on for a
/// million links. Released directly, each link would sit on the stack of the one before it. So every job hands what it held to this list,
/// and the outermost caller empties it one by one.
final class ReleaseList {
    private var jobs: [Job] = []
    /// What is no job: bodies and their captures.
    private var others: [Any] = []
    private var isDraining = false

    /// Lets go of `thing` now, or after the release that is under way on this thread.
    static func release(_ thing: consuming Any) {
        let list = ThreadContext.currentOrNew.releases
        list.others.append(thing)
        list.drain()
    }

    /// Lets go of the jobs, and leaves the array empty.
    func release(all jobs: inout [Job]) {
        if isDraining {
            self.jobs.append(contentsOf: jobs)
            jobs.removeAll(keepingCapacity: jobs.capacity <= Self.keptCapacity)
            return
        }
        isDraining = true
        // What is taken goes at the end of the statement, when it is in no list any more.
        while jobs.popLast() != nil {}
        if jobs.capacity > Self.keptCapacity { jobs = [] }
        isDraining = false
        if !self.jobs.isEmpty || !others.isEmpty { drain() }
    }

    private static let keptCapacity = 64

    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        while true {
            if jobs.popLast() != nil { continue }
            if others.popLast() == nil { break }
        }
        if jobs.capacity > Self.keptCapacity { jobs = [] }
        if others.capacity > Self.keptCapacity { others = [] }
        isDraining = false
    }
}
