// The width at which a test of a race runs its queue: its own, unless WORKQUEUES_WIDTHS names another one.
import Foundation

enum Widths {
    /// The first of a list such as `1,4`, through which `scripts/stress.sh` goes one by one.
    private static let chosen = ProcessInfo.processInfo.environment["WORKQUEUES_WIDTHS"]?.split(separator: ",").first.flatMap { Int($0) }

    /// For a test that holds at any width; `usual` is the one at which the race is closest.
    static func raced(_ usual: Int) -> Int { chosen ?? usual }
}
