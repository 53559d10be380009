// Cancellation: a request that is honoured once, by whoever comes first.

import SchedulingCore
import Synchronization

extension Job {
    /// Cancels the job for a reason; the first reason counts. Calls `cancel()`; an override that does not call `super.cancel()` does
    /// not stop it.
    public final func cancel(reason: CancellationReason) {
        noteReason(reason)
        cancel()
        if !isCancelled { performCancel() }
    }

    /// Runs `body` on the canceller's thread when the job is cancelled, once; at once, on this thread, if it is cancelled already. If
    /// the job ends uncancelled, `body` is released without having run.
    public final func onCancel(_ body: @escaping @Sendable (CancellationReason) -> Void) {
        let reason = extrasOrNew.contents.withLock { contents -> CancellationReason? in
            let state = jobState
            if state.isCancelled { return contents.reason ?? .requested }
            if !state.isFinished { contents.cancelHandlers.append(body) }
            return nil
        }
        if let reason { body(reason) }
    }

    /// Does what `cancel(reason:)` does to the word of a job in this queue, if that is all there is to do but its end: no override, no
    /// handler, no observer, no reason to be noted. Otherwise nil, and nothing was done.
    final func cancelUnnoticed(on engine: QueueEngine, reason: CancellationReason) -> JobState.Cancellation? {
        guard reason == .requested, isBareClosure || MethodOverride.ofCancel.isAbsent(in: type(of: self)) else { return nil }
        return cancelWithoutExtras(on: engine)
    }

    /// One change of the word, if that is all: without extras no reason was noted and, if nobody observes the queue, nobody is told.
    private final func cancelWithoutExtras(on engine: QueueEngine?) -> JobState.Cancellation? {
        if engine?.hub.isObserved ?? false { return nil }
        return update { state in state.hasExtras ? nil : state.cancel() }
    }

    /// The base `cancel()`.
    final func performCancel() {
        let engine = watchingEngine
        switch markCancelled(on: engine) {
        case .ignored: return
        case .flagged, .executing:
            deliverNews(as: .foreign, on: engine)
            runCancelHandlers()
        case .owesEnd:
            // The job cannot leave its queue before it is handed over; but the queue may give it back, if it was one of a batch that was
            // refused. The news first, so that no worker delivers it in this thread's place.
            let owner = QueueDirectory.shared.engine(queueID)
            deliverNews(as: .foreign, on: engine)
            runCancelHandlers()
            owner?.handOver(unstarted: self)
        }
    }

    /// A dependency that was required to succeed did not.
    final func cancel(because verdict: Verdict) {
        // One that was cancelled before ends as cancelled: the first reason counts.
        if case .failed(let root, let error) = verdict, !isCancelled { fail(with: JobError.dependencyFailed(root: root, error: error)) }
        cancel(reason: .dependency(verdict.root))
    }

    private final func noteReason(_ reason: CancellationReason) {
        let state = jobState
        if state.isFinished || state.isCancelled || (reason == .requested && !state.hasExtras) { return }
        extrasOrNew.contents.withLock { contents in
            if contents.reason == nil && !self.jobState.isCancelled { contents.reason = reason }
        }
    }

    private final func markCancelled(on engine: QueueEngine?) -> JobState.Cancellation {
        if let cancellation = cancelWithoutExtras(on: engine) { return cancellation }
        return extrasOrNew.contents.withLock { contents in
            let cancellation = update { $0.cancel() }
            guard cancellation != .ignored else { return .ignored }
            let reason = contents.reason ?? .requested
            contents.reason = reason
            guard isWatched(by: engine) else { return cancellation }
            let stamp = engine?.hub.isObserved ?? false ? engine.unsafelyUnwrapped.hub.stamp() : 0
            contents.letters.append(.news(.event(.cancelRequested(reason)), stamp: stamp))
            contents.letters.append(.news(.changed(.isCancelled), stamp: stamp))
            contents.letters.append(.news(.changed(.isReady), stamp: stamp))
            return cancellation
        }
    }

    /// Ties the task of an asynchronous body to the job: a cancel of the job cancels it, also one that came before.
    final func tie(_ task: Task<Void, Never>) {
        let isCancelled = extrasOrNew.contents.withLock { contents in
            let state = jobState
            if !state.isCancelled && !state.isFinished { contents.task = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    private final func runCancelHandlers() {
        guard let extras else { return }
        let (task, handlers, reason) = extras.contents.withLock { contents in
            defer { contents.cancelHandlers = [] }
            return (contents.task, contents.cancelHandlers, contents.reason ?? .requested)
        }
        task?.cancel()
        for handler in handlers { handler(reason) }
    }
}
