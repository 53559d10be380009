// What the command line asks for.

import Foundation
import WorkQueues

struct Options {
    var jobs = WorkQueue.defaultMaxConcurrentJobCount
    var top = 20
    var paths: [Path] = []

    /// Reads the command line, or says how to write it and ends the program with code 64.
    static func fromCommandLine() -> Options {
        do {
            let words = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
            return try Options(words.dropFirst().map { Path($0!) })
        } catch {
            Console.report(
                """
                \(error.problem)
                usage: WordCount [--jobs N] [--top K] PATH...
                  --jobs N   how many files to count at the same time, at least 1 (default: what keeps the machine busy)
                  --top K    how many words to show (default: 20)
                """)
            exit(64)
        }
    }

    private init(_ words: [Path]) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word.description {
            case "--jobs": jobs = try Options.number(for: "--jobs", rest.popFirst(), atLeast: 1)
            case "--top": top = try Options.number(for: "--top", rest.popFirst(), atLeast: 0)
            case "--":
                paths += rest
                rest = []
            case let option where option.hasPrefix("-"): throw UsageError(problem: "there is no option \(option)")
            default: paths.append(word)
            }
        }
        if paths.isEmpty { throw UsageError(problem: "no path given") }
    }

    private static func number(for option: String, _ word: Path?, atLeast minimum: Int) throws(UsageError) -> Int {
        guard let number = word.flatMap({ Int($0.description) }), number >= minimum else {
            throw UsageError(problem: "\(option) needs a whole number, at least \(minimum)")
        }
        return number
    }
}

private struct UsageError: Error {
    let problem: String
}
