// Where the program speaks, at once and unbuffered: what it does on standard output, complaints on standard error.

import Foundation

enum Console {
    static let isTerminal = isatty(STDOUT_FILENO) == 1

    static func show(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    static func complain(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data("DownloadImages: \(message)\n".utf8))
    }
}
