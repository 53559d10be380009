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

    /// Blocks the calling thread until the signal is fired.
    package func block() -> Cause {
        semaphore.wait()
        return phase.withLock { phase in
            guard case .fired(let cause) = phase else { return .released }
            return cause
        }
    }

    /// Blocks the calling thread; a worker that is needed elsewhere makes room for another one meanwhile.
    package func blockWorker() -> Cause {
        guard let context = ThreadContext.current else { return block() }
        return context.block(self)
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
