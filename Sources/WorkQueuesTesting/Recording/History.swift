// What a list of events says about each job: when it began and ended, under which name, and how its phases changed.

import WorkQueues

/// The lives of all jobs in a list of events, which is in order.
struct History {
    /// One job's life. Places are indices into the list of events.
    struct Life {
        let id: Job.ID
        /// Its last name; an empty one is none.
        var name: String?
        /// What it is known by: unique in this history.
        var label = ""
        var started: (place: Int, instant: ContinuousClock.Instant)?
        var finished: (place: Int, instant: ContinuousClock.Instant)?
        var changes: [ScheduleDiagram.Change] = []

        var isExecuting: Bool { started != nil && finished == nil }
        var cell: ScheduleDiagram.Cell { changes.last?.cell ?? .waiting }
    }

    /// In the order of adding; for a job that was added before the recorder was, in the order of its first event.
    private(set) var lives: [Life] = []
    /// The most jobs that executed at the same time.
    private(set) var peakConcurrency = 0
    /// How many times a job's phase changed visibly; the columns of the diagram, not counting the one before them.
    private(set) var ticks = 0
    private var indices: [Job.ID: Int] = [:]
    private var executing = 0

    init(of events: [JobEvent]) {
        for (place, event) in events.enumerated() {
            guard let id = event.jobID else { continue }
            let index = index(of: id)
            if let name = event.jobName { lives[index].name = name }
            take(event, at: place, of: index)
        }
        giveLabels()
    }

    func label(of id: Job.ID) -> String? { indices[id].map { lives[$0].label } }

    func life(of reference: some JobReference) -> Life? {
        lives.first { reference.refers(to: $0.id, named: $0.label) }
    }

    private mutating func index(of id: Job.ID) -> Int {
        if let index = indices[id] { return index }
        lives.append(Life(id: id))
        indices[id] = lives.count - 1
        return lives.count - 1
    }

    private mutating func take(_ event: JobEvent, at place: Int, of index: Int) {
        switch event.kind {
        case .ready: draw(.ready, of: index)
        case .started:
            lives[index].started = (place, event.instant)
            executing += 1
            peakConcurrency = max(peakConcurrency, executing)
            draw(.executing, of: index)
        case .finished(let outcome):
            if lives[index].isExecuting { executing -= 1 }
            lives[index].finished = (place, event.instant)
            switch outcome {
            case .succeeded: draw(.finished, of: index)
            case .failed: draw(.failed, of: index)
            case .cancelled: draw(.cancelled, of: index)
            }
        case .dependencyAdded(let dependency):
            // A ready job waits again, unless that dependency is over; nobody tells, but the events do.
            let isOver = indices[dependency].map { lives[$0].finished != nil } ?? false
            if lives[index].cell == .ready && !isOver { draw(.waiting, of: index) }
        case .added, .cancelRequested, .dependencyRemoved, .suspended, .resumed, .widthChanged, .idle: break
        @unknown default: break
        }
    }

    private mutating func draw(_ cell: ScheduleDiagram.Cell, of index: Int) {
        ticks += 1
        lives[index].changes.append(ScheduleDiagram.Change(tick: ticks, cell: cell))
    }

    /// Gives each job a label that no other one has, also when it is drawn.
    private mutating func giveLabels() {
        var taken: Set<String> = []
        var copies: [String: Int] = [:]
        // Names go first, so that none has to yield to an id.
        let named = lives.indices.filter { lives[$0].name?.isEmpty == false }
        let nameless = lives.indices.filter { lives[$0].name?.isEmpty != false }
        for index in named + nameless {
            let name = lives[index].name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(lives[index].id)"
            var label = name
            while !taken.insert(ScheduleDiagram.Row.drawnName(of: label)).inserted {
                let copy = copies[name, default: 1] + 1
                copies[name] = copy
                label = "\(name)#\(copy)"
            }
            lives[index].label = label
        }
    }
}
