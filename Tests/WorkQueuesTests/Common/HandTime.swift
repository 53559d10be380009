// A clock that stands still, and on which no core works, until a test moves it on.
import Dispatch
import WorkQueues

final class HandTime: TimeSource {
    private struct State {
        var now: UInt64
        var processorTime: UInt64 = 0
        var lastToken: UInt64 = 0
        var timers: [UInt64: (deadline: UInt64, action: @Sendable () -> Void)] = [:]
    }

    private let state: Guarded<State>
    private let anchor = ContinuousClock.now
    private let queue = DispatchQueue(label: "hand time")

    init(startingAt now: UInt64 = 0) { state = Guarded(State(now: now)) }

    /// How many timers are armed.
    var timerCount: Int { state.with { $0.timers.count } }

    func now() -> UInt64 { state.with { $0.now } }

    func processorTime() -> UInt64 { state.with { $0.processorTime } }

    func instant(at nanoseconds: UInt64) -> ContinuousClock.Instant { anchor.advanced(by: .nanoseconds(Int64(nanoseconds))) }

    func schedule(at deadline: UInt64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        state.with { state in
            state.lastToken += 1
            state.timers[state.lastToken] = (deadline, action)
            return state.lastToken
        }
    }

    func cancel(_ timer: UInt64) {
        let gone = state.with { $0.timers.removeValue(forKey: timer) }
        withExtendedLifetime(gone) {}
    }

    /// Moves on by so many milliseconds, in which so many cores work, and fires what is due, the earliest first; returns when that has been
    /// called.
    func advance(milliseconds: UInt64, busyCores: UInt64 = 0) {
        let due = state.with { state -> [@Sendable () -> Void] in
            state.now += milliseconds * 1_000_000
            state.processorTime += milliseconds * 1_000_000 * busyCores
            let now = state.now
            let due = state.timers.filter { $0.value.deadline <= now }
            for token in due.keys { state.timers[token] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }.map(\.action)
        }
        queue.sync { for action in due { action() } }
    }
}

extension WorkQueue {
    /// A queue on the usual threads whose time is moved by hand.
    convenience init(name: String? = nil, width: Int, isSuspended: Bool = false, on time: HandTime) {
        self.init(name: name, width: width, isSuspended: isSuspended, time: time)
    }
}
