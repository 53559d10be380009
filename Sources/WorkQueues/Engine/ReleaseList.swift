// Releasing without recursion: long chains of jobs are freed link by link, on a stack of any size.

/// A per-thread list of things to let go of.
///
/// A job that goes frees its dependencies and what its body captured; those may be the last references to further jobs, and so on for a
/// million links. Released directly, each link would sit on the stack of the one before it. So every job hands what it held to this list,
/// and the outermost caller empties it one by one.
final class ReleaseList {
    private var pending: [Any] = []
    private var isDraining = false

    /// Lets go of `thing` now, or after the release that is under way on this thread.
    static func release(_ thing: consuming Any) {
        let list = ThreadContext.currentOrNew.releases
        list.pending.append(thing)
        list.drain()
    }

    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        while var last = pending.popLast() {
            last = ()
            _ = last
        }
        pending = []
        isDraining = false
    }
}
