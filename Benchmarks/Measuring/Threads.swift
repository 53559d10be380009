// Threads that belong to no pool.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Runs `body` on that many threads of its own, and waits for all of them.
func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    final class Work {
        let run: () -> Void
        init(run: @escaping () -> Void) { self.run = run }
    }
    let threads = (0..<count).map { index in
        let work = Unmanaged.passRetained(Work { body(index) }).toOpaque()
        #if canImport(Darwin)
        var thread: pthread_t?
        pthread_create(
            &thread, nil,
            {
                Unmanaged<Work>.fromOpaque($0).takeRetainedValue().run(); return nil
            }, work)
        return thread!
        #else
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            {
                Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().run(); return nil
            }, work)
        return thread
        #endif
    }
    for thread in threads { pthread_join(thread, nil) }
}
