// What a job carries only when somebody asked for it: a name, completions, waiters, observers.

import SchedulingCore
import Synchronization

/// The rarely used part of a job, made when first needed, with the only lock a job can have.
final class JobExtras: Sendable {
    // Everything in here is Sendable but for the optional DispatchQoS.QoSClass-like plain values and closures, which are only touched
    // under the lock.
    struct Contents: @unchecked Sendable {
        var name: String?
        /// Why the job was, or is about to be, cancelled.
        var reason: Job.CancellationReason?
        /// The error that decides the outcome; counts when the state word says failed.
        var error: (any Error)?

        var completions = Fifo<@Sendable (Job.Outcome) -> Void>()
        var completionBlock: (@Sendable () -> Void)?
        /// The closure of an asynchronous job, in a box.
        var asynchronousBody: AnyObject?
        /// All completions ran; a new one runs at once.
        var completionsClosed = false

        var cancelHandlers: [@Sendable (Job.CancellationReason) -> Void] = []

        var waiters: [Signal] = []
        /// Waiters that lent a slot for this wait.
        var lenders: [Lender] = []

        var observations: [any PropertyObservation] = []
        var letters = Fifo<Letter>()
        /// One thread at a time delivers the letters.
        var isDelivering = false
    }

    let contents = Locked(Contents())
    /// Whether `observations` has members.
    let isObserved = Atomic(false)
    /// The stamp at which the job became ready, if that news is not in the mailbox yet; 0 if there is none.
    let pendingReady = Atomic<UInt64>(0)
}

extension JobExtras {
    func attach(_ waiter: Signal) { contents.withLock { $0.waiters.append(waiter) } }

    func detach(_ waiter: Signal) {
        contents.withLock { contents in
            if let index = contents.waiters.firstIndex(where: { $0 === waiter }) { contents.waiters.remove(at: index) }
        }
    }
}
