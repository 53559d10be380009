// Comparing a recorded schedule with one that somebody drew.

/// A comparison, change by change, of the rows that were drawn.
private struct ScheduleComparison {
    /// A change of one row.
    struct Step: Hashable {
        var row: Int
        var cell: ScheduleDiagram.Cell
    }

    /// Where the schedules part.
    enum Parting {
        /// Another change came than one of these.
        case other(Step, insteadOf: [Step])
        /// One of these did not come.
        case missing([Step])
        /// One more came.
        case further(Step)
    }

    let names: [String]
    /// The changes, those of one column together.
    let expected: [[Step]]
    let actual: [[Step]]

    init(expected: [ScheduleDiagram.Row], actual: [ScheduleDiagram.Row]) {
        names = expected.map(\.name)
        // A row without an `r` does not ask for it.
        let asksForReady = expected.map { row in row.changes.contains { $0.cell == .ready } }
        self.expected = Self.columns(of: expected, asksForReady: asksForReady)
        self.actual = Self.columns(of: actual, asksForReady: asksForReady)
    }

    private static func columns(of rows: [ScheduleDiagram.Row], asksForReady: [Bool]) -> [[Step]] {
        var columns: [Int: [Step]] = [:]
        for (index, row) in rows.enumerated() {
            var cell = ScheduleDiagram.Cell.waiting
            for change in row.changes {
                let next = change.cell == .ready && !asksForReady[index] ? .waiting : change.cell
                if next != cell { columns[change.tick, default: []].append(Step(row: index, cell: next)) }
                cell = next
            }
        }
        return columns.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The first difference, and how many changes come before it.
    func parting() -> (Parting, place: Int)? {
        var actual = actual[...]
        var place = 0
        for column in expected {
            var open = Set(column)
            while !open.isEmpty {
                guard let steps = actual.popFirst() else { return (.missing(sorted(open)), place) }
                // A column of the actual schedule that has more than is due was to be several.
                for step in steps {
                    guard open.remove(step) != nil else { return (.other(step, insteadOf: sorted(open)), place) }
                    place += 1
                }
            }
        }
        return actual.first.flatMap { $0.first }.map { (.further($0), place) }
    }

    private func sorted(_ steps: Set<Step>) -> [Step] { steps.sorted { $0.row < $1.row } }

    func describe(_ parting: Parting) -> String {
        switch parting {
        case .other(let step, let due):
            due.isEmpty ? "\(past(step)) too early" : "\(past(step)) where \(future(due))"
        case .missing(let due): "it ends where \(future(due))"
        case .further(let step): "\(past(step)) where nothing more was to happen"
        }
    }

    private func past(_ step: Step) -> String {
        let deed =
            switch step.cell {
            case .waiting: "waited again"
            case .ready: "became ready"
            case .executing: "began"
            case .finished: "finished"
            case .cancelled: "was cancelled"
            case .failed: "failed"
            }
        return "\"\(names[step.row])\" \(deed)"
    }

    private func future(_ steps: [Step]) -> String {
        steps.map { step in
            let deed =
                switch step.cell {
                case .waiting: "wait again"
                case .ready: "become ready"
                case .executing: "begin"
                case .finished: "finish"
                case .cancelled: "be cancelled"
                case .failed: "fail"
                }
            return "\"\(names[step.row])\" was to \(deed)"
        }.joined(separator: " or ")
    }

    /// A drawing in which each column of changes is as wide as it has changes, so that two schedules stand under each other.
    func drawing(of columns: [[Step]]) -> ScheduleDiagram {
        var changes = names.map { _ in [ScheduleDiagram.Change]() }
        var tick = 1
        for column in columns {
            for step in column { changes[step.row].append(ScheduleDiagram.Change(tick: tick, cell: step.cell)) }
            tick += column.count
        }
        return ScheduleDiagram(rows: zip(names, changes).map { ScheduleDiagram.Row(name: $0, changes: $1, lastTick: tick - 1) })
    }
}

extension ScheduleDiagram {
    /// Whether this schedule is the one drawn in `expected`, as far as it is drawn; see `JobRecorder.expect(_:)`.
    public func matches(_ expected: ScheduleDiagram) -> Bool { difference(from: expected) == nil }

    /// What to say if this schedule is not the one drawn in `expected`.
    func difference(from expected: ScheduleDiagram) -> ExpectationFailure? {
        let own = Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let missing = expected.rows.filter { own[$0.name] == nil }.map { "\"\($0.name)\"" }
        guard missing.isEmpty else {
            let drawing = Self.drawing(expected: expected, actual: showing(expected.rows.map(\.name)), marked: nil)
            return ExpectationFailure("The schedule has no \(missing.joined(separator: ", no ")).", drawing: drawing)
        }
        let comparison = ScheduleComparison(expected: expected.rows, actual: expected.rows.compactMap { own[$0.name] })
        guard let (parting, place) = comparison.parting() else { return nil }
        let drawing = Self.drawing(
            expected: comparison.drawing(of: comparison.expected), actual: comparison.drawing(of: comparison.actual), marked: place + 1)
        return ExpectationFailure("The schedule is not the one drawn: \(comparison.describe(parting)).", drawing: drawing)
    }

    private static func drawing(expected: ScheduleDiagram, actual: ScheduleDiagram, marked column: Int?) -> String {
        var lines = ["expected:", expected.drawing(indent: "  "), "actual:"]
        lines.append(actual.rows.isEmpty ? "  (nothing)" : actual.drawing(indent: "  "))
        if let column {
            let longest = expected.rows.map(\.name.count).max() ?? 0
            lines.append(String(repeating: " ", count: 2 + longest + 2 + column) + "^")
        }
        return lines.joined(separator: "\n")
    }
}
