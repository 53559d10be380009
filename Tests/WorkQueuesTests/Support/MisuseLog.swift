// Listens to the misuse handler while a test runs, and puts the old one back.
import WorkQueues

final class MisuseLog: Sendable {
    private let log = Log<String>()
    private let previous: @Sendable (String) -> Void

    /// Listens until `restore()`: `let misuse = MisuseLog(); defer { misuse.restore() }`.
    init() {
        previous = WorkQueue.misuseHandler
        let log = log
        WorkQueue.misuseHandler = { log.append($0) }
    }

    var messages: [String] {
        log.values
    }

    func restore() {
        WorkQueue.misuseHandler = previous
    }

    static func capturing<Result>(_ body: (MisuseLog) throws -> Result) rethrows -> Result {
        let log = MisuseLog()
        defer { log.restore() }
        return try body(log)
    }
}
