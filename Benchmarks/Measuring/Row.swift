// One line of the results, and its two forms.

/// What came out of one scenario, or of one variant of it.
struct Row {
    /// What the two figures count. All but a few rows compare times per job.
    enum Unit: String { case ns, bytes, jobs }

    let scenario: String
    var subject = "WorkQueue"
    let n: Int
    /// Nil where no width has a part in it; -1 is the automatic width.
    let width: Int?
    let figure: Double
    let rival: String
    let rivalFigure: Double
    let target: Double?
    var unit = Unit.ns

    var ratio: Double { figure / rivalFigure }

    /// Nil where there is no target.
    var isMet: Bool? { target.map { ratio <= $0 } }

    /// An object of its own on one line.
    var json: String {
        let fields: [(String, String)] = [
            ("scenario", quoted(scenario)), ("subject", quoted(subject)), ("n", "\(n)"), ("width", width.map { "\($0)" } ?? "null"),
            ("nsPerJob", "\(rounded(figure, digits: 4))"), ("rival", quoted(rival)),
            ("rivalNsPerJob", "\(rounded(rivalFigure, digits: 4))"), ("ratio", "\(rounded(ratio, digits: 4))"),
            ("target", target.map { "\(rounded($0, digits: 4))" } ?? "null"), ("met", isMet.map { "\($0)" } ?? "null"),
            ("unit", quoted(unit.rawValue)),
        ]
        return "{" + fields.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }

    // The names of scenarios and rivals hold nothing that would need escaping.
    private func quoted(_ text: String) -> String { "\"\(text)\"" }
}

/// The table for people; the ratios come first, since they are what a noisy machine leaves standing.
enum Table {
    private static let columns: [(title: String, width: Int)] = [
        ("scenario", 27), ("ratio", 9), ("target", 7), ("met", 4), ("ours", 10), ("rival's", 10), ("", 5), ("n", 9), ("width", 5),
    ]

    static var header: String { line(columns.map(\.title)) + "  rival" }

    static func line(for row: Row) -> String {
        let cells = [
            row.scenario, digits(row.ratio), row.target.map(digits) ?? "", row.isMet.map { $0 ? "yes" : "NO" } ?? "",
            digits(row.figure), digits(row.rivalFigure), row.unit.rawValue, "\(row.n)", row.width.map { $0 < 0 ? "auto" : "\($0)" } ?? "",
        ]
        return line(cells) + "  " + row.rival
    }

    private static func line(_ cells: [String]) -> String {
        zip(cells, columns).enumerated().map { index, pair in
            let (cell, column) = pair
            let padding = String(repeating: " ", count: max(0, column.width - cell.count))
            return index == 0 ? cell + padding : padding + cell
        }.joined(separator: " ")
    }

    /// Three significant digits; of large numbers all digits before the point.
    private static func digits(_ value: Double) -> String {
        value.magnitude >= 1_000 ? "\(Int(value.rounded()))" : "\(rounded(value, digits: 3))"
    }
}
