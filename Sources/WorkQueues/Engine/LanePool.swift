// Workers on threads of their own, which come out of one budget for the process.

import Dispatch
import SchedulingCore

/// Workers on serial Dispatch queues without a target ("lanes"), each of which gets a thread of its own at once.
///
/// Dispatch stops at 255 threads and then starves every serial queue of the process, so lanes come out of one budget for the process. A
/// queue's first worker of each crew is outside the budget: no queue ever starves another.
///
/// A worker that goes home leaves its lane. If its queue is a regular, and few do so already, the lane's thread *stands by* for a second, and
/// the next first worker that is wanted, by whatever queue, is called on it with one semaphore. That spares the way through Dispatch, which costs as much as waking the
/// thread does. Further workers take that way all the same: with short jobs the first one is often done with them before company comes,
/// and company that comes too soon takes the cores away from the producers.
final class LanePool: Workplace {
    static let shared = LanePool(budget: 192)

    /// What a lane is wanted for.
    private struct Duty: Sendable {
        let engine: QueueEngine
        let crew: Crew
        let isFirst: Bool
    }

    /// A Dispatch queue, and the thread that stands by in it.
    private final class Lane: @unchecked Sendable {
        // Unchecked for two variables that the pool's lock guards.
        let queue = DispatchQueue(label: "WorkQueues.lane")
        /// Signalled when the standing thread has a duty.
        let call = DispatchSemaphore(value: 0)
        var duty: Duty?
        /// What the thread was woken at; it is called for the same only.
        var qualityOfService = QualityOfService.default
    }

    private struct Contents: Sendable {
        /// Lanes whose threads stand by, the one that was at work last at the end.
        var standing: [Lane] = []
        /// Lanes without a thread.
        var idle: [Lane] = []
        var budget: Int
        /// Queues that were refused a worker, in the order they asked.
        var refused = Fifo<QueueEngine>()
        var noted: Set<ObjectIdentifier> = []

        mutating func takeStanding(_ qualityOfService: QualityOfService) -> Lane? {
            standing.lastIndex { $0.qualityOfService == qualityOfService }.map { standing.remove(at: $0) }
        }

        mutating func keep(_ lane: Lane) { if idle.count < keptLanes { idle.append(lane) } }
    }

    /// Lanes that are kept though they have no thread.
    private static let keptLanes = 64
    /// How many threads stand by at most: as many as can be at work at once, where that is not many.
    private static let standingLimit = min(8, max(2, Platform.availableCores))
    private let contents: Locked<Contents>

    let givesWayAfterEachJob = false
    let mayBeSerial = false

    init(budget: Int) { contents = Locked(Contents(budget: budget)) }

    func summon(_ crew: Crew, of engine: QueueEngine, isFirst: Bool, qualityOfService: QualityOfService) -> Summons {
        let (summons, lane, stands) = contents.withLock { contents -> (Summons, Lane?, Bool) in
            if !isFirst {
                guard contents.budget > 0 else {
                    guard contents.noted.insert(ObjectIdentifier(engine)).inserted else { return (.refused, nil, false) }
                    contents.refused.append(engine)
                    return (.refusedAndNoted, nil, false)
                }
                contents.budget -= 1
            }
            let standing = isFirst ? contents.takeStanding(qualityOfService) : nil
            let lane = standing ?? contents.idle.popLast() ?? Lane()
            lane.duty = Duty(engine: engine, crew: crew, isFirst: isFirst)
            lane.qualityOfService = qualityOfService
            return (.coming, lane, standing != nil)
        }
        guard let lane else { return summons }
        if stands {
            lane.call.signal()
        } else {
            // The block holds no engine, or a queue that is done would live as long as the thread stands by.
            lane.queue.async(group: nil, qos: DispatchQoS(qosClass: qualityOfService, relativePriority: 0), flags: []) { self.serve(lane) }
        }
        return .coming
    }

    /// The stay of a thread on a lane: the duty it came for, and those for which it is called while it stands by.
    private func serve(_ lane: Lane) {
        while let (wasFirst, wasRegular) = work(on: lane) {
            guard standBy(on: lane, wasFirst, wasRegular) else { return }
        }
    }

    /// Does the lane's duty, and lets go of the engine; tells what that was.
    private func work(on lane: Lane) -> (wasFirst: Bool, wasRegular: Bool)? {
        guard let duty = contents.withLock({ _ in lane.duty.take() }) else { return nil }
        duty.engine.work(as: duty.crew, isFirst: duty.isFirst)
        return (duty.isFirst, duty.engine.isRegular)
    }

    /// Gives the worker back, and waits for the next duty; false if none came.
    private func standBy(on lane: Lane, _ wasFirst: Bool, _ wasRegular: Bool) -> Bool {
        let stands = contents.withLock { contents in
            if !wasFirst { contents.budget += 1 }
            let stands = wasRegular && contents.standing.count < Self.standingLimit
            if stands { contents.standing.append(lane) } else { contents.keep(lane) }
            return stands
        }
        // A queue that is told may not want a worker any more; then the next one is told.
        while let next = nextRefused() { next.laneBecameFree() }
        if !stands { return false }
        if lane.call.keepAtHand(seconds: 1) { return true }
        let isCalled = contents.withLock { contents in
            guard let place = contents.standing.firstIndex(where: { $0 === lane }) else { return true }
            contents.standing.remove(at: place)
            contents.keep(lane)
            return false
        }
        // Who took the lane just now signals it, or has done so.
        if isCalled { lane.call.wait() }
        return isCalled
    }

    private func nextRefused() -> QueueEngine? {
        contents.withLock { contents in
            guard contents.budget > 0, let next = contents.refused.popFirst() else { return nil }
            contents.noted.remove(ObjectIdentifier(next))
            return next
        }
    }
}
