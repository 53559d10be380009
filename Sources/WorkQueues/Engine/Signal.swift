// A thing to wait for once: a blocked thread or a suspended task, released by whoever comes first.

import Dispatch

/// One wait of one thread or task.
///
/// It may be fired before, while, or after it is waited for, and any number of times; the first firing counts.
package final class Signal: Sendable {
    package enum Cause: Sendable {
        /// What was waited for has come.
        case released
        /// The waiting task was cancelled.
        case cancelled
        case timedOut
    }

    private enum Phase: Sendable {
        case quiet
        case suspended(CheckedContinuation<Cause, Never>)
        case fired(Cause)
    }

    private let phase = Locked(Phase.quiet)
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func fire(_ cause: Cause = .released) {
        let (isFirst, continuation) = phase.withLock { phase -> (Bool, CheckedContinuation<Cause, Never>?) in
            switch phase {
            case .quiet:
                phase = .fired(cause)
                return (true, nil)
            case .suspended(let continuation):
                phase = .fired(cause)
                return (true, continuation)
            case .fired: return (false, nil)
            }
        }
        guard isFirst else { return }
        if let continuation { continuation.resume(returning: cause) } else { semaphore.signal() }
    }

    /// Why the signal was fired; nil before that.
    package var cause: Cause? {
        phase.withLock { phase in
            guard case .fired(let cause) = phase else { return nil }
            return cause
        }
    }

    /// Blocks the calling thread until the signal is fired, wherever that thread is. Waits go through `block(at:until:)`.
    package func block() { semaphore.wait() }

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
        await withCheckedContinuation { continuation in
            let early = phase.withLock { phase -> Cause? in
                if case .fired(let cause) = phase { return cause }
                phase = .suspended(continuation)
                return nil
            }
            if let early { continuation.resume(returning: early) }
        }
    }
}
