// Admission: how jobs come in, become ready, and get a slot.

extension QueueMachine {
    /// A job arrived; `standing` is `.waiting`, `.ready` or `.ending`. The machine keeps the payload for the engine and never looks at it.
    @inlinable
    package mutating func register(lane: UInt8, isBarrier: Bool, standing: Standing, payload: UInt = 0) -> Handle {
        let index = takeRecord()
        let records = self.records
        lastSequence &+= 1
        let record = Record(
            sequence: lastSequence, payload: payload, next: .max, previous: newest, gap: lastGap, lane: lane, standing: standing,
            isBarrier: isBarrier)
        records.initializeElement(at: Int(index), to: record)
        if newest == .max { oldest = index } else { records[Int(newest)].next = index }
        newest = index
        jobCount &+= 1
        if isBarrier {
            openGap(behind: index)
        } else if lastGap != firstGap {
            enterLastGap(index)
        } else {
            front.enter(index, lane: lane, isReady: standing == .ready, records)
        }
        return Handle(index: index)
    }

    /// The job's last obstacle went away; it takes its place in the ready order unless it has it already.
    @inlinable
    package mutating func becameReady(_ handle: Handle) {
        let records = self.records
        let standing = records[Int(handle.index)].standing
        guard standing == .waiting || standing.isPlaced else { return }
        records[Int(handle.index)].standing = .ready
        if standing == .waiting { enterOrder(handle.index, records) }
    }

    /// `isReady` must be asked. The job takes its place at once, so that nothing overtakes it meanwhile.
    @inlinable
    package mutating func mustBeAsked(_ handle: Handle) {
        let records = self.records
        switch records[Int(handle.index)].standing {
        case .waiting:
            records[Int(handle.index)].standing = .unasked
            enterOrder(handle.index, records)
        case .ready:
            // An edge came and went while the job kept its place.
            records[Int(handle.index)].standing = .unasked
        case .free, .unasked, .asking, .executing, .lending, .ending: return
        }
        if unasked.count > 2 * jobCount + 64 { forgetAsked() }
        unasked.append(Question(sequence: records[Int(handle.index)].sequence, index: handle.index))
    }

    /// The job cannot start after all: `isReady` said no, or an edge was added in time.
    @inlinable
    package mutating func mustWait(_ handle: Handle) {
        let records = self.records
        guard records[Int(handle.index)].standing.isPlaced else { return }
        leaveOrder(handle.index, records)
        records[Int(handle.index)].standing = .waiting
    }

    /// What a site worker gets to do.
    @usableFromInline
    package enum Claim: Sendable {
        /// This job has a slot now. The engine tries to start it and says `unclaim` if it may not.
        case job(Handle)
        /// This job is first, and must be asked whether it is ready.
        case ask(Handle)
    }

    /// Gives a slot to the first job of the ready order.
    @inlinable
    package mutating func claim() -> Claim? {
        guard !isSuspended, returners == 0, executing < width, front.order.count > 0 else { return nil }
        let records = self.records
        if records[Int(front.order.head)].sequence <= doomedThrough {
            passOverDoomed()
            if front.order.count == 0 { return nil }
        }
        let index = front.order.head
        if records[Int(index)].standing != .ready { return question(index) }
        front.order.removeFirst(records)
        records[Int(index)].standing = .executing
        executing &+= 1
        return .job(Handle(index: index))
    }

    /// Doomed jobs that are first leave the order; somebody is going to end them.
    @usableFromInline @inline(never)
    mutating func passOverDoomed() {
        while front.order.count > 0, records[Int(front.order.head)].sequence <= doomedThrough {
            let index = front.order.head
            front.order.removeFirst(records)
            records[Int(index)].standing = .waiting
        }
    }

    /// The first job must be asked, or is being asked: nothing overtakes it.
    @usableFromInline @inline(never)
    mutating func question(_ index: UInt32) -> Claim? {
        guard records[Int(index)].standing == .unasked else { return nil }
        records[Int(index)].standing = .asking
        dropAsked()
        return .ask(Handle(index: index))
    }

    /// Whether jobs should be asked by the errand crew because no site worker is going to come to them: the queue is suspended or full.
    @inlinable @inline(__always)
    package var wantsAsking: Bool { !unasked.isEmpty && (isSuspended || freeSlots == 0) }

    /// Drops the questions that site workers asked.
    @usableFromInline
    mutating func forgetAsked() {
        var kept = Fifo<Question>()
        for question in unasked where isOpen(question) { kept.append(question) }
        unasked = kept
    }

    /// What leads the errand crew's list in vain, because a site worker asks it or it is gone, leaves it, so that nobody is woken for it.
    @inlinable
    mutating func dropAsked() {
        while let question = unasked.first, !isOpen(question) { _ = unasked.popFirst() }
    }

    /// The next job to be asked by the errand crew.
    @inlinable
    package mutating func takeUnasked() -> Handle? {
        while let question = unasked.popFirst() {
            guard isOpen(question) else { continue }
            stand(question.index, as: .asking)
            return Handle(index: question.index)
        }
        return nil
    }

    @inlinable @inline(__always)
    func isOpen(_ question: Question) -> Bool {
        let record = record(question.index)
        return record.sequence == question.sequence && record.standing == .unasked
    }

    /// The claimed job may not start: its state changed first.
    @inlinable
    package mutating func unclaim(_ handle: Handle) {
        stand(handle.index, as: .waiting)
        executing -= 1
    }

    /// The priority of a job changed.
    @inlinable
    package mutating func setLane(_ handle: Handle, to lane: UInt8) {
        let records = self.records
        let record = records[Int(handle.index)]
        guard record.lane != lane else { return }
        if record.standing.isPlaced { leaveOrder(handle.index, records) }
        records[Int(handle.index)].lane = lane
        if record.standing.isPlaced { enterOrder(handle.index, records) }
    }

    /// Takes a place in the ready order; a barrier does so only once it was let in.
    @inlinable @inline(__always)
    mutating func enterOrder(_ index: UInt32, _ records: JobRecords) {
        if records[Int(index)].gap == firstGap && !records[Int(index)].isBarrier {
            front.order.insert(index, records)
        } else {
            enterOrderElsewhere(index, records)
        }
    }

    @usableFromInline @inline(never)
    mutating func enterOrderElsewhere(_ index: UInt32, _ records: JobRecords) {
        let isBarrier = records[Int(index)].isBarrier
        change(gap: records[Int(index)].gap) { gap in
            if !isBarrier || gap.barrierIsIn { gap.order.insert(index, records) }
        }
    }

    @usableFromInline
    mutating func leaveOrder(_ index: UInt32, _ records: JobRecords) {
        let isBarrier = records[Int(index)].isBarrier
        change(gap: records[Int(index)].gap) { gap in
            if !isBarrier || gap.barrierIsIn { gap.order.remove(index, records) }
        }
    }

    @inlinable @inline(__always)
    mutating func stand(_ index: UInt32, as standing: Standing) { records[Int(index)].standing = standing }
}

/// A job that must be asked whether it is ready, unless its record is another's by then.
@usableFromInline
struct Question: Sendable {
    @usableFromInline let sequence: UInt64
    @usableFromInline let index: UInt32

    @inlinable
    init(sequence: UInt64, index: UInt32) {
        self.sequence = sequence
        self.index = index
    }
}
