// Reads the package's own sources for tests of how they are written.
import Foundation

/// A line of a source file without its comments.
struct SourceLine {
    /// The path below the folder that was read.
    let file: String
    let number: Int
    let code: String
}

enum SourceReader {
    /// The folder of the package, found from where this file was compiled.
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every line of every Swift file below a folder of the package, in the order of their paths; none if the folder is not there.
    static func lines(below folder: String) throws -> [SourceLine] {
        let root = package.appendingPathComponent(folder)
        let files = (FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }
        return try files.sorted().flatMap { file in
            lines(of: try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8), file: file)
        }
    }

    /// The lines of a text without comments. Literals stay, because code may be interpolated into them.
    static func lines(of text: String, file: String) -> [SourceLine] {
        // Block comments nest.
        var depth = 0
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            SourceLine(file: file, number: index + 1, code: code(of: line, &depth))
        }
    }

    private static func code(of line: Substring, _ depth: inout Int) -> String {
        var code = "", isInLiteral = false
        var rest = line
        while let next = rest.first {
            if depth > 0 {
                if rest.hasPrefix("*/") { depth -= 1 } else if rest.hasPrefix("/*") { depth += 1 }
                rest = rest.dropFirst(rest.hasPrefix("*/") || rest.hasPrefix("/*") ? 2 : 1)
                continue
            }
            if isInLiteral && next == "\\" {
                code += rest.prefix(2)
                rest = rest.dropFirst(2)
                continue
            }
            if next == "\"" { isInLiteral.toggle() }
            if !isInLiteral && rest.hasPrefix("//") { break }
            if !isInLiteral && rest.hasPrefix("/*") {
                depth += 1
                rest = rest.dropFirst(2)
                continue
            }
            code.append(next)
            rest = rest.dropFirst()
        }
        return code
    }
}
