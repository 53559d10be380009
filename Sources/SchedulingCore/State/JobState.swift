// The one word that holds a job's phase and flags: the names of its bits and every change that may be made to it.

/// The state of a job as a value of 64 bits.
///
/// The engine keeps it in one atomic word per job and changes it by compare-and-exchange, so each method here is one indivisible event. Two
/// threads that race (a claim against a cancel, a finish against another) are ordered by that word alone: whoever comes second sees in the
/// result that it did.
@usableFromInline
package struct JobState: RawRepresentable, Equatable, Sendable {
    @usableFromInline package var rawValue: UInt64

    @inlinable
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// A new job: created, and not yet asked whether it is ready.
    @inlinable
    package init() { rawValue = Self.held }

    // Bits 0-2: the phase. Bits 3-19: flags. Bits 20-27: a count of `isReady` posts. Bits 28-31: a count of added edges. Bits 32-63:
    // the number of unmet edges.
    @usableFromInline static let phaseMask: UInt64 = 0b111
    /// A queue accepted the job.
    @usableFromInline static let queued: UInt64 = 1 << 3
    @usableFromInline static let cancelled: UInt64 = 1 << 4
    /// An error is noted in the job's extras; once the job is finished, its outcome is that error.
    @usableFromInline static let failed: UInt64 = 1 << 5
    /// Completions, waiters, observers or the like may be attached to the job.
    @usableFromInline static let extras: UInt64 = 1 << 6
    /// The job has a node in the dependency graph.
    @usableFromInline static let node: UInt64 = 1 << 7
    /// The edges that point at the job have been resolved; a new one is settled at once.
    @usableFromInline static let resolved: UInt64 = 1 << 8
    /// Step 3 has been taken; a new waiter returns at once.
    @usableFromInline static let settled: UInt64 = 1 << 9
    /// The job is leaving its queue: completions have run, and a new one runs at once.
    @usableFromInline static let closed: UInt64 = 1 << 13
    /// A thread is inside `start()`; it takes care of an end that comes meanwhile.
    @usableFromInline static let inStart: UInt64 = 1 << 10
    /// `isReady` was not asked since the last edge was added, or said no.
    @usableFromInline static let held: UInt64 = 1 << 11
    /// Somebody has taken it upon himself to hand the unstarted job to a worker that ends it.
    @usableFromInline static let endOwed: UInt64 = 1 << 12
    /// The job ended before registration: it is handed to a worker when it is registered.
    @usableFromInline static let endOnArrival: UInt64 = 1 << 14
    /// A queue is about to accept the job; no other one may.
    @usableFromInline static let reserved: UInt64 = 1 << 15
    @usableFromInline static let onePost: UInt64 = 1 << 20
    @usableFromInline static let oneAddedEdge: UInt64 = 1 << 28
    @usableFromInline static let postMask: UInt64 = 0xFFF << 20
    @usableFromInline static let oneEdge: UInt64 = 1 << 32

    @inlinable
    package var phase: JobPhase {
        get { JobPhase(rawValue: UInt8(truncatingIfNeeded: rawValue & Self.phaseMask)).unsafelyUnwrapped }
        set { rawValue = rawValue & ~Self.phaseMask | UInt64(newValue.rawValue) }
    }

    @inlinable
    func has(_ bit: UInt64) -> Bool { rawValue & bit != 0 }

    @inlinable package var isQueued: Bool { has(Self.queued) }
    @inlinable package var isCancelled: Bool { has(Self.cancelled) }
    @inlinable package var isFailed: Bool { has(Self.failed) }
    @inlinable package var hasExtras: Bool { has(Self.extras) }
    @inlinable package var hasNode: Bool { has(Self.node) }
    @inlinable package var isResolved: Bool { has(Self.resolved) }
    @inlinable package var isSettled: Bool { has(Self.settled) }
    @inlinable package var isClosed: Bool { has(Self.closed) }
    @inlinable package var isHeld: Bool { has(Self.held) }
    @inlinable package var isEndOwed: Bool { has(Self.endOwed) }
    @inlinable package var isInStart: Bool { has(Self.inStart) }
    @inlinable package var endsOnArrival: Bool { has(Self.endOnArrival) }
    @inlinable package var isFinished: Bool { rawValue & Self.phaseMask == UInt64(JobPhase.finished.rawValue) }
    @inlinable package var unmetEdges: Int { Int(rawValue >> 32) }
    @inlinable package var posts: UInt16 { UInt16(truncatingIfNeeded: (rawValue & Self.postMask) >> 20) }

    /// Whether the job's own rule says it could start: what `isReady` of the base class answers.
    @inlinable package var isBaseReady: Bool { unmetEdges == 0 || isCancelled }

    /// Whether nothing but the answer of `isReady` is missing.
    @inlinable package var awaitsAnswer: Bool { phase == .waiting && unmetEdges == 0 && isHeld && !isCancelled }
}

// MARK: - Entering a queue

