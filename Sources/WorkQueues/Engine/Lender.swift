// Lending: a job that waits for another one lets somebody else use its slot meanwhile.

import SchedulingCore

/// One lent slot.
final class Lender: @unchecked Sendable {
    // The variables belong to the lock of `engine`.
    let engine: QueueEngine
    let handle: Handle
    /// The job's number in its queue: a handle may be somebody else's once the job has left.
    let sequence: UInt64
    /// Fired when the slot is granted.
    let signal = Signal()
    /// The slot is lent, and the job has not asked for it back.
    var isLent = true
    /// The job has its slot back.
    var isBack = false

    init(engine: QueueEngine, handle: Handle, sequence: UInt64) {
        self.engine = engine
        self.handle = handle
        self.sequence = sequence
    }
}

extension QueueEngine {
    /// Blocked waiters of a queue that may have lent their slots at once; each costs a thread.
    static let maxBlockedLenders = 64

    enum Loan {
        case lent(Lender)
        /// The job holds no slot.
        case nothingToLend
        /// The waiter would block a thread, and that may be one too many.
        case refused
    }

    /// Lends the slot of a job that is about to wait.
    func lend(slotOf job: Job, blocksThread: Bool) -> Loan {
        decide { state, _ in
            guard job.handle != .none, state.machine.standing(of: job.handle) == .executing else { return .nothingToLend }
            if blocksThread && (self.place.mayBeSerial || state.machine.lending >= Self.maxBlockedLenders) { return .refused }
            state.machine.lend(job.handle)
            return .lent(Lender(engine: self, handle: job.handle, sequence: state.machine.sequence(of: job.handle)))
        }
    }

    /// Whether the job waits and has lent its slot.
    package func isLending(_ job: Job) -> Bool {
        decide { state, _ in job.handle != .none && state.machine.standing(of: job.handle) == .lending }
    }

    /// The wait is over; true if the job may go on at once, false if it must wait for the lender's signal.
    private func takeBack(_ lender: Lender) -> Bool {
        decide { state, orders in
            state.takeBack([lender], &orders)
            return lender.isBack
        }
    }

    func takeBackBlocking(_ lender: Lender) {
        if !takeBack(lender) { lender.signal.block(at: place) }
    }

    func takeBackSuspending(_ lender: Lender) async {
        if !takeBack(lender) { _ = await lender.signal.suspend() }
    }

    /// Runs a ready job of this queue on the thread of `waiter`, which waits for it and gives it its slot meanwhile. False if the job
    /// cannot start.
    func runInside(_ job: Job, waiter: Job) -> Bool {
        let claim = decide { state, _ -> (Unmanaged<Job>, Lender)? in
            guard job.queueID == self.id, job.handle != .none, waiter.handle != .none,
                state.machine.swap(waiter.handle, for: job.handle)
            else { return nil }
            guard job.update({ $0.claim() }) == .begun else {
                state.machine.undoSwap(waiter.handle, for: job.handle)
                return nil
            }
            let lender = Lender(engine: self, handle: waiter.handle, sequence: state.machine.sequence(of: waiter.handle))
            return (state.reference(job.handle), lender)
        }
        guard let (claimed, lender) = claim else { return false }
        runNested(claimed)
        takeBackBlocking(lender)
        return true
    }
}
