// How long tests wait for what may never come.
import Foundation
import Synchronization

/// How many seconds a watchdog waits; `WORKQUEUES_PATIENCE` shortens it for who expects failures.
var patience: Double { Watchdog.patience }

enum Watchdog {
    private static let configured = ProcessInfo.processInfo.environment["WORKQUEUES_PATIENCE"].flatMap(Double.init) ?? 60
    private static let hasBarked = Atomic<Bool>(false)

    /// A second once a watchdog has barked: what hung may hang everything after it, and the run is red anyway.
    static var patience: Double { hasBarked.load(ordering: .relaxed) ? min(1, configured) : configured }

    /// Something did not come in time.
    static func bark() { hasBarked.store(true, ordering: .relaxed) }
}
