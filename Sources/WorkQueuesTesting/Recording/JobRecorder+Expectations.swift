// What a test may expect of a recorded schedule.

import WorkQueues

extension JobRecorder {
    /// Expects that all these jobs began, and each had ended before the next one did.
    ///
    /// The last one may be executing still. Other jobs may have run in between. For the order of the starts alone compare
    /// `names(of: .started)`.
    ///
    /// - Throws: for the first pair that is out of order, `ExpectationFailure` with the schedule.
    public func expectOrder(_ jobs: any JobReference...) throws(ExpectationFailure) { try expectOrder(jobs) }

    /// Expects that all these jobs began, and each had ended before the next one did; see the form without an array.
    public func expectOrder(_ jobs: [any JobReference]) throws(ExpectationFailure) {
        let history = history
        var previous: (name: String, life: History.Life)?
        for job in jobs {
            let life = history.life(of: job)
            let name = "\"\(life?.label ?? describe(job))\""
            let names = [previous?.life.label, life?.label].compactMap { $0 }
            let expected = previous.map { "\($0.name) was to end before \(name) begins, but" } ?? "\(name) was to run, but"
            let problem = self.problem(of: life, named: name, in: history) ?? previous.flatMap { violation($0, life, named: name) }
            if let problem { throw ExpectationFailure("\(expected) \(problem).", drawing: drawing(of: history, for: names)) }
            previous = life.map { (name, $0) }
        }
    }

    /// Expects that the schedule is the one drawn, as far as it is drawn.
    ///
    /// Compared is in which order things changed, not how wide they were drawn:
    ///
    /// - Only the rows drawn count, in any order; other jobs are left out, with the columns in which only they changed.
    /// - Repeating a column means nothing, nor do columns of `.` at the beginning.
    /// - Changes that are drawn in one column may have come in any order. Those in different columns came in the order drawn.
    /// - A row that draws no `r` does not say when its job became ready.
    ///
    /// - Throws: `ExpectationFailure`, which prints the expected schedule and the actual one under each other, with the first difference
    ///   marked.
    public func expect(_ diagram: ScheduleDiagram) throws(ExpectationFailure) {
        if let difference = self.diagram.difference(from: diagram) { throw difference }
    }

    /// Expects the schedule that `drawing` shows, see `expect(_:)` and `ScheduleDiagram`.
    ///
    /// - Throws: `ScheduleDiagram.ParsingError` if it is no drawing, `ExpectationFailure` if it is not the schedule.
    public func expect(_ drawing: String) throws {
        try expect(ScheduleDiagram(parsing: drawing))
    }

    /// Why a job has no place in any order.
    private func problem(of life: History.Life?, named name: String, in history: History) -> String? {
        guard let life else {
            let known = history.lives.prefix(20).map { "\"\($0.label)\"" }.joined(separator: ", ")
            let more = history.lives.count > 20 ? " and \(history.lives.count - 20) more" : ""
            return "no job \(name) was recorded\(known.isEmpty ? "" : "; known are \(known)\(more)")"
        }
        if life.started != nil { return nil }
        return life.finished == nil ? "\(name) has not begun" : "\(name) ended without having begun"
    }

    private func violation(_ previous: (name: String, life: History.Life), _ life: History.Life?, named name: String) -> String? {
        guard let started = life?.started, let before = previous.life.started else { return nil }
        if started.place < before.place { return "\(name) began first" }
        guard let end = previous.life.finished, end.place < started.place else {
            return "\(name) began while \(previous.name) was executing"
        }
        return nil
    }

    /// The whole schedule if a reader can take it in, or the rows that matter.
    private func drawing(of history: History, for names: [String]) -> String {
        let whole = ScheduleDiagram(of: history)
        if history.lives.count <= 24 && history.ticks <= 120 { return whole.description }
        let part = whole.showing(names.map(ScheduleDiagram.Row.drawnName))
        let left = history.lives.count - part.rows.count
        return "\(part)\n(\(left) more jobs)"
    }

    private func describe(_ job: any JobReference) -> String {
        if let job = job as? Job { return job.name ?? "\(job.id)" }
        return "\(job)"
    }
}
