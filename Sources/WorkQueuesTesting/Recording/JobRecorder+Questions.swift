// What a test may ask a recorder.

import WorkQueues

extension JobRecorder {
    /// A moment in the life of a job. More may come: write `@unknown default`.
    @nonexhaustive
    public enum Moment: Sendable, Hashable, CaseIterable {
        case added, ready, started, cancelRequested
        /// Ended, however.
        case finished
        /// Ended in one particular way.
        case succeeded, failed, cancelled

        func isMoment(of kind: JobEvent.Kind) -> Bool {
            switch (self, kind) {
            case (.added, .added), (.ready, .ready), (.started, .started), (.cancelRequested, .cancelRequested), (.finished, .finished),
                (.succeeded, .finished(.succeeded)), (.failed, .finished(.failed)), (.cancelled, .finished(.cancelled)):
                true
            default: false
            }
        }
    }

    /// The names of the jobs to which this happened, in the order in which it happened.
    public func names(of moment: Moment) -> [String] {
        let events = events
        let history = History(of: events)
        return events.compactMap { event in
            guard moment.isMoment(of: event.kind), let id = event.jobID else { return nil }
            return history.label(of: id)
        }
    }

    /// From the instant at which the job began to the one at which its work had ended; nil if it did not begin, or has not ended.
    ///
    /// Spans can be asked whether they overlap. They say how long things took; which came first, `happenedBefore` knows exactly.
    public func span(of job: some JobReference) -> ClosedRange<ContinuousClock.Instant>? {
        guard let life = history.life(of: job), let started = life.started, let finished = life.finished else { return nil }
        return started.instant...max(started.instant, finished.instant)
    }

    /// The most jobs that executed at the same time, over all observed queues.
    ///
    /// A job executes from its start to its end, also while it waits for another one and has lent it its slot. So this may be larger
    /// than the width where jobs wait for jobs, and nowhere else.
    public var peakConcurrency: Int { history.peakConcurrency }

    /// Whether the first job ran and had ended before the second one began.
    ///
    /// False also if the first has not ended or never began, if the second has not begun, and if one of them is unknown.
    public func happenedBefore(_ first: some JobReference, _ second: some JobReference) -> Bool {
        let history = history
        guard let first = history.life(of: first), let second = history.life(of: second), first.started != nil,
            let end = first.finished, let start = second.started
        else { return false }
        return end.place < start.place
    }

    /// The schedule so far as a drawing, a row for each job in the order of adding.
    public var diagram: ScheduleDiagram { ScheduleDiagram(of: history) }
}
