// Completion: how jobs give their slot back and leave.

extension QueueMachine {
    /// The job was cancelled or ended itself before it was started: it needs no slot any more. False if it is ending already or has begun.
    @inlinable
    package mutating func mustEnd(_ handle: Handle) -> Bool {
        let records = self.records
        switch records[Int(handle.index)].standing {
        case .ready, .asking, .unasked: leaveOrder(handle.index, records)
        case .waiting: break
        case .free, .executing, .lending, .ending: return false
        }
        records[Int(handle.index)].standing = .ending
        return true
    }

    /// A cancelled job's `start()` began work all the same; it takes a slot, free or not.
    @inlinable
    package mutating func worksDespiteCancellation(_ handle: Handle) {
        stand(handle.index, as: .executing)
        executing += 1
    }

    /// The job leaves the queue: its slot is free and a barrier behind it may be let in.
    @inlinable
    package mutating func finished(_ handle: Handle) {
        let records = self.records
        if records[Int(handle.index)].standing == .executing { executing &-= 1 } else { giveUpPlace(handle.index) }
        if records[Int(handle.index)].isBarrier {
            closeGap(of: handle.index)
        } else if records[Int(handle.index)].gap != firstGap {
            leaveGap(handle.index)
        } else {
            front.count &-= 1
            if front.barrier != .max { letBarrierIn() }
        }
        unlink(handle.index, records)
    }

    /// A job leaves that holds no slot.
    @usableFromInline @inline(never)
    mutating func giveUpPlace(_ index: UInt32) {
        switch records[Int(index)].standing {
        case .lending: lending -= 1
        case .unasked, .asking, .ready: leaveOrder(index, records)
        case .free, .waiting, .executing, .ending: break
        }
    }

    // MARK: Lending

    /// The job waits for somebody and lends its slot.
    @inlinable
    package mutating func lend(_ handle: Handle) {
        stand(handle.index, as: .lending)
        lending += 1
        executing -= 1
    }

    /// The job's wait is over. True if it has its slot back; false if it must wait in line, where it is next, before any ready job.
    @inlinable
    package mutating func takeBack(_ handle: Handle) -> Bool {
        if returners == 0 && executing < max(1, width) {
            resume(handle)
            return true
        }
        returners += 1
        return false
    }

    /// Whether the job that had this number when it lent its slot is still here, and its slot still lent.
    @inlinable
    package func isLending(_ handle: Handle, sequence: UInt64) -> Bool {
        guard handle.index < recordCount else { return false }
        let record = record(handle.index)
        return record.sequence == sequence && record.standing == .lending
    }

    /// A returner leaves the line without a slot: its job was ended and leaves the queue.
    @inlinable
    package mutating func leaveReturners() { returners -= 1 }

    /// Whether the first returner in line may go on; it needs no permission of the suspension, and at width 0 counts as at width 1.
    @inlinable
    package var admitsReturner: Bool { returners > 0 && executing < max(1, width) }

    /// The first returner in line goes on.
    @inlinable
    package mutating func admitReturner(_ handle: Handle) {
        returners -= 1
        resume(handle)
    }

    // MARK: Swapping

    /// The executing `waiter` lends its slot to this very job, which it is going to run itself. False if that may not start now.
    @inlinable
    package mutating func swap(_ waiter: Handle, for handle: Handle) -> Bool {
        let records = self.records
        let record = records[Int(handle.index)]
        guard returners == 0, executing <= width, records[Int(waiter.index)].standing == .executing, record.standing == .ready,
            record.sequence > doomedThrough, record.gap == firstGap, !record.isBarrier || front.barrierIsIn, !isSuspended
        else { return false }
        lend(waiter)
        leaveOrder(handle.index, records)
        records[Int(handle.index)].standing = .executing
        executing += 1
        return true
    }

    /// The job could not start after all.
    @inlinable
    package mutating func undoSwap(_ waiter: Handle, for handle: Handle) {
        stand(handle.index, as: .waiting)
        stand(waiter.index, as: .executing)
        lending -= 1
    }

    @inlinable
    mutating func resume(_ handle: Handle) {
        stand(handle.index, as: .executing)
        lending -= 1
        executing += 1
    }
}
