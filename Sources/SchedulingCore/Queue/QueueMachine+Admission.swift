// Admission: how jobs come in, become ready, and get a slot.

extension QueueMachine {
    /// A job arrived; `standing` is `.waiting`, `.ready` or `.ending`.
    package mutating func register(lane: UInt8, isBarrier: Bool, standing: Standing) -> Handle {
        let index = takeRecord()
        lastSequence += 1
        records[Int(index)].sequence = lastSequence
        records[Int(index)].lane = lane
        records[Int(index)].isBarrier = isBarrier
        records[Int(index)].standing = standing
        records[Int(index)].gap = lastGap
        link(index)
        if isBarrier {
            openGap(behind: index)
        } else {
            gaps[Int(lastGap)].count += 1
            if standing == .ready { insert(index) }
        }
        return Handle(index: index)
    }

    /// The job's last obstacle went away; it takes its place in the ready order unless it has it already.
    package mutating func becameReady(_ handle: Handle) {
        switch records[Int(handle.index)].standing {
        case .waiting:
            records[Int(handle.index)].standing = .ready
            insert(handle.index)
        case .asking:
            records[Int(handle.index)].standing = .ready
            headIsAsked = false
        case .free, .ready, .executing, .lending, .ending: break
        }
    }

    /// `isReady` must be asked again. The job takes its place at once, so that nothing overtakes it meanwhile. True if somebody must ask.
    package mutating func mustBeAsked(_ handle: Handle) -> Bool {
        guard records[Int(handle.index)].standing == .waiting else { return false }
        records[Int(handle.index)].standing = .asking
        insert(handle.index)
        return true
    }

    /// The job cannot start after all: `isReady` said no, or an edge was added in time.
    package mutating func mustWait(_ handle: Handle) {
        let standing = records[Int(handle.index)].standing
        guard standing == .ready || standing == .asking else { return }
        leaveOrder(handle.index)
        records[Int(handle.index)].standing = .waiting
    }

    /// Gives a slot to the first job of the ready order. The engine then tries to start it and says `unclaim` if it may not.
    package mutating func claim() -> Handle? {
        guard !isSuspended, returners == 0 else { return nil }
        while executing < width {
            guard let index = gaps[Int(firstGap)].order.first(records: records) else { return nil }
            if records[Int(index)].standing == .asking {
                headIsAsked = true
                return nil
            }
            gaps[Int(firstGap)].order.removeFirst()
            if records[Int(index)].sequence <= doomedThrough {
                records[Int(index)].standing = .waiting
                continue
            }
            records[Int(index)].standing = .executing
            executing += 1
            return Handle(index: index)
        }
        return nil
    }

    /// The claimed job may not start: its state changed first.
    package mutating func unclaim(_ handle: Handle) {
        records[Int(handle.index)].standing = .waiting
        executing -= 1
    }

    /// The priority of a job changed.
    package mutating func setLane(_ handle: Handle, to lane: UInt8) {
        let record = records[Int(handle.index)]
        guard record.lane != lane else { return }
        let isPlaced = record.standing == .ready || record.standing == .asking
        if isPlaced { leaveOrder(handle.index) }
        records[Int(handle.index)].lane = lane
        if isPlaced { insert(handle.index) }
    }

    /// Takes a place in the ready order; a barrier does so only once it was let in.
    mutating func insert(_ index: UInt32) {
        let record = records[Int(index)]
        if record.isBarrier && !gaps[Int(record.gap)].barrierIsIn { return }
        gaps[Int(record.gap)].order.insert(index, records: records)
        headIsAsked = false
    }

    mutating func leaveOrder(_ index: UInt32) {
        let record = records[Int(index)]
        if record.isBarrier && !gaps[Int(record.gap)].barrierIsIn { return }
        gaps[Int(record.gap)].order.forget()
        headIsAsked = false
    }
}
