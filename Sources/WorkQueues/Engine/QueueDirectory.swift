// Finds a queue's engine by number, for threads that have no other claim to it.

import SchedulingCore

/// All engines of the process.
///
/// A job remembers its queue by number, not by reference: a reference counted per job would be a word that every producer and every worker
/// writes. Who holds a job that may be over asks here, and gets a reference or nothing.
final class QueueDirectory: Sendable {
    static let shared = QueueDirectory()

    private struct Entry: @unchecked Sendable {
        // Not counted, so the directory keeps no queue alive. An engine that goes takes its entry out first, under the directory's lock.
        let engine: Unmanaged<QueueEngine>
    }

    private struct Contents: Sendable {
        var lastID: UInt64 = 0
        var engines: [UInt64: Entry] = [:]
    }

    private let contents = Locked(Contents())

    func register(_ engine: QueueEngine) -> UInt64 {
        contents.withLock { contents in
            contents.lastID += 1
            contents.engines[contents.lastID] = Entry(engine: .passUnretained(engine))
            return contents.lastID
        }
    }

    func unregister(_ id: UInt64) { contents.withLock { _ = $0.engines.removeValue(forKey: id) } }

    func engine(_ id: UInt64) -> QueueEngine? { contents.withLock { $0.engines[id]?.engine.living } }
}
