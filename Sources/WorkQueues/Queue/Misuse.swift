// Reports of misuse that no call could refuse.

import SchedulingCore

package enum Misuse {
    static let handler = Locked<@Sendable (String) -> Void>({ Platform.writeToStandardError($0) })

    /// Says what was done, the likely cause, and the remedy. Called off every lock.
    package static func report(_ what: String, cause: String, remedy: String) {
        let handler = handler.withLock { $0 }
        handler("WorkQueues: \(what) Likely cause: \(cause) Remedy: \(remedy)")
    }

    static func report(_ error: JobError) {
        let handler = handler.withLock { $0 }
        handler("WorkQueues: \(error.message)")
    }
}
