// A schedule as text: a row per job, a column per change.

/// A drawing of who waited, executed and ended when, in terms of each other.
///
/// ```
/// fetch  .rr=|
/// parse  .....r=|
/// check  ..rrrrrr=!
/// ```
///
/// Each row belongs to one job: its name, blanks, and a sign for each column.
///
/// | sign | the job |
/// |---|---|
/// | `.` | waits, or was not added yet |
/// | `r` | is ready: nothing but a slot is missing |
/// | `=` | executes |
/// | `\|` | has finished in this column |
/// | `x` | was cancelled in this column |
/// | `!` | failed in this column |
///
/// A column is a tick: one event by which one job's phase changed. Columns stand for the order of things, not for time; a tenth of a
/// second and an hour are equally wide. The first column is how it was before anything happened. After a job's end its row is blank.
///
/// A recorder draws what it has seen (`JobRecorder.diagram`) and compares it with what a test has drawn (`JobRecorder.expect(_:)`, which
/// says what a comparison disregards). `==` asks whether two drawings are the same, column by column.
///
/// A diagram is no string literal, though it looks like one: a literal could not say what is wrong with it without ending the process.
public struct ScheduleDiagram: Hashable, Sendable, CustomStringConvertible {
    /// The signs of a drawing. More may come: write `@unknown default`.
    @nonexhaustive
    public enum Cell: Character, Sendable, CaseIterable {
        case waiting = "."
        case ready = "r"
        case executing = "="
        case finished = "|"
        case cancelled = "x"
        case failed = "!"

        /// Whether the row is blank after this.
        var isEnd: Bool {
            switch self {
            case .finished, .cancelled, .failed: true
            case .waiting, .ready, .executing: false
            }
        }
    }

    /// A tick at which a row shows another sign than before.
    struct Change: Hashable, Sendable {
        var tick: Int
        var cell: Cell
    }

    /// One job's row.
    public struct Row: Hashable, Sendable {
        /// The job's name. Blanks at its ends are taken away, and others made one space each, so that it can be read back.
        public let name: String
        /// Where the sign changes. Before the first change the job waits. A row of a thousand signs may have three changes.
        let changes: [Change]
        /// How many columns are drawn.
        let width: Int

        /// A row that is drawn up to its job's end, or to `lastTick` if there is none.
        init(name: String, changes: [Change], lastTick: Int) {
            self.name = Self.drawnName(of: name)
            self.changes = changes
            if let last = changes.last, last.cell.isEnd { width = last.tick + 1 } else { width = lastTick + 1 }
        }

        static func drawnName(of name: String) -> String { name.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

        /// The signs of the row. Blanks after the end do not count.
        public var cells: [Cell] {
            var cells: [Cell] = []
            var cell = Cell.waiting
            for change in changes {
                cells += repeatElement(cell, count: change.tick - cells.count)
                cell = change.cell
            }
            cells += repeatElement(cell, count: width - cells.count)
            return cells
        }
    }

    /// The rows, from top to bottom.
    public let rows: [Row]

    init(rows: [Row]) { self.rows = rows }

    /// Draws a recorded history.
    init(of history: History) {
        rows = history.lives.map { Row(name: $0.label, changes: $0.changes, lastTick: history.ticks) }
    }

    /// The drawing: a line per row, names padded to the same width. It can be parsed again.
    ///
    /// - Complexity: O(rows · columns), in time and in characters.
    public var description: String { drawing(indent: "") }

    func drawing(indent: String) -> String {
        let longest = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            let padding = String(repeating: " ", count: longest - row.name.count)
            return "\(indent)\(row.name)\(padding)  \(String(row.cells.map(\.rawValue)))"
        }.joined(separator: "\n")
    }

    /// The rows of these names alone, without the columns in which nothing happens in them. Names without a row are left out.
    public func showing(_ names: [String]) -> ScheduleDiagram {
        let names = Set(names)
        let kept = rows.filter { names.contains($0.name) }
        let ticks = Set(kept.flatMap { $0.changes.map(\.tick) }).sorted()
        let renumbered = Dictionary(uniqueKeysWithValues: zip(ticks, 1...))
        return ScheduleDiagram(
            rows: kept.map { row in
                let changes = row.changes.map { Change(tick: renumbered[$0.tick] ?? 0, cell: $0.cell) }
                return Row(name: row.name, changes: changes, lastTick: ticks.count)
            })
    }
}
