// The transfer behind a download: adds up what arrives, and checks at the end that all of it has come.

import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

enum TransferError: LocalizedError {
    case status(Int)
    case size(Progress)

    var errorDescription: String? {
        switch self {
        case .status(let code): "the server answered with status \(code)"
        case .size(let progress): "\(progress.received) bytes came instead of \(progress.expected ?? 0)"
        }
    }
}

/// The delegate of a session with a single task; it is called on the session's own serial queue.
final class Transfer: NSObject, URLSessionDataDelegate {
    private let arrived: @Sendable (Progress) -> Void
    private let ended: @Sendable ((any Error)?) -> Void
    private let progress = Mutex(Progress())

    init(arrived: @escaping @Sendable (Progress) -> Void, ended: @escaping @Sendable ((any Error)?) -> Void) {
        self.arrived = arrived
        self.ended = ended
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let expected = dataTask.response.map(\.expectedContentLength) ?? -1
        arrived(
            progress.withLock { progress in
                progress.received += Int64(data.count)
                progress.expected = expected >= 0 ? expected : nil
                return progress
            })
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        ended(error ?? fault(in: task.response, progress.withLock { $0 }))
    }

    private func fault(in response: URLResponse?, _ progress: Progress) -> TransferError? {
        if let response = response as? HTTPURLResponse, response.statusCode != 200 { return .status(response.statusCode) }
        if let expected = progress.expected, expected != progress.received { return .size(progress) }
        return nil
    }
}
