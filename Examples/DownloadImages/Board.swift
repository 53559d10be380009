// Tells what happens as it happens: an observer of the queue that shows each start and end with the time since the beginning.

import Foundation
import Synchronization
import WorkQueues

final class Board: JobObserver {
    private let downloads: [Job.ID: Download]
    private let beginning = ContinuousClock.now
    private let display = Mutex<any Display>(Console.isTerminal ? Bars() : PlainLines())

    init(_ downloads: [Download]) {
        self.downloads = Dictionary(uniqueKeysWithValues: downloads.map { ($0.id, $0) })
        for download in downloads {
            download.onProgress { [weak self] download in self?.progressed(download) }
        }
    }

    func record(_ event: JobEvent) {
        guard let download = event.jobID.flatMap({ downloads[$0] }) else { return }
        switch event.kind {
        case .started:
            display.withLock { $0.started(download, line(event.instant, download, "started")) }
        case .finished(let outcome):
            display.withLock { $0.ended(download, line(event.instant, download, describe(outcome, of: download))) }
        default:
            break
        }
    }

    private func progressed(_ download: Download) {
        display.withLock { $0.progressed(download, line(.now, download, "\(download.progress)")) }
    }

    private func describe(_ outcome: Job.Outcome, of download: Download) -> String {
        switch outcome {
        case .succeeded: "finished, \(download.progress)"
        case .cancelled: "cancelled, \(download.progress)"
        case .failed(let error): "failed: \(error.localizedDescription)"
        }
    }

    private func line(_ instant: ContinuousClock.Instant, _ download: Download, _ what: String) -> String {
        String(format: "%6.2f s  ", (instant - beginning) / .seconds(1)) + "\(download.title)  \(what)"
    }
}
