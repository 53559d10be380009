// Obstacles: what keeps a job from starting, and whether anything in the queue goes on; asked by explanations, never by the machine.

/// What a queue's machine knows of why one job does not run.
package struct Obstacles: Sendable {
    package var standing: Standing
    /// The nearest living barrier before the job.
    package var barrier: Handle?
    /// For a barrier that is not in yet: the unfinished jobs between it and the barrier before it, and the oldest of them.
    package var earlierCount = 0
    package var oldestEarlier: Handle?
    /// The job has a place among those that may start, so that the following keeps it from starting now.
    package var isNext = false
    /// The first job of the order is being asked whether it is ready, or about to be, and nothing overtakes it.
    package var question: Handle?
    /// `cancelAllJobs` marked the job; it will not run.
    package var isDoomed = false
}

extension QueueMachine {
    /// What keeps a job from starting, apart from the width and the suspension. O(1), and for a barrier O(jobs before it).
    package func obstacles(of handle: Handle) -> Obstacles {
        let record = record(handle.index)
        var obstacles = Obstacles(standing: record.standing)
        obstacles.isDoomed = record.sequence <= doomedThrough
        guard !(record.standing == .executing || record.standing == .lending || record.standing == .ending) else { return obstacles }
        let gap = gap(record.gap)
        if record.gap != firstGap { obstacles.barrier = Handle(index: self.gap(gap.previous).barrier) }
        if record.isBarrier && !gap.barrierIsIn {
            obstacles.earlierCount = gap.count
            obstacles.oldestEarlier = earlierJobs(than: handle).last
            return obstacles
        }
        guard record.standing.isPlaced, record.gap == firstGap else { return obstacles }
        obstacles.isNext = true
        if let first = firstReady, first != handle {
            switch standing(of: first) {
            case .unasked, .asking: obstacles.question = first
            case .free, .waiting, .ready, .executing, .lending, .ending: break
            }
        }
        return obstacles
    }

    /// The jobs between a barrier and the one before it, the youngest first.
    package func earlierJobs(than barrier: Handle) -> [Handle] {
        let gap = record(barrier.index).gap
        var index = record(barrier.index).previous
        var found: [Handle] = []
        while index != .max, record(index).gap == gap {
            found.append(Handle(index: index))
            index = record(index).previous
        }
        return found
    }

    /// Whether the queue has jobs and nothing in it goes on: no job holds a slot, none could be claimed or is asked whether it is
    /// ready, and no worker is busy or on its way. Suspension and a width of 0 are no such state, for who set them can take them back.
    ///
    /// - Parameter errandWorkers: How many workers inside an errand do not count; one, for who asks in an errand.
    @inlinable @inline(__always)
    package func isDormant(notCounting errandWorkers: Int = 0) -> Bool {
        jobCount > 0 && executing == 0 && width > 0 && !isSuspended && returners == 0 && front.order.count == 0
            && staffing.isQuiet(notCounting: errandWorkers)
    }

    /// Changes whenever a job comes or goes.
    @inlinable @inline(__always)
    package var traffic: Traffic { Traffic(lastSequence: lastSequence, jobCount: jobCount) }

    /// How many jobs came, and how many of them are left: equal values mean that none came or went in between.
    @usableFromInline
    package struct Traffic: Equatable, Sendable {
        @usableFromInline let lastSequence: UInt64
        @usableFromInline let jobCount: Int

        @inlinable @inline(__always)
        init(lastSequence: UInt64, jobCount: Int) {
            self.lastSequence = lastSequence
            self.jobCount = jobCount
        }
    }
}

extension Staffing {
    /// Whether no worker is busy or on its way but for those that run a job's own body.
    @inlinable @inline(__always)
    func isQuiet(notCounting errandWorkers: Int) -> Bool {
        siteOnTheirWay == 0 && errandsOnTheirWay == 0 && ends == 0 && segments == 0 && segmentWorkers == 0 && errands == 0
            && self.errandWorkers == errandWorkers
    }
}
