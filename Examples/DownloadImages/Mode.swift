// The four ways to download: what each one asks of the queue and of its jobs.

import WorkQueues

enum Mode: String, CaseIterable {
    case serial, concurrent, dependent, cancel

    /// A queue of width 1 runs its jobs one after the other; by default it decides itself how many run at once.
    var width: Int { self == .serial ? 1 : WorkQueue.defaultMaxConcurrentJobCount }

    func arrange(_ downloads: [Download], on queue: WorkQueue) throws {
        switch self {
        case .serial, .concurrent:
            break
        case .dependent:
            for (download, next) in zip(downloads, downloads.dropFirst()) { try download.addDependency(next) }
        case .cancel:
            downloads[0].onProgress { first in
                if first.progress.fraction >= 0.5 { first.cancel() }
            }
            downloads[0].addCompletion { _ in queue.cancelAllJobs() }
        }
    }
}
