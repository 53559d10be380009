// Every public name of the observers: events, streams, KVO-style observation, the misuse handler.
import WorkQueues

final class Tally: JobObserver {
    func record(_ event: JobEvent) {
        let id: Job.ID? = event.jobID
        let name: String? = event.jobName
        let number: UInt64 = event.sequence
        let instant: ContinuousClock.Instant = event.instant
        _ = (id, name, number, instant)
        switch event.kind {
        case .added, .ready, .started: break
        case .cancelRequested(let reason): _ = reason == .requested
        case .finished(let outcome): if case .succeeded = outcome { break }
        case .dependencyAdded(let id), .dependencyRemoved(let id): _ = id < id
        case .suspended, .resumed, .idle: break
        case .widthChanged(let width): _ = width + 1
        @unknown default: break
        }
    }
}

func observing(_ queue: WorkQueue) -> JobObservation {
    let tally = Tally()
    queue.addObserver(tally)
    queue.removeObserver(tally)
    let stalls: JobObservation = queue.observeStalls { (explanation: QueueExplanation) in _ = explanation.description }
    stalls.invalidate()
    return queue.observe { (event: JobEvent) in _ = event.kind }
}

func observing(_ job: Job, _ upload: Upload, _ posting: Posting) {
    let all: JobObservingOptions = [.new, .old, .initial, .prior]
    let observations: [JobObservation] = [
        job.observe(\.isFinished, options: all) { (job: Job, change: JobObservedChange<Bool>) in
            let values: (Bool?, Bool?, Bool) = (change.newValue, change.oldValue, change.isPrior)
            _ = (job, values)
        },
        job.observe(\.isReady) { _, _ in },
        job.observe(\.isExecuting) { _, _ in },
        job.observe(\.isCancelled) { _, _ in },
        upload.observe(\.state) { upload, change in _ = (upload.state, change.newValue == .finished) },
        posting.observe(\.isFinished, options: [.new]) { posting, _ in posting.end() },
    ]
    for observation in observations { observation.invalidate() }
}

func streaming(_ queue: WorkQueue) async -> Int {
    var count = 0
    for await event in queue.events(bufferingPolicy: .bufferingNewest(16)) where event.jobID != nil {
        count += 1
        if count == 3 { break }
    }
    for await _ in queue.events() { break }
    return count
}

func listeningToMisuse() {
    let before: @Sendable (String) -> Void = WorkQueue.misuseHandler
    WorkQueue.misuseHandler = { (message: String) in print(message) }
    WorkQueue.misuseHandler = before
}
