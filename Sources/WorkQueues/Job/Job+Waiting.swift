// Waiting for the end of a job.

import SchedulingCore

extension Job {
    /// Blocks the calling thread until the job has ended and left its queue.
    ///
    /// Called in the body or a completion of another job, it lends that job's slot meanwhile, so a job may wait for one of its own
    /// queue. A wait that could never end is reported as misuse and returns at once.
    @available(*, noasync)
    public final func waitUntilFinished() {
        do { try JobWait(for: self).block() } catch { Misuse.report(error) }
    }

    /// Blocks the calling thread until the job has ended, at most for `timeout`; the caller keeps its slot. True if the job has ended.
    @available(*, noasync)
    public final func waitUntilFinished(timeout: Duration) -> Bool {
        JobWait(for: self).block(timeout: timeout)
    }

    /// Waits until the job has ended and left its queue, also if the waiting task is cancelled meanwhile.
    ///
    /// In the body of an asynchronous job, on its own task, it lends that job's slot meanwhile. A wait that could never end is reported
    /// as misuse and returns at once, with the outcome `.cancelled` if there is none yet.
    @discardableResult
    public final func waitUntilFinished() async -> Outcome {
        if jobState.isSettled, let outcome { return outcome }
        do { try await JobWait(for: self).suspend(isCancellable: false) } catch {
            if let error = error as? JobError { Misuse.report(error) }
        }
        return outcome ?? .cancelled(.custom("the wait could never end"))
    }

    /// Waits until the job has ended, at most for `timeout`. True if the job has ended.
    public final func waitUntilFinished(timeout: Duration) async -> Bool {
        await JobWait(for: self).suspend(timeout: timeout)
    }
}

/// What a thread or task can wait for.
protocol Awaitable {
    /// Registers a waiter; false if there is nothing to wait for any more. `lender` has lent its slot for the wait.
    func attach(_ signal: Signal, _ lender: Lender?) -> Bool
    func detach(_ signal: Signal, _ lender: Lender?)
    /// Whether the end of what is waited for is under way in the caller's own hands, so that there is nothing to wait for.
    func isOver(for turn: Turn?) -> Bool
    /// Refuses a wait that could never end. False if there is nothing to wait for.
    func check(_ turn: Turn?) throws(JobError) -> Bool
    /// The wait that was checked is over.
    func forget(_ turn: Turn)
    /// Tries to do what is waited for on the waiter's own thread; false if that is not possible.
    func help(_ turn: Turn) -> Bool
    /// The queue of what is waited for, if it has one.
    var host: QueueEngine? { get }
    var title: String { get }
}

extension Awaitable {
    private var time: any TimeSource { host?.time ?? DispatchTimeSource.shared }

    func block() throws(JobError) {
        let turn = Turn.current
        guard try check(turn) else { return }
        guard let turn, let engine = turn.engine else { return blockPlainly(turn) }
        defer { forget(turn) }
        let signal = Signal()
        switch engine.lend(slotOf: turn.job, blocksThread: true) {
        case .lent(let lender):
            if attach(signal, lender) { ThreadContext.currentOrNew.block(signal, at: host?.place) }
            engine.takeBackBlocking(lender)
            return
        case .refused:
            if help(turn) { return }
            Misuse.report(
                "\(turn.job) waits for \(title) and keeps its slot.",
                cause: "its queue runs on an underlying queue, or \(QueueEngine.maxBlockedLenders) of its jobs wait already.",
                remedy: "make what follows the wait a job that depends on it.")
        case .nothingToLend: break
        }
        if attach(signal, nil) { ThreadContext.currentOrNew.block(signal, at: host?.place) }
    }

    private func blockPlainly(_ turn: Turn?) {
        let signal = Signal()
        if attach(signal, nil) { signal.block(at: host?.place) }
        if let turn { forget(turn) }
    }

