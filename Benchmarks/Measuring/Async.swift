// The way from the main thread, which may block, into asynchronous work and back.

import Dispatch
import Synchronization

/// Runs asynchronous work off the main thread, and blocks until it is done. The time in it is told by the work itself.
func blocking(_ body: @escaping @Sendable () async throws -> Double) throws -> Double {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Double, any Error>>(.success(0))
    Task.detached {
        let outcome: Result<Double, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        result.withLock { $0 = outcome }
        done.signal()
    }
    done.wait()
    return try result.withLock { $0 }.get()
}

/// How long `body` took, in nanoseconds.
func timed(_ body: () async throws -> Void) async rethrows -> Double {
    let begin = Clock.now
    try await body()
    return Double(Clock.now - begin)
}
