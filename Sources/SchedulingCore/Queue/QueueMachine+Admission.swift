// Admission: how jobs come in, become ready, and get a slot.

extension QueueMachine {
    /// A job arrived; `standing` is `.waiting`, `.ready` or `.ending`.
    @inlinable
    package mutating func register(lane: UInt8, isBarrier: Bool, standing: Standing) -> Handle {
        lastSequence += 1
        var record = Record()
        record.sequence = lastSequence
        record.lane = lane
        record.isBarrier = isBarrier
        record.standing = standing
        record.gap = lastGap
        let index = link(record)
        if isBarrier {
            openGap(behind: index)
        } else if standing == .ready {
            gaps[Int(lastGap)].enter(index, record)
            if gaps[Int(lastGap)].order.isUntidy { tidyOrder(of: lastGap) }
            headIsAsked = false
        } else {
            gaps[Int(lastGap)].count += 1
        }
        return Handle(index: index)
    }

    /// The job's last obstacle went away; it takes its place in the ready order unless it has it already.
    @inlinable
    package mutating func becameReady(_ handle: Handle) {
        let standing = records[Int(handle.index)].standing
        guard standing == .waiting || standing.isPlaced else { return }
        records[Int(handle.index)].standing = .ready
        if standing == .waiting { insert(handle.index) } else { headIsAsked = false }
    }

    /// `isReady` must be asked. The job takes its place at once, so that nothing overtakes it meanwhile.
    @inlinable
    package mutating func mustBeAsked(_ handle: Handle) {
        switch records[Int(handle.index)].standing {
        case .waiting:
            records[Int(handle.index)].standing = .unasked
            insert(handle.index)
        case .ready:
            // An edge came and went while the job kept its place.
            records[Int(handle.index)].standing = .unasked
        case .free, .unasked, .asking, .executing, .lending, .ending: return
        }
        if unasked.count > 2 * jobCount + 64 { forgetAsked() }
        unasked.append(ReadyOrder.Entry(sequence: records[Int(handle.index)].sequence, index: handle.index))
    }

    /// The job cannot start after all: `isReady` said no, or an edge was added in time.
    @inlinable
    package mutating func mustWait(_ handle: Handle) {
        guard records[Int(handle.index)].standing.isPlaced else { return }
        leaveOrder(handle.index)
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
        guard !isSuspended, returners == 0 else { return nil }
        while executing < width {
            guard let index = gaps[Int(firstGap)].order.first(records: records) else { return nil }
            if records[Int(index)].sequence <= doomedThrough {
                gaps[Int(firstGap)].order.removeFirst()
                records[Int(index)].standing = .waiting
                continue
            }
            switch records[Int(index)].standing {
            case .unasked:
                records[Int(index)].standing = .asking
                dropAsked()
                return .ask(Handle(index: index))
            case .asking:
                headIsAsked = true
                return nil
            case .free, .waiting, .ready, .executing, .lending, .ending: break
            }
            gaps[Int(firstGap)].order.removeFirst()
            records[Int(index)].standing = .executing
            executing += 1
            return .job(Handle(index: index))
        }
        return nil
    }

    /// The first job of the ready order.
    @inlinable
    package var firstReady: Handle? {
        mutating get { gaps[Int(firstGap)].order.first(records: records).map { Handle(index: $0) } }
    }

    /// Whether jobs should be asked by the errand crew because no site worker is going to come to them: the queue is suspended or full.
    @inlinable
    package var wantsAsking: Bool { !unasked.isEmpty && (isSuspended || freeSlots == 0) }

    /// Drops the entries of jobs that site workers asked.
    @inlinable
    mutating func forgetAsked() {
        var kept = Fifo<ReadyOrder.Entry>()
        for entry in unasked {
            let record = records[Int(entry.index)]
            if record.sequence == entry.sequence && record.standing == .unasked { kept.append(entry) }
        }
        unasked = kept
    }

    /// What leads the errand crew's list in vain, because a site worker asks it or it is gone, leaves it, so that nobody is woken for it.
    @inlinable
    mutating func dropAsked() {
        while let entry = unasked.first {
            let record = records[Int(entry.index)]
            if record.sequence == entry.sequence && record.standing == .unasked { return }
            _ = unasked.popFirst()
        }
    }

    /// The next job to be asked by the errand crew.
    @inlinable
    package mutating func takeUnasked() -> Handle? {
        while let entry = unasked.popFirst() {
            let record = records[Int(entry.index)]
            guard record.sequence == entry.sequence, record.standing == .unasked else { continue }
            records[Int(entry.index)].standing = .asking
            return Handle(index: entry.index)
        }
        return nil
    }

    /// The claimed job may not start: its state changed first.
    @inlinable
    package mutating func unclaim(_ handle: Handle) {
        records[Int(handle.index)].standing = .waiting
        executing -= 1
    }

    /// The priority of a job changed.
    @inlinable
    package mutating func setLane(_ handle: Handle, to lane: UInt8) {
        let record = records[Int(handle.index)]
        guard record.lane != lane else { return }
        let isPlaced = record.standing.isPlaced
        if isPlaced { leaveOrder(handle.index) }
        records[Int(handle.index)].lane = lane
        if isPlaced { insert(handle.index) }
    }

    /// Takes a place in the ready order; a barrier does so only once it was let in.
    @inlinable
    mutating func insert(_ index: UInt32) {
        let record = records[Int(index)]
        if record.isBarrier && !gaps[Int(record.gap)].barrierIsIn { return }
        gaps[Int(record.gap)].order.insert(index, record)
        if gaps[Int(record.gap)].order.isUntidy { tidyOrder(of: record.gap) }
        headIsAsked = false
    }

    @usableFromInline
    mutating func tidyOrder(of gap: UInt32) { gaps[Int(gap)].order.rebuild(records: records) }

    @inlinable
    mutating func leaveOrder(_ index: UInt32) {
        let record = records[Int(index)]
        if record.isBarrier && !gaps[Int(record.gap)].barrierIsIn { return }
        gaps[Int(record.gap)].order.forget()
        headIsAsked = false
    }
}
