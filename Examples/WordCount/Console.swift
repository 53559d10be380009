// Where the program speaks: results on standard output, everything else on standard error.

import Foundation

enum Console {
    static let isTerminal = isatty(STDERR_FILENO) == 1

    static func show(_ results: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data(results.utf8))
    }

    /// One line about something that went wrong; on a terminal it takes the place of the progress, which is drawn again below it.
    static func report(_ message: String) {
        say("\(isTerminal ? eraseLine : "")WordCount: \(message)\n")
    }

    static func draw(progress: String) {
        say(eraseLine + progress)
    }

    private static let eraseLine = "\r\u{1B}[K"

    private static func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
