// Where a piece of code found itself running: on which thread, in which job and on which queue.
import Foundation
import WorkQueues

/// Comparable only between threads that are alive at the same time; a thread that blocks for the other keeps its mark unique.
func threadMark() -> ObjectIdentifier {
    ObjectIdentifier(Thread.current)
}

struct Place: Sendable, Equatable {
    let thread: ObjectIdentifier
    let job: Job.ID?
    let queue: ObjectIdentifier?

    static var here: Place {
        Place(thread: threadMark(), job: Job.current?.id, queue: WorkQueue.current.map(ObjectIdentifier.init))
    }

    func isInside(_ job: Job, on queue: WorkQueue) -> Bool {
        self.job == job.id && self.queue == ObjectIdentifier(queue)
    }
}
