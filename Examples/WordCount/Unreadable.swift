// A file or folder that cannot be read, and why: the one thing that may go wrong without spoiling the rest.

import Foundation

struct Unreadable: Error, CustomStringConvertible {
    let path: Path
    let reason: String

    init(_ path: Path, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    init(_ path: Path, _ code: Int32) { self.init(path, String(cString: strerror(code))) }

    var description: String { "\(path): \(reason)" }
}
