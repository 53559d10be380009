// The seam for time: every clock and timer of the package goes through a `TimeSource`.

import Dispatch
import SchedulingCore
import Synchronization

/// A clock and its timers.
package protocol TimeSource: AnyObject, Sendable {
    /// Now, in nanoseconds since a fixed moment.
    func now() -> UInt64
    /// Now, for the number of an event. It orders the events of one queue among those of others, as far as the clock can tell them apart.
    func eventNow() -> UInt64
    /// As `now`, on a clock of its own that is cheap to read: it moves in steps of up to 10 ms and may stand still while the machine
    /// sleeps. For ages, that is, for differences between two readings.
    func coarseNow() -> UInt64
    /// Whether this is the clock of the system, whose coarse reading needs no source.
    var isSystem: Bool { get }
    /// The public form of a moment: that of zero, and so many nanoseconds later.
    func instant(at nanoseconds: UInt64) -> ContinuousClock.Instant
    /// Calls `action` once, on a thread of the source, when `deadline` has come.
    func schedule(at deadline: UInt64, _ action: @escaping @Sendable () -> Void) -> UInt64
    /// As `schedule`, for a look of the engine's own that nobody waits for.
    func scheduleUpkeep(at deadline: UInt64, _ action: @escaping @Sendable () -> Void)
    /// Forgets a timer; nothing happens if it is due or gone.
    func cancel(_ timer: UInt64)
    /// Nanoseconds of processor time that the process has used on all cores, since a fixed moment. Never goes back. The automatic width
    /// compares it with `now()`, so who moves time by hand says with it how busy the cores were. Called under a queue's lock too.
    func processorTime() -> UInt64
}

extension TimeSource {
    package func eventNow() -> UInt64 { now() }

    package func scheduleUpkeep(at deadline: UInt64, _ action: @escaping @Sendable () -> Void) { _ = schedule(at: deadline, action) }

    package func coarseNow() -> UInt64 { now() }
    package var isSystem: Bool { false }

    /// The moment that lies `duration` after now; a negative duration is none, and one beyond the range of the clock is the end of it.
    package func deadline(after duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return now() }
        let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (length, overflow2) = whole.addingReportingOverflow(UInt64(attoseconds) / 1_000_000_000)
        let (deadline, overflow3) = now().addingReportingOverflow(length)
        return overflow || overflow2 || overflow3 ? .max : deadline
    }
}

/// The clock of a queue's events, which is read once per event: that of the system without a detour.
struct EventClock: Sendable {
    private let time: any TimeSource
    /// The same, if it is the system's.
    private let systemTime: DispatchTimeSource?
    /// Where its zero lies on the system's source, in nanoseconds.
    private let offset: Int64

    init(_ time: any TimeSource) {
        self.time = time
        systemTime = time as? DispatchTimeSource
        offset = systemTime == nil ? DispatchTimeSource.shared.offset(of: time) : 0
    }

    /// Now, for the number of an event.
    @inline(__always)
    func read() -> UInt64 { systemTime?.now() ?? time.eventNow() }

    /// A reading of this clock as a moment on the system's source.
    @inline(__always)
    func moment(of reading: UInt64) -> Int64 {
        let (moment, isBeyond) = Int64(clamping: reading).addingReportingOverflow(offset)
        return isBeyond ? .max : moment
    }

    /// The public form of a moment.
    static func instant(at moment: Int64) -> ContinuousClock.Instant { DispatchTimeSource.shared.instant(offset: moment) }
}

/// The system's clock, with one Dispatch timer armed for the earliest of all timers of the process.
package final class DispatchTimeSource: TimeSource {
    package static let shared = DispatchTimeSource()

    private struct Timers: Sendable {
        var heap = TimerHeap()
        var actions: [UInt64: @Sendable () -> Void] = [:]
        var lastToken: UInt64 = 0
        var armedFor: UInt64 = .max
        /// Counts the armings: only the last one counts when it fires.
        var arming: UInt64 = 0

        /// Arms for a moment; the result names the arming.
        mutating func arm(for deadline: UInt64) -> UInt64 {
            armedFor = deadline
            arming += 1
            return arming
        }
    }

    private let anchor = ContinuousClock.now
    private let origin = Platform.monotonicNanoseconds()
    private let timers = Locked(Timers())
    private let queue = DispatchQueue(label: "WorkQueues.timers", qos: .userInitiated)

    package func now() -> UInt64 { Platform.monotonicNanoseconds() &- origin }

    package func coarseNow() -> UInt64 { Platform.coarseNanoseconds() }

    package var isSystem: Bool { true }

    package func processorTime() -> UInt64 { Platform.processCPUNanoseconds() }

    package func instant(at nanoseconds: UInt64) -> ContinuousClock.Instant {
        instant(offset: Int64(clamping: nanoseconds))
    }

    /// The public form of a moment that may lie before zero.
    fileprivate func instant(offset: Int64) -> ContinuousClock.Instant { anchor.advanced(by: .nanoseconds(offset)) }

    /// Where the zero of another source lies on this one, in nanoseconds.
    fileprivate func offset(of other: any TimeSource) -> Int64 {
        let (seconds, attoseconds) = anchor.duration(to: other.instant(at: 0)).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    package func schedule(at deadline: UInt64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        let (token, arming) = timers.withLock { timers -> (UInt64, UInt64?) in
            timers.lastToken += 1
            let token = timers.lastToken
            timers.heap.insert(deadline: deadline, token: token)
            timers.actions[token] = action
            return (token, deadline < timers.armedFor ? timers.arm(for: deadline) : nil)
        }
        if let arming { arm(for: deadline, arming) }
        return token
    }

    package func cancel(_ timer: UInt64) {
        // The action is released outside the lock: what it captured may run code of its own when it goes.
        let action = timers.withLock { timers in
            timers.heap.remove(token: timer)
            return timers.actions.removeValue(forKey: timer)
        }
        withExtendedLifetime(action) {}
    }

    private func arm(for deadline: UInt64, _ arming: UInt64) {
        // One reading: the deadline may pass between two.
        let now = now()
        let wait = deadline > now ? deadline - now : 0
        guard wait < UInt64(Int64.max) / 2 else { return }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait))) { self.fire(arming) }
    }

    private func fire(_ arming: UInt64) {
        let now = now()
        let (due, next) = timers.withLock { timers -> ([@Sendable () -> Void], (deadline: UInt64, arming: UInt64)?) in
            if arming != timers.arming { return ([], nil) }
            var due: [@Sendable () -> Void] = []
            while let token = timers.heap.popDue(now: now) {
                if let action = timers.actions.removeValue(forKey: token) { due.append(action) }
            }
            // Also if nothing was due: the clock of Dispatch may be a little ahead of this one.
            guard let earliest = timers.heap.earliest else {
                timers.armedFor = .max
                return (due, nil)
            }
            return (due, (earliest, timers.arm(for: earliest)))
        }
        if let next { arm(for: next.deadline, next.arming) }
        for action in due { action() }
    }
}

extension DispatchSemaphore {
    /// Keeps a thread at hand until the semaphore is signalled, or until it has been kept long enough; false then. No job and no rule
    /// depends on when that is, so it needs no source of time.
    func keepAtHand(seconds: Int) -> Bool { wait(timeout: .now() + .seconds(seconds)) == .success }
}
