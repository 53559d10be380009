// Reading a drawn schedule.

extension ScheduleDiagram {
    /// Why a text is no drawing of a schedule, and where.
    public struct ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// Counted from 1, empty lines too.
        public let line: Int
        /// In characters, counted from 1.
        public let column: Int
        public let message: String

        public var description: String { "line \(line), column \(column): \(message)" }
    }

    /// Reads a drawing.
    ///
    /// A line is a row: a name, blanks, and the signs, without a blank between them. The name may contain blanks; the signs are what
    /// comes after the last one. Empty lines, and blanks at both ends of a line, mean nothing. The names are different from each other.
    ///
    /// - Throws: `ParsingError` for the first thing that is wrong.
    public init(parsing text: String) throws(ParsingError) {
        var rows: [Row] = []
        var names: Set<String> = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            guard let row = try Row(parsing: line, number: index + 1) else { continue }
            guard names.insert(row.name).inserted else {
                let column = 1 + line.prefix { $0.isWhitespace }.count
                throw ParsingError(line: index + 1, column: column, message: "there is a row \"\(row.name)\" already.")
            }
            rows.append(row)
        }
        self.init(rows: rows)
    }
}

extension ScheduleDiagram.Row {
    /// Nil for an empty line.
    fileprivate init?(parsing line: Substring, number: Int) throws(ScheduleDiagram.ParsingError) {
        guard let first = line.firstIndex(where: { !$0.isWhitespace }), let last = line.lastIndex(where: { !$0.isWhitespace }) else {
            return nil
        }
        let content = line[first...last]
        func failure(at index: Substring.Index, _ message: String) -> ScheduleDiagram.ParsingError {
            ScheduleDiagram.ParsingError(
                line: number, column: 1 + line.distance(from: line.startIndex, to: index), message: message)
        }
        guard let blank = content.lastIndex(where: \.isWhitespace) else {
            throw failure(at: first, "a row is a name, blanks, and the signs of the job; here is only \"\(content)\".")
        }
        var changes: [ScheduleDiagram.Change] = []
        var cell = ScheduleDiagram.Cell.waiting
        let signs = content[content.index(after: blank)...]
        for (tick, index) in signs.indices.enumerated() {
            guard let next = ScheduleDiagram.Cell(rawValue: signs[index]) else {
                throw failure(at: index, "\"\(signs[index])\" is no sign of a schedule; the signs are . r = | x and !")
            }
            if cell.isEnd { throw failure(at: index, "nothing follows the end of a job, \"\(cell.rawValue)\".") }
            if next != cell { changes.append(ScheduleDiagram.Change(tick: tick, cell: next)) }
            cell = next
        }
        self.init(name: String(content[..<blank]), changes: changes, lastTick: signs.count - 1)
    }
}
