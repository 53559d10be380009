// A file open for reading, closed when it is let go.

import Foundation

struct File: ~Copyable {
    private let path: Path
    private let descriptor: Int32

    /// Opens without waiting and without following a link: the entry may have been replaced since it was listed.
    init(reading path: Path) throws(Unreadable) {
        self.path = path
        descriptor = open(path.bytes, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0 { throw Unreadable(path, errno) }
    }

    deinit { close(descriptor) }

    /// Fills `bytes` behind the first `offset` ones with what comes next in the file; returns how many came, 0 at its end.
    func next(into bytes: inout [UInt8], from offset: Int) throws(Unreadable) -> Int {
        let length = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + offset, $0.count - offset) }
        guard length >= 0 else { throw Unreadable(path, errno) }
        return length
    }
}
