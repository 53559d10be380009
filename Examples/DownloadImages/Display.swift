// How the board looks: plain lines in a file or a pipe; on a terminal also one bar for each download that is running.

import WorkQueues

protocol Display: Sendable {
    mutating func started(_ download: Download, _ line: String)
    mutating func progressed(_ download: Download, _ line: String)
    mutating func ended(_ download: Download, _ line: String)
}

/// A line for each start and end, and for each quarter that has arrived.
struct PlainLines: Display {
    private var quarters: [Job.ID: Int] = [:]

    func started(_ download: Download, _ line: String) { Console.show("\(line)\n") }

    mutating func progressed(_ download: Download, _ line: String) {
        let quarter = Int(download.progress.fraction * 4)
        guard 1...3 ~= quarter, quarter > quarters[download.id, default: 0] else { return }
        quarters[download.id] = quarter
        Console.show("\(line)\n")
    }

    func ended(_ download: Download, _ line: String) { Console.show("\(line)\n") }
}

/// Lines for starts and ends, and below them the bars, drawn anew when something has changed.
struct Bars: Display {
    private var running: [Download] = []
    private var drawn = (lines: 0, at: ContinuousClock.now)

    mutating func started(_ download: Download, _ line: String) {
        running.append(download)
        draw(below: "\(line)\n")
    }

    /// Twenty pictures a second are enough, however fast the data comes.
    mutating func progressed(_ download: Download, _ line: String) {
        if ContinuousClock.now - drawn.at >= .milliseconds(50) { draw() }
    }

    mutating func ended(_ download: Download, _ line: String) {
        running.removeAll { $0 == download }
        draw(below: "\(line)\n")
    }

    /// Not more bars than fit on a small terminal, for what has scrolled away cannot be drawn anew.
    private mutating func draw(below line: String = "") {
        let bars = running.prefix(16).map { "\(bar($0.progress.fraction)) \($0.title) \($0.progress)\n" }
        let erase = drawn.lines > 0 ? "\u{1B}[\(drawn.lines)A\u{1B}[J" : ""
        Console.show(erase + line + bars.joined())
        drawn = (bars.count, .now)
    }

    private func bar(_ fraction: Double) -> String {
        let full = Int(fraction * 24)
        return String(repeating: "█", count: full) + String(repeating: "░", count: 24 - full)
    }
}
