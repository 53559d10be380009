// One download as an asynchronous job: it has begun when `main()` returns, and has finished when the transfer says so.

import Foundation
import Synchronization
import WorkQueues

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

final class Download: AsyncJob, @unchecked Sendable {
    private struct Arrival {
        var progress = Progress()
        var handlers: [@Sendable (Download) -> Void] = []
    }

    let url: URL
    private let arrival = Mutex(Arrival())

    init(_ url: URL) {
        self.url = url
        super.init()
        name = ["", "/"].contains(url.lastPathComponent) ? url.host : url.lastPathComponent
    }

    /// The name, as wide as the names of other downloads.
    var title: String { String((name ?? "").prefix(20)).padding(toLength: 20, withPad: " ", startingAt: 0) }

    var failure: (url: URL, error: any Error)? {
        if case .failed(let error) = outcome { (url, error) } else { nil }
    }

    var progress: Progress { arrival.withLock { $0.progress } }

    /// Calls `handler` each time something has arrived, on the thread of the transfer.
    func onProgress(_ handler: @escaping @Sendable (Download) -> Void) {
        arrival.withLock { $0.handlers.append(handler) }
    }

    override func main() {
        let transfer = Transfer(
            arrived: { progress in self.report(progress) },
            ended: { error in self.end(error) })
        let session = URLSession(configuration: .ephemeral, delegate: transfer, delegateQueue: nil)
        let task = session.dataTask(with: url)
        onCancel { _ in task.cancel() }
        task.resume()
        session.finishTasksAndInvalidate()
    }

    private func report(_ progress: Progress) {
        let handlers = arrival.withLock { arrival in
            arrival.progress = progress
            return arrival.handlers
        }
        for handler in handlers { handler(self) }
    }

    private func end(_ error: (any Error)?) {
        guard let error else { return finish() }
        finish(throwing: isCancelled ? CancellationError() : error)
    }
}
