// A thing to wait for once: a blocked thread or a suspended task, released by whoever comes first.

import Dispatch
import Synchronization

/// One wait of one thread or task.
///
/// It may be fired before, while, or after it is waited for, and any number of times; the first firing counts.
package final class Signal: @unchecked Sendable {
    // Unchecked for `waiter`: who waits writes it, then says so in `phase`; who fires reads it if the phase said so.

    package enum Cause: UInt8, Sendable {
        /// What was waited for has come.
        case released
        /// The waiting task was cancelled.
        case cancelled
        case timedOut
    }

    private enum Waiter {
        case task(UnsafeContinuation<Cause, Never>)
        case thread(DispatchSemaphore)
    }

    /// `quiet`, `waiting`, or `fired` and the cause.
    private let phase = Atomic(Signal.quiet)
    private var waiter: Waiter?

    private static let quiet: UInt8 = 0
    private static let waiting: UInt8 = 1
    private static let fired: UInt8 = 2

    package init() {}

    package func fire(_ cause: Cause = .released) {
        var known = phase.load(ordering: .acquiring)
        while known < Self.fired {
            let (exchanged, current) = phase.compareExchange(
                expected: known, desired: Self.fired + cause.rawValue, successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
            if exchanged { return known == Self.waiting ? release(cause) : () }
            known = current
        }
    }

    private func release(_ cause: Cause) {
        switch waiter.unsafelyUnwrapped {
        case .task(let continuation): continuation.resume(returning: cause)
        case .thread(let semaphore): semaphore.signal()
        }
    }

    /// Why the signal was fired; nil before that.
    package var cause: Cause? { Self.cause(phase.load(ordering: .acquiring)) }

    private static func cause(_ phase: UInt8) -> Cause? { phase < fired ? nil : Cause(rawValue: phase - fired) }

    /// Notes who waits; false if there is nothing to wait for any more.
    private func attach(_ waiter: Waiter) -> Bool {
        self.waiter = waiter
        return phase.compareExchange(expected: Self.quiet, desired: Self.waiting, ordering: .acquiringAndReleasing).exchanged
    }

    /// Blocks the calling thread until the signal is fired, wherever that thread is. Waits go through `block(at:until:)`.
    package func block() {
        if cause != nil { return }
        let semaphore = DispatchSemaphore(value: 0)
        if attach(.thread(semaphore)) { semaphore.wait() }
    }

    /// Blocks the calling thread in the manner of its queue's place, or of `other` if it is no queue's. The place of a test harness may
    /// give up on a wait that can never end; then there is no cause.
    package func block(at other: (any Workplace)?, until deadline: UInt64? = nil) {
        if let place = ThreadContext.current?.engine?.takeUnretainedValue().place ?? other {
            place.block(self, until: deadline)
        } else {
            block()
        }
    }

    /// Blocks the calling thread as a job's wait does: a worker that is needed elsewhere makes room for another one meanwhile.
    package func blockWorker() {
        if let context = ThreadContext.current { context.block(self, at: nil) } else { block() }
    }

    /// Suspends the calling task until the signal is fired.
    package func suspend() async -> Cause {
        if let cause { return cause }
        return await withUnsafeContinuation { continuation in
            if !attach(.task(continuation)) { continuation.resume(returning: cause.unsafelyUnwrapped) }
        }
    }
}
