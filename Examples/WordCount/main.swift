// Counts the words of all files below the given paths: one job per file counts, a tree of jobs merges, the last one displays.

import Foundation
import WorkQueues

let options = Options.fromCommandLine()
let queue = WorkQueue(name: "WordCount", maxConcurrentJobCount: options.jobs)
if Console.isTerminal { queue.addObserver(Progress()) }

let planning = queue.addJob { try planCounting(options.paths, on: queue) }
let interrupt = cancelOnInterrupt(queue)

do {
    let counting = try planning.waitForValue()
    let displaying = queue.addJob(name: Progress.display, after: counting) { tally in
        try Console.show(tally.words.top(options.top).map { "\($0.count) \($0.word)\n" }.joined())
        return tally.unreadable
    }
    let unreadable = try displaying.waitForValue()
    exit(unreadable == 0 ? 0 : 1)
} catch is CancellationError {
    queue.waitUntilAllJobsAreFinished()
    Console.report("interrupted, all jobs are cancelled")
    exit(130)
} catch {
    Console.report(error.localizedDescription)
    exit(1)
}
