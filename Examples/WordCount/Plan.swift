// The graph of jobs: a count for each file, and merges that bring the counts together two by two.

import WorkQueues

/// Adds the jobs that count the words of all files below `paths`, and returns the one whose result is the total.
func planCounting(_ paths: [Path], on queue: WorkQueue) throws -> ResultJob<Tally> {
    var tree = MergeTree(queue: queue)
    try forEachFile(below: paths) { file in
        try Job.checkCancellation()
        switch file {
        case .success(let path): tree.add(queue.addJob(name: Progress.count) { try countWords(of: path) })
        case .failure(let unreadable): tree.add(queue.addJob { Tally(reporting: unreadable) })
        }
    }
    return tree.finish()
}

/// Merges jobs two by two while they are still being added, as a binary counter carries.
///
/// A merge is added right behind its two inputs, and equal jobs start in the order they were added. So it runs before any later
/// count, and however many files there are, only a handful of results wait for their merge at any moment.
struct MergeTree {
    let queue: WorkQueue
    private var trees: [(root: ResultJob<Tally>, height: Int)] = []

    init(queue: WorkQueue) { self.queue = queue }

    mutating func add(_ leaf: ResultJob<Tally>) {
        var (root, height) = (leaf, 0)
        while let last = trees.last, last.height == height {
            trees.removeLast()
            root = merge(last.root, root)
            height += 1
        }
        trees.append((root, height))
    }

    func finish() -> ResultJob<Tally> {
        let roots = trees.reversed().map(\.root)
        guard let smallest = roots.first else { return queue.addJob { Tally() } }
        return roots.dropFirst().reduce(smallest, merge)
    }

    private func merge(_ first: ResultJob<Tally>, _ second: ResultJob<Tally>) -> ResultJob<Tally> {
        queue.addJob(after: first, second) { $0.merging($1) }
    }
}
