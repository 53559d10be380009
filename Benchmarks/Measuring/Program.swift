// This program as a process: its path, its output, its children, its end.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

enum Program {
    /// The path of this program.
    static let path: String = {
        #if os(Linux)
        var buffer = [CChar](repeating: 0, count: 4_096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        if length > 0 { return String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self) }
        #endif
        return CommandLine.arguments[0]
    }()

    /// Runs a command of the shell to its end; its lines on standard output, or nil if it failed.
    static func lines(of command: String) -> [String]? {
        guard let pipe = popen(command, "r") else { return nil }
        var lines: [String] = []
        while let line = nextLine(of: pipe) { lines.append(line) }
        return pclose(pipe) == 0 ? lines : nil
    }

    static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    static func complain(_ line: String) {
        fflush(nil)
        let bytes = Array((line + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    static func end(_ status: Int32) -> Never {
        fflush(nil)
        exit(status)
    }
}

/// The next line of a file, without its end.
func nextLine(of file: UnsafeMutablePointer<FILE>) -> String? {
    var buffer = [CChar](repeating: 0, count: 4_096)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    return String(decoding: buffer.prefix(while: { $0 != 0 && $0 != 10 }).map(UInt8.init(bitPattern:)), as: UTF8.self)
}
