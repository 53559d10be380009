// A blocking barrier for a fixed number of threads, which may be used again and again.
import Foundation

final class Meeting: @unchecked Sendable {
    // Unchecked: what varies is touched under the condition's lock alone.
    static let patience: TimeInterval = 30

    private let condition = NSCondition()
    private let parties: Int
    private var present = 0
    private var round = 0

    init(parties: Int) {
        self.parties = parties
    }

    /// Blocks until all parties are here; false when they did not come within half a minute.
    func meet() -> Bool {
        let deadline = Date(timeIntervalSinceNow: Meeting.patience)
        condition.lock()
        defer { condition.unlock() }
        let mine = round
        present += 1
        if present == parties {
            present = 0
            round += 1
            condition.broadcast()
            return true
        }
        while round == mine {
            if !condition.wait(until: deadline), round == mine {
                present -= 1
                return false
            }
        }
        return true
    }
}
