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
