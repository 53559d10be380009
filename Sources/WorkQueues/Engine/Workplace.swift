// The seam for threads: where a queue's workers come from.

package import Dispatch
import SchedulingCore

/// The two crews of a queue's workers, see `Staffing`.
package enum Crew: Sendable { case site, errands }

/// How urgently a worker is wanted.
package typealias QualityOfService = DispatchQoS.QoSClass

/// Gives a queue workers.
package protocol Workplace: Sendable {
    /// Whether a worker leaves after one piece of work, so that other users of the place get their turns.
    var givesWayAfterEachJob: Bool { get }
    /// Whether a worker that blocks may keep all others from coming.
    var mayBeSerial: Bool { get }
    /// Has a worker come and call `engine.work(as: crew, isFirst: isFirst)` once.
    ///
    /// The first worker of each crew always comes: `isFirst` says that the queue has no other one of that crew.
    func summon(_ crew: Crew, of engine: QueueEngine, isFirst: Bool, qualityOfService: QualityOfService) -> Summons
    /// Keeps the calling thread until `signal` has fired. At `deadline`, if there is one, a timer fires it.
    func block(_ signal: Signal, until deadline: UInt64?)
}

extension Workplace {
    package func block(_ signal: Signal, until deadline: UInt64?) { signal.block() }
}

package enum Summons: Sendable {
    case coming
    /// None is to be had, and the engine is noted already.
    case refused
    /// None is to be had; the engine is told once, by `laneBecameFree`, when one is.
    case refusedAndNoted
}

/// Workers on serial Dispatch queues without a target ("lanes"), each of which gets a thread of its own at once.
///
/// Dispatch stops at 255 threads and then starves every serial queue of the process, so lanes come out of one budget for the process. A
/// queue's first worker of each crew is outside the budget: no queue ever starves another.
final class LanePool: Workplace {
    static let shared = LanePool(budget: 192)

    private struct Contents: Sendable {
        var idle: [DispatchQueue] = []
        var budget: Int
        /// Queues that were refused a worker, in the order they asked.
        var refused = Fifo<QueueEngine>()
        var noted: Set<ObjectIdentifier> = []
    }

    /// Idle lanes that are kept; a lane without a block costs no thread.
    private static let keptLanes = 64
    private let contents: Locked<Contents>

    let givesWayAfterEachJob = false
    let mayBeSerial = false

    init(budget: Int) { contents = Locked(Contents(budget: budget)) }

    func summon(_ crew: Crew, of engine: QueueEngine, isFirst: Bool, qualityOfService: QualityOfService) -> Summons {
        let (summons, idle) = contents.withLock { contents -> (Summons, DispatchQueue?) in
            if !isFirst {
                guard contents.budget > 0 else {
                    guard contents.noted.insert(ObjectIdentifier(engine)).inserted else { return (.refused, nil) }
                    contents.refused.append(engine)
                    return (.refusedAndNoted, nil)
                }
                contents.budget -= 1
            }
            return (.coming, contents.idle.popLast())
        }
        guard case .coming = summons else { return summons }
        let lane = idle ?? DispatchQueue(label: "WorkQueues.lane")
        // The block holds the engine, never a job: a job that it captured would live as long as the worker stays.
        lane.async(group: nil, qos: DispatchQoS(qosClass: qualityOfService, relativePriority: 0), flags: []) {
            engine.work(as: crew, isFirst: isFirst)
            self.giveBack(lane, isFirst: isFirst)
        }
        return .coming
    }

    private func giveBack(_ lane: DispatchQueue, isFirst: Bool) {
        contents.withLock { contents in
            if contents.idle.count < Self.keptLanes { contents.idle.append(lane) }
            if !isFirst { contents.budget += 1 }
        }
        // A queue that is told may not want a worker any more; then the next one is told.
        while let next = nextRefused() { next.laneBecameFree() }
    }

    private func nextRefused() -> QueueEngine? {
        contents.withLock { contents in
            guard contents.budget > 0, let next = contents.refused.popFirst() else { return nil }
            contents.noted.remove(ObjectIdentifier(next))
            return next
        }
    }
}

/// Workers on a Dispatch queue of the user's (or the main queue): one block runs one job.
final class UnderlyingPlace: Workplace {
    let queue: DispatchQueue
    let givesWayAfterEachJob = true
    let mayBeSerial = true

    init(queue: DispatchQueue) { self.queue = queue }

    func summon(_ crew: Crew, of engine: QueueEngine, isFirst: Bool, qualityOfService: QualityOfService) -> Summons {
        guard crew == .site else {
            return LanePool.shared.summon(crew, of: engine, isFirst: isFirst, qualityOfService: qualityOfService)
        }
        queue.async { engine.work(as: .site, isFirst: isFirst) }
        return .coming
    }
}