extension JobState {
    @usableFromInline
    package enum Reservation: Sendable { case reserved, alreadyAdded, alreadyStarted, alreadyFinished }

    /// A queue wants the job; of several, one gets it.
    @inlinable
    package mutating func reserve() -> Reservation {
        if isFinished { return .alreadyFinished }
        if isQueued || has(Self.reserved) { return .alreadyAdded }
        if phase == .executing || isInStart { return .alreadyStarted }
        rawValue |= Self.reserved
        return .reserved
    }

    @usableFromInline
    package enum Acceptance: Sendable { case accepted, ready, alreadyFinished, alreadyStarted }

    /// The queue that reserved the job takes it. `isPlain` says that nothing overrides `isReady`, so that it need not be asked.
    @inlinable
    package mutating func accept(isPlain: Bool) -> Acceptance {
        if isFinished { return .alreadyFinished }
        if phase == .executing || isInStart { return .alreadyStarted }
        rawValue |= Self.queued
        if isCancelled { rawValue |= Self.endOwed | Self.endOnArrival }
        guard isPlain, unmetEdges == 0 else {
            phase = .waiting
            return .accepted
        }
        rawValue &= ~Self.held
        phase = .ready
        return .ready
    }

    /// The queue gives the job back, because it or another one of its batch was refused. True if the job ended itself meanwhile, so
    /// that the caller owes the rest of that end.
    package mutating func withdraw() -> Bool {
        let wasQueued = isQueued
        rawValue &= ~(Self.queued | Self.reserved | Self.endOwed | Self.endOnArrival)
        if !wasQueued { return false }
        if isFinished { return true }
        rawValue |= Self.held
        phase = .created
        return false
    }
}

// MARK: - Becoming ready

extension JobState {
    /// One more edge must be met before the job may start.
    @usableFromInline
    package enum EdgeAdmission: Sendable { case added, alreadyStarted, alreadyFinished }

    @inlinable
    package mutating func addUnmetEdge() -> EdgeAdmission {
        switch phase {
        case .finished: return .alreadyFinished
        case .executing: return .alreadyStarted
        case .created, .waiting, .ready: if isInStart { return .alreadyStarted }
        }
        if phase == .ready { phase = .waiting }
        rawValue += Self.oneEdge
        rawValue |= Self.held
        // An answer that was asked for before the edge does not count after it.
        countNews(Self.oneAddedEdge)
        return .added
    }

    @usableFromInline
    package enum Meeting: Sendable { case ready, askable, unmet }

    /// An edge of a queued job was met. `isPlain` says that nothing overrides `isReady`, so that it need not be asked.
    @inlinable
    package mutating func meetEdge(isPlain: Bool) -> Meeting {
        rawValue -= Self.oneEdge
        guard awaitsAnswer else { return .unmet }
        guard isPlain else { return .askable }
        rawValue &= ~Self.held
        phase = .ready
        return .ready
    }

    /// An edge of a job in no queue was met. False, and nothing changed, if it is in one.
    @inlinable
    package mutating func meetEdgeOutsideQueues() -> Bool {
        if isQueued { return false }
        rawValue -= Self.oneEdge
        return true
    }

    /// An edge was met or taken away; true if the answer of `isReady` is now all that a queued job lacks.
    @inlinable
    package mutating func removeUnmetEdge() -> Bool {
        rawValue -= Self.oneEdge
        return isQueued && awaitsAnswer
    }

    @usableFromInline
    package enum AnswerEffect: Sendable { case becameReady, stillHeld, askAgain, stale }

    /// `isReady` was asked when `posts` posts had been made, and answered.
    @inlinable
    package mutating func answer(_ isReady: Bool, posts: UInt16) -> AnswerEffect {
        guard awaitsAnswer, isQueued else { return .stale }
        // No answer counts if an edge came and went since the question, and a no does not if a post was made.
        let news = posts ^ self.posts
        if news >> 8 != 0 || (!isReady && news != 0) { return .askAgain }
        guard isReady else { return .stillHeld }
        rawValue &= ~Self.held
        phase = .ready
        return .becameReady
    }

    /// `didChangeValue` was called for `isReady`; true if the queue must ask again.
    @inlinable
    package mutating func post() -> Bool {
        countNews(Self.onePost)
        return isQueued && awaitsAnswer
    }

    @inlinable
    mutating func countNews(_ one: UInt64) {
        let mask = one == Self.onePost ? Self.postMask & (Self.oneAddedEdge - 1) : Self.postMask & ~(Self.oneAddedEdge - 1)
        rawValue = rawValue & ~mask | (rawValue &+ one) & mask
    }

    /// The bit to set for a job that ended before it was registered.
    @inlinable package static var markEndOnArrival: UInt64 { endOnArrival }
}

// MARK: - Starting

extension JobState {
    @usableFromInline
    package enum Claim: Sendable { case begun, notReady, cancelled, over }

