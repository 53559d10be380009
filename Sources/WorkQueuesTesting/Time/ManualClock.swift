// A clock that stands still until it is moved by hand.

import SchedulingCore
import WorkQueues

/// A clock that a test moves by hand, and on which tasks can sleep.
///
/// Give it to code that takes a clock (`some Clock<Duration>`), in the harness or outside. It stands still until `advance(by:)` moves it;
/// a `QueueHarness` has one of its own and moves it with `QueueHarness.advance(by:)`.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(30)) }
/// // ... once the task sleeps:
/// clock.advance(by: .seconds(30))
/// ```
///
/// **Threads.** Every member may be used from any thread at any time. **Cost.** Sleeping and waking are O(log n) in the number of
/// sleepers.
public final class ManualClock: Clock, Sendable {
    /// A moment: how far the clock had been moved.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time since the clock was made.
        public let offset: Duration

        public init(offset: Duration) { self.offset = offset }

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        public var description: String { "+\(offset)" }
    }

    let time = ManualTime()

    public init() {}

    public var now: Instant { Instant(offset: .nanoseconds(Int64(clamping: time.now()))) }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many tasks sleep, and how many waits with a time limit there are.
    public var timerCount: Int { time.timerCount }

    /// The next moment at which something happens on this clock; nil if nobody waits for one.
    public var nextInstant: Instant? { time.earliest.map { Instant(offset: .nanoseconds(Int64(clamping: $0))) } }

    /// Suspends the calling task until the clock was moved to `deadline`; the tolerance has no meaning here.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        if deadline <= now { return }
        let signal = Signal()
        let timer = time.schedule(at: time.deadline(after: now.duration(to: deadline))) { signal.fire() }
        let cause = await withTaskCancellationHandler {
            await signal.suspend()
        } onCancel: {
            signal.fire(.cancelled)
        }
        time.cancel(timer)
        if cause == .cancelled { throw CancellationError() }
    }

    /// Moves the clock on, instant by instant: all timers of one instant fire together, then those of the next.
    ///
    /// Sleeping tasks are resumed, and go on wherever they run. In a harness use `QueueHarness.advance(by:)`, which lets them go on
    /// before the next instant.
    public func advance(by duration: Duration) {
        let target = time.deadline(after: duration)
        while time.moveToNextInstant(notAfter: target) {}
    }
}

/// The clock and timers of a harness's queues; a `ManualClock` is its public face.
final class ManualTime: TimeSource {
    private struct Timer: Sendable {
        let deadline: UInt64
        /// A look of an engine's own: nobody sleeps.
        let isUpkeep: Bool
        let action: @Sendable () -> Void
        /// The job in whose work the timer was made.
        let sleeper: Job.ID?
    }

    private struct Contents: Sendable {
        var now: UInt64 = 0
        var heap = TimerHeap()
        var timers: [UInt64: Timer] = [:]
        var lastToken: UInt64 = 0
        var lastEvent: UInt64 = 0
    }

    /// The clock stops here, after some three hundred years, so that numbers of events and deadlines beyond it do not overflow.
    private static let end = UInt64.max / 2

    private let contents = Locked(Contents())
    private let anchor = ContinuousClock.now

    func now() -> UInt64 { contents.withLock { $0.now } }

    /// The clock stands still while much happens: every event gets a nanosecond of its own, so that those of several queues have an order.
    func eventNow() -> UInt64 {
        contents.withLock { contents in
            contents.lastEvent = max(contents.now, contents.lastEvent + 1)
            return contents.lastEvent
        }
    }

    /// None: to the automatic width the process looks idle, so it grows while jobs wait, the same way every time.
    func processorTime() -> UInt64 { 0 }

    func instant(at nanoseconds: UInt64) -> ContinuousClock.Instant {
        anchor.advanced(by: .nanoseconds(Int64(clamping: nanoseconds)))
    }

    /// The earliest deadline for which somebody waits.
    var earliest: UInt64? { contents.withLock { $0.timers.values.lazy.filter { !$0.isUpkeep }.map(\.deadline).min() } }
    /// How many timers there are for which somebody waits.
    var timerCount: Int { contents.withLock { $0.timers.values.count { !$0.isUpkeep } } }

    /// The jobs whose work sleeps on this clock.
    var sleepers: Set<Job.ID> { contents.withLock { Set($0.timers.values.compactMap(\.sleeper)) } }

    func schedule(at deadline: UInt64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        insert(Timer(deadline: deadline, isUpkeep: false, action: action, sleeper: Job.current?.id))
    }

    func scheduleUpkeep(at deadline: UInt64, _ action: @escaping @Sendable () -> Void) {
        _ = insert(Timer(deadline: deadline, isUpkeep: true, action: action, sleeper: nil))
    }

    private func insert(_ timer: Timer) -> UInt64 {
        contents.withLock { contents in
            contents.lastToken += 1
            contents.heap.insert(deadline: timer.deadline, token: contents.lastToken)
            contents.timers[contents.lastToken] = timer
            return contents.lastToken
        }
    }

    func cancel(_ timer: UInt64) {
        let gone = contents.withLock { contents in
            contents.heap.remove(token: timer)
            return contents.timers.removeValue(forKey: timer)
        }
        withExtendedLifetime(gone) {}
    }

    /// Moves to the next instant with timers, if it is not after `limit`, and fires them; else moves to `limit`, if there is one, and
    /// returns false.
    func moveToNextInstant(notAfter limit: UInt64? = nil) -> Bool {
        let due = contents.withLock { contents -> [Timer]? in
            guard let next = contents.heap.earliest, next <= limit ?? .max else {
                contents.now = max(contents.now, min(limit ?? 0, Self.end))
                return nil
            }
            contents.now = max(contents.now, min(next, Self.end))
            var due: [Timer] = []
            while let token = contents.heap.popDue(now: max(next, contents.now)) {
                if let timer = contents.timers.removeValue(forKey: token) { due.append(timer) }
            }
            return due
        }
        guard let due else { return false }
        for timer in due { timer.action() }
        return true
    }
}
