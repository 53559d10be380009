// An observer that keeps every event, and finds them again by job and kind.
import WorkQueues

final class EventLog: JobObserver {
    /// The kinds without what they carry, which can be compared.
    enum Name: Sendable, Hashable {
        case added, ready, started, cancelRequested, finished, dependencyAdded, dependencyRemoved, suspended, resumed, widthChanged, idle,
            stalled,
            unknown
    }

    private let log = Log<JobEvent>()

    init() {}

    func record(_ event: JobEvent) {
        log.append(event)
    }

    /// In the order in which they were delivered.
    var events: [JobEvent] {
        log.values
    }

    /// In the order of their sequence numbers.
    var sequenced: [JobEvent] {
        log.values.sorted { $0.sequence < $1.sequence }
    }

    func events(of id: Job.ID) -> [JobEvent] {
        log.values.filter { $0.jobID == id }
    }

    func events(_ name: Name) -> [JobEvent] {
        log.values.filter { EventLog.name(of: $0) == name }
    }

    func names(of id: Job.ID) -> [Name] {
        events(of: id).map(EventLog.name(of:))
    }

    func count(_ name: Name, of id: Job.ID? = nil) -> Int {
        log.values.count { (id == nil || $0.jobID == id) && EventLog.name(of: $0) == name }
    }

    func outcomes(of id: Job.ID) -> [Job.Outcome] {
        events(of: id).compactMap { event in
            if case .finished(let outcome) = event.kind { outcome } else { nil }
        }
    }

    func reasons(of id: Job.ID) -> [Job.CancellationReason] {
        events(of: id).compactMap { event in
            if case .cancelRequested(let reason) = event.kind { reason } else { nil }
        }
    }

    static func name(of event: JobEvent) -> Name {
        switch event.kind {
        case .added: .added
        case .ready: .ready
        case .started: .started
        case .cancelRequested: .cancelRequested
        case .finished: .finished
        case .dependencyAdded: .dependencyAdded
        case .dependencyRemoved: .dependencyRemoved
        case .suspended: .suspended
        case .resumed: .resumed
        case .widthChanged: .widthChanged
        case .idle: .idle
        case .stalled: .stalled
        @unknown default: .unknown
        }
    }
}