    func block(timeout: Duration) -> Bool {
        let signal = Signal()
        guard !isOver(for: Turn.current), attach(signal, nil) else { return true }
        let (host, time) = (host, time)
        let deadline = time.deadline(after: timeout)
        let timer = time.schedule(at: deadline) { signal.fire(.timedOut) }
        signal.block(at: host?.place, until: deadline)
        time.cancel(timer)
        if signal.cause == .released { return true }
        detach(signal, nil)
        return false
    }

    /// Throws `CancellationError` if the wait is cancellable and its task was cancelled.
    func suspend(isCancellable: Bool) async throws {
        let turn = Turn.current
        guard try check(turn) else { return }
        var lender: Lender?
        if let turn, case .lent(let lent)? = turn.engine?.lend(slotOf: turn.job, blocksThread: false) { lender = lent }
        let signal = Signal()
        var cause = Signal.Cause.released
        if attach(signal, lender) {
            if isCancellable {
                cause = await withTaskCancellationHandler {
                    await signal.suspend()
                } onCancel: {
                    signal.fire(.cancelled)
                }
            } else {
                cause = await signal.suspend()
            }
            if cause == .cancelled { detach(signal, lender) }
        }
        if let lender { await lender.engine.takeBackSuspending(lender) }
        if let turn { forget(turn) }
        if cause == .cancelled { throw CancellationError() }
    }

    func suspend(timeout: Duration) async -> Bool {
        let signal = Signal()
        guard !isOver(for: Turn.current), attach(signal, nil) else { return true }
        let time = time
        let timer = time.schedule(at: time.deadline(after: timeout)) { signal.fire(.timedOut) }
        let cause = await signal.suspend()
        time.cancel(timer)
        guard cause == .timedOut else { return true }
        detach(signal, nil)
        return false
    }
}

/// A wait for the end of a job.
struct JobWait: Awaitable {
    let target: Job

    init(for target: Job) { self.target = target }

    var host: QueueEngine? { target.jobState.isQueued ? QueueDirectory.shared.engine(target.queueID) : nil }
    var title: String { "\(target)" }

    func attach(_ signal: Signal, _ lender: Lender?) -> Bool {
        if target.jobState.isSettled { return false }
        let extras = target.extrasOrNew
        return extras.contents.withLock { contents in
            if target.jobState.isSettled { return false }
            contents.waiters.append(signal)
            if let lender { contents.lenders.append(lender) }
            return true
        }
    }

    func detach(_ signal: Signal, _ lender: Lender?) {
        target.extras?.contents.withLock { contents in
            contents.waiters.removeAll { $0 === signal }
            if let lender { contents.lenders.removeAll { $0 === lender } }
        }
    }

    func check(_ turn: Turn?) throws(JobError) -> Bool {
        if target.jobState.isSettled { return false }
        guard let turn else {
            if Platform.isMainThread, target.jobState.isQueued, target.queueID == WorkQueue.main.engine.id {
                throw .wouldDeadlock(nil, "\(target) of WorkQueue.main")
            }
            return true
        }
        if turn.job === target {
            if isOver(for: turn) { return false }
            throw .wouldDeadlock(turn.job, "itself")
        }
        guard DependencyRegistry.shared.addWait(of: turn.job, for: target) else {
            throw .wouldDeadlock(turn.job, "\(target), which waits for it")
        }
        return true
    }

    /// From its own completions and observers a wait for a job returns at once.
    func isOver(for turn: Turn?) -> Bool { turn?.job === target && target.jobState.isFinished }

    func forget(_ turn: Turn) { DependencyRegistry.shared.removeWait(of: turn.job, for: target) }

    func help(_ turn: Turn) -> Bool {
        guard let engine = turn.engine, target.jobState.isQueued, target.queueID == engine.id else { return false }
        guard engine.runInside(target, waiter: turn.job) else { return false }
        return target.jobState.isSettled
    }
}

extension Job {
    /// Who lent a slot of `engine` to wait for this job.
    final func lenders(on engine: QueueEngine) -> [Lender] {
        guard let extras else { return [] }
        return extras.contents.withLock { $0.lenders.isEmpty ? [] : $0.lenders.filter { $0.engine === engine } }
    }
}
