// How a gate waits: the one place where the hand tools block a thread or suspend a task.

import WorkQueues

/// One wait of one thread or task, which ends when it is released or has lasted too long.
struct GateWait: Sendable {
    let signal = Signal()
    /// In real time, whatever clock a queue has: it is for tests that would hang.
    let patience: Duration

    func release() { signal.fire() }

    /// Blocks the calling thread; false if that lasted too long.
    func block() -> Bool {
        let alarm = Alarm(after: patience) { [signal] in signal.fire(.timedOut) }
        defer { alarm.cancel() }
        signal.blockWorker()
        return signal.cause == .released
    }

    /// Suspends the calling task, also if it is cancelled; false if that lasted too long.
    func suspend() async -> Bool {
        let alarm = Alarm(after: patience) { [signal] in signal.fire(.timedOut) }
        defer { alarm.cancel() }
        return await signal.suspend() != .timedOut
    }
}

/// A timer on the system's clock.
private struct Alarm {
    private let time = DispatchTimeSource.shared
    private let timer: UInt64

    init(after duration: Duration, _ action: @escaping @Sendable () -> Void) {
        timer = time.schedule(at: time.deadline(after: duration), action)
    }

    func cancel() { time.cancel(timer) }
}
