// An observer that keeps the events of queues, in their order.

public import WorkQueues

/// Records what happens in one queue or several, and answers a test's questions about it.
///
/// ```swift
/// let queue = WorkQueue()
/// let recorder = JobRecorder(observing: queue)
/// let fetch = queue.addJob(name: "fetch") { 20 }
/// let parse = queue.addJob(name: "parse", after: fetch) { $0 + 22 }
/// parse.waitUntilFinished()
/// try recorder.expectOrder("fetch", "parse")
/// ```
///
/// **When to ask.** A recorder knows what it was told. All events of a job have been told when a wait for that job returns; all events
/// of a queue, when a wait for the queue returns. Asked earlier it answers for what has come by then.
///
/// **Order.** The events of one queue stand in the order of their `sequence`. Those of several queues stand in the order of their
/// `instant`, which for each queue is the same order; at equal instants the event that was delivered earlier comes first.
///
/// **Names.** A job is known by its name, or by `#12`, its id, if it has none. If several jobs have the same name, the first one added
/// has it, and the others are `name#2`, `name#3` and so on. A job that was renamed is known by its last name.
///
/// **Threads.** Everything may be called from any thread at any time. A queue holds its observers strongly until they are removed.
///
/// **Cost.** An event costs a lock and a place in an array. A question costs time in proportion to the events recorded so far.
public final class JobRecorder: JobObserver {
    private let log = Locked<[JobEvent]>([])

    /// Makes a recorder, and adds it to these queues; further ones take `queue.addObserver(recorder)`.
    public init(observing queues: WorkQueue...) {
        for queue in queues { queue.addObserver(self) }
    }

    /// Takes an event. Queues call this; a test may, to feed the recorder by hand.
    public func record(_ event: JobEvent) {
        log.withLock { log in
            // Different jobs' events are delivered at the same time, so a late one may belong a few places further up.
            var place = log.count
            while place > 0 && log[place - 1].isLater(than: event) { place -= 1 }
            log.insert(event, at: place)
        }
    }

    /// All events so far, in order.
    public var events: [JobEvent] { log.withLock { $0 } }

    var history: History { History(of: events) }
}

extension JobEvent {
    fileprivate func isLater(than other: JobEvent) -> Bool { instant > other.instant }
}
