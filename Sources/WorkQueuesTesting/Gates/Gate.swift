// A point at which a test holds a job.

import WorkQueues

/// Holds jobs at a point of their work until the test lets them on; and tells the test when they have come there.
///
/// ```swift
/// let gate = Gate("half way")
/// let job = queue.addJob {
///     try gate.wait()
///     return 42
/// }
/// try gate.waitForArrival()  // the job is executing, and stays where it is
/// job.cancel()
/// gate.open()
/// ```
///
/// A gate is closed at first, opened once, and stays open. In a synchronous body `wait()` blocks the worker's thread; in an asynchronous
/// one `try await gate.wait()` suspends the task. Either way the job goes on executing and keeps its slot. Cancelling a job does not open
/// the gate before it, so that a test can look at a job that was cancelled and has not yet noticed.
///
/// **A gate that stays shut.** Nobody waits at a gate for ever: after its `patience`, 60 s of real time unless told otherwise, each wait
/// throws an `ExpectationFailure` that says which gate it was. So a job whose gate is never opened, because the test forgot or returned
/// early, fails with that error as its outcome, and a test that waits for a job that never comes fails with it itself. In a `main()`, which
/// cannot throw, hand it on: `do { try gate.wait() } catch { fail(with: error) }`. Dropping a gate opens nothing: whoever waits at it
/// holds it, and goes on holding it until the patience is over.
///
/// **Threads.** Everything may be called from any thread or task, in any order, any number of times. A test that blocks the main thread
/// in `waitForArrival()` waits in vain for a job of `WorkQueue.main`: it awaits instead.
public final class Gate: Sendable, CustomStringConvertible {
    private struct State: Sendable {
        var isOpen = false
        var arrivals = 0
        var held: [GateWait] = []
        var watchers: [(count: Int, wait: GateWait)] = []
    }

    /// What failures call it.
    public let name: String?
    /// How long a wait lasts at most.
    public let patience: Duration
    private let state = Locked(State())

    /// Makes a gate that is closed.
    public init(_ name: String? = nil, patience: Duration = .seconds(60)) {
        self.name = name
        self.patience = patience
    }

    // MARK: For the job

    /// Arrives, and blocks the calling thread until the gate is open.
    ///
    /// - Throws: `ExpectationFailure` if it stays shut.
    @available(*, noasync)
    public func wait() throws(ExpectationFailure) {
        guard let wait = arrive() else { return }
        if !wait.block() { throw staysShut(wait) }
    }

    /// Arrives, and suspends the calling task until the gate is open, also if the task is cancelled.
    ///
    /// - Throws: `ExpectationFailure` if it stays shut.
    public func wait() async throws(ExpectationFailure) {
        guard let wait = arrive() else { return }
        if await !wait.suspend() { throw staysShut(wait) }
    }

    // MARK: For the test

    /// Lets on whoever waits, and whoever will come.
    public func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for wait in held { wait.release() }
    }

    /// Blocks the calling thread until so many waits have arrived at the gate, counted from its making, also those let on since.
    ///
    /// - Throws: `ExpectationFailure` if they do not come.
    @available(*, noasync)
    public func waitForArrival(count: Int = 1) throws(ExpectationFailure) {
        guard let wait = watch(for: count) else { return }
        if !wait.block() { throw nobodyCame(wait, count) }
    }

    /// Suspends the calling task until so many waits have arrived at the gate, counted from its making, also those let on since.
    ///
    /// - Throws: `ExpectationFailure` if they do not come.
    public func waitForArrival(count: Int = 1) async throws(ExpectationFailure) {
        guard let wait = watch(for: count) else { return }
        if await !wait.suspend() { throw nobodyCame(wait, count) }
    }

    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// How many waits have arrived so far.
    public var arrivals: Int { state.withLock { $0.arrivals } }

    public var description: String {
        let title = name.map { " \"\($0)\"" } ?? ""
        return state.withLock { "gate\(title) (\($0.isOpen ? "open" : "closed"), arrivals: \($0.arrivals))" }
    }

    // MARK: The bookkeeping

    /// Counts an arrival; nil if the gate is open.
    private func arrive() -> GateWait? {
        let (wait, arrived) = state.withLock { state -> (GateWait?, [GateWait]) in
            state.arrivals += 1
            let arrivals = state.arrivals
            let arrived = state.watchers.filter { $0.count <= arrivals }.map(\.wait)
            state.watchers.removeAll { $0.count <= arrivals }
            if state.isOpen { return (nil, arrived) }
            let wait = GateWait(patience: patience)
            state.held.append(wait)
            return (wait, arrived)
        }
        for watcher in arrived { watcher.release() }
        return wait
    }

    /// Nil if they have come already.
    private func watch(for count: Int) -> GateWait? {
        state.withLock { state in
            if state.arrivals >= count { return nil }
            let wait = GateWait(patience: patience)
            state.watchers.append((count, wait))
            return wait
        }
    }

    private func staysShut(_ wait: GateWait) -> ExpectationFailure {
        state.withLock { state in state.held.removeAll { $0.signal === wait.signal } }
        return ExpectationFailure("The \(self) was to be opened, but stayed shut for \(patience).")
    }

    private func nobodyCame(_ wait: GateWait, _ count: Int) -> ExpectationFailure {
        state.withLock { state in state.watchers.removeAll { $0.wait.signal === wait.signal } }
        return ExpectationFailure(
            "At the \(self) \(count == 1 ? "a job was" : "\(count) jobs were") to arrive, but not within \(patience).")
    }
}
