// Staffing: how many workers a queue wants, and whether producers must ring the bell.

/// The work of a queue that is not the claim of a ready job, and the workers on their way to it.
///
/// There are two crews. The *site* crew runs jobs: it claims, runs segments of asynchronous bodies, and ends jobs that hold a slot. The
/// *errand* crew does what needs no slot: it ends cancelled jobs, asks `isReady`, and carries on deliveries.
@usableFromInline
package struct Staffing: Sendable {
    /// Site workers that were summoned and have not looked yet.
    @usableFromInline package var siteOnTheirWay = 0
    /// Errand workers that were summoned and have not looked yet.
    @usableFromInline package var errandsOnTheirWay = 0
    /// Ends of jobs that hold a slot, waiting for a worker.
    @usableFromInline package var ends = 0
    /// Segments of asynchronous bodies, waiting for a worker.
    @usableFromInline package var segments = 0
    /// Workers inside a segment.
    @usableFromInline package var segmentWorkers = 0
    /// Errands waiting for a worker.
    @usableFromInline package var errands = 0
    /// Workers inside an errand.
    @usableFromInline package var errandWorkers = 0
    /// How many errand workers there may be: one, and more while errands are stuck.
    @usableFromInline package var errandLimit = 1

    @inlinable
    package init() {}

    /// A worker blocks inside a segment or an errand: another one may take its place.
    @inlinable
    package mutating func workerBlocks(inSegment: Bool) {
        if inSegment { segmentWorkers -= 1 } else { errandWorkers -= 1 }
    }

    /// The blocked worker goes on.
    @inlinable
    package mutating func workerGoesOn(inSegment: Bool) {
        if inSegment { segmentWorkers += 1 } else { errandWorkers += 1 }
    }
}

extension QueueMachine {
    /// False if both crews surely lack nobody, which is how most looks end; it is soon found out.
    @inlinable @inline(__always)
    package var mayBeShort: Bool {
        executing < width && front.order.count > 0 || staffing.ends | staffing.segments | staffing.errands != 0 || !unasked.isEmpty
    }

    /// How many site workers should be summoned now.
    @inlinable @inline(__always)
    package var siteShortage: Int {
        // Most queues that ask are full, and need not look at the ready order.
        let room = returners > 0 ? 0 : freeSlots
        let claims = room == 0 ? 0 : min(claimable, room)
        return claims + staffing.ends + segmentShortage - staffing.siteOnTheirWay
    }

    @inlinable @inline(__always)
    var segmentShortage: Int {
        if staffing.segments == 0 { return 0 }
        let room = max(0, max(1, width) - staffing.segmentWorkers)
        return min(staffing.segments, room)
    }

    /// How many errand workers should be summoned now.
    @inlinable @inline(__always)
    package var errandShortage: Int {
        let errands = staffing.errands + (wantsAsking ? 1 : 0)
        if errands == 0 { return -staffing.errandsOnTheirWay }
        return min(errands, max(0, staffing.errandLimit - staffing.errandWorkers)) - staffing.errandsOnTheirWay
    }

    /// Whether a producer that adds a job must have a worker summoned: a job could start, and nobody is going to look.
    @inlinable @inline(__always)
    package var wantsBell: Bool {
        !isSuspended && returners == 0 && freeSlots > 0 && staffing.siteOnTheirWay == 0
    }

    /// Whether a segment may be run by one more worker.
    @inlinable @inline(__always)
    package var admitsSegment: Bool { staffing.segments > 0 && staffing.segmentWorkers < max(1, width) }
}
