// Finds the regular files at or below some paths; no recursion, one open folder at a time, and symbolic links are not followed.

import Foundation

/// Calls `body` with each regular file, and with each path, folder or entry that cannot be read.
func forEachFile(below paths: [Path], _ body: (Result<Path, Unreadable>) throws -> Void) throws {
    var unvisited = paths.reversed().map { (path: $0, isNamed: true) }
    while let (path, isNamed) = unvisited.popLast() {
        do {
            switch try typeOfEntry(path) {
            case S_IFREG: try body(.success(path))
            case S_IFDIR: unvisited += try entries(of: path).map { (path: $0, isNamed: false) }
            case _ where isNamed: throw Unreadable(path, "neither a file nor a folder (symbolic links are not followed)")
            default: break
            }
        } catch let unreadable as Unreadable {
            try body(.failure(unreadable))
        }
    }
}

private func typeOfEntry(_ path: Path) throws(Unreadable) -> mode_t {
    var status = stat()
    guard lstat(path.bytes, &status) == 0 else { throw Unreadable(path, errno) }
    return status.st_mode & S_IFMT
}

private func entries(of folder: Path) throws(Unreadable) -> [Path] {
    guard let stream = opendir(folder.bytes) else { throw Unreadable(folder, errno) }
    defer { closedir(stream) }

    var entries: [Path] = []
    errno = 0
    while let entry = readdir(stream) {
        let name = UnsafeRawPointer(entry).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name)!)
            .assumingMemoryBound(to: CChar.self)
        if strcmp(name, ".") != 0, strcmp(name, "..") != 0 { entries.append(folder.appending(name)) }
    }
    guard errno == 0 else { throw Unreadable(folder, errno) }
    return entries
}