    /// A worker that holds a slot wants to start the job.
    @inlinable
    package mutating func claim() -> Claim {
        switch phase {
        case .finished: return .over
        case .ready where isCancelled || isEndOwed: return .cancelled
        case .waiting where isCancelled || isEndOwed: return .cancelled
        case .ready:
            phase = .executing
            rawValue |= Self.inStart
            return .begun
        case .created, .waiting, .executing: return .notReady
        }
    }

    @usableFromInline
    package enum HandStart: Sendable { case begun, cancelled, inQueue, alreadyStarted, alreadyFinished, edgesUnmet }

    /// The job is started by hand, outside any queue; one whose work goes on when `start()` returns is ended by whoever finishes it.
    package mutating func startByHand(isAsynchronous: Bool) -> HandStart {
        if isFinished { return .alreadyFinished }
        if phase == .executing || isInStart { return .alreadyStarted }
        if isQueued { return .inQueue }
        if isCancelled {
            rawValue |= Self.inStart
            return .cancelled
        }
        if unmetEdges > 0 { return .edgesUnmet }
        if !isAsynchronous { rawValue |= Self.inStart }
        phase = .executing
        return .begun
    }

    /// A worker calls `start()` of a job that was cancelled before its turn; false if the job is finished already.
    package mutating func enterCancelledStart() -> Bool {
        if isFinished { return false }
        rawValue |= Self.inStart
        return true
    }

    @usableFromInline
    package enum StartReturn: Sendable { case finished, continues }

    /// `start()` returned and the job's work goes on elsewhere, unless it is finished already.
    @inlinable
    package mutating func leaveStart() -> StartReturn {
        rawValue &= ~Self.inStart
        return isFinished ? .finished : .continues
    }

    /// The override of `start()` began work although the job was cancelled.
    package mutating func workDespiteCancellation() -> StartReturn {
        rawValue &= ~Self.inStart
        if isFinished { return .finished }
        phase = .executing
        return .continues
    }
}

// MARK: - Cancelling and ending

extension JobState {
    @usableFromInline
    package enum Cancellation: Sendable { case ignored, flagged, executing, owesEnd }

    /// The base `cancel()` ran.
    @inlinable
    package mutating func cancel() -> Cancellation {
        if isFinished || isCancelled { return .ignored }
        rawValue |= Self.cancelled
        if phase == .executing { return .executing }
        if !isQueued || isEndOwed { return .flagged }
        rawValue |= Self.endOwed
        return .owesEnd
    }

    /// Who does the rest of an end, once its outcome is fixed.
    @usableFromInline
    package enum EndDuty: Sendable {
        /// Another end came first; nothing changed.
        case late
        /// The thread that is inside `start()`.
        case starter
        /// A worker of the queue; the job holds a slot.
        case workerWithSlot
        /// A worker of the queue; the job was never started, and the caller must hand it over.
        case workerWithoutSlot
        /// A worker of the queue; somebody hands the job over already.
        case underway
        /// The caller: the job is in no queue.
        case caller
    }

    /// The outcome is fixed and the job finished. `failed` says that an error is noted in the extras.
    @inlinable
    package mutating func finish(failed: Bool) -> EndDuty {
        if isFinished { return .late }
        let before = phase
        phase = .finished
        if failed { rawValue |= Self.failed } else { rawValue &= ~Self.failed }
        if isInStart { return .starter }
        if before == .executing { return isQueued ? .workerWithSlot : .caller }
        if !isQueued { return .caller }
        if isEndOwed { return .underway }
        rawValue |= Self.endOwed
        return .workerWithoutSlot
    }

    /// An error is noted that decides the outcome unless the job is finished already.
    package mutating func noteFailure() -> Bool {
        if isFinished { return false }
        rawValue |= Self.failed
        return true
    }

    @inlinable package mutating func attachExtras() { rawValue |= Self.extras }
    @inlinable package mutating func attachNode() { rawValue |= Self.node }
    @inlinable package mutating func detachNode() { rawValue &= ~Self.node }

    /// Step 3 of an end, first half: the edges that point at the job are resolved. False if extras were attached since the caller looked:
    /// a completion among them must run before any dependent starts.
    @inlinable
    @discardableResult
    package mutating func resolve(extrasDone: Bool = true) -> Bool {
        if hasExtras && !extrasDone { return false }
        rawValue |= Self.resolved
        return true
    }

    /// Step 3 of an end begins: the job leaves its queue. False if extras or a node were attached since the caller looked, which it has
    /// to see to first. Without a node there is nothing to resolve, and without both nobody waits, so that step 3 is settled with it.
    @inlinable
    package mutating func close(extrasDone: Bool, nodeDone: Bool) -> Bool {
        if (hasExtras && !extrasDone) || (hasNode && !nodeDone) { return false }
        rawValue |= Self.closed
        if !nodeDone { rawValue |= Self.resolved }
        if !nodeDone && !extrasDone { rawValue |= Self.settled }
        return true
    }

    /// Step 3 of an end has been taken.
    @inlinable package mutating func settle() { rawValue |= Self.settled }
}
