// What the jobs hand on to each other: the words counted so far, and how many files or folders could not be read.

struct Tally: Sendable {
    var words = WordTable()
    var unreadable = 0

    init(words: WordTable = WordTable()) { self.words = words }

    /// The tally of something that cannot be read: says so, and counts it as such.
    init(reporting failure: Unreadable) {
        Console.report("\(failure)")
        unreadable = 1
    }

    func merging(_ other: Tally) -> Tally {
        var merged = self
        merged.words = words.merging(other.words)
        merged.unreadable += other.unreadable
        return merged
    }
}
