// The jobs of the scenarios that build them before they add them.

import WorkQueues

/// Jobs that do nothing, or count themselves in.
func emptyJobs(_ count: Int, _ tally: Tally?) -> [Job] {
    if let tally {
        (0..<count).map { index in ResultJob { tally.ran(index) } }
    } else {
        (0..<count).map { _ in ResultJob {} }
    }
}
