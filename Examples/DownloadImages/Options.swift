// What the command line asks for.

import Foundation

struct Options {
    var mode = Mode.concurrent
    var count = 4

    /// What to download; nil: images of our own.
    var urls: [URL]?

    /// Reads the command line, or says how to write it and ends the program with code 64.
    static func fromCommandLine() -> Options {
        do {
            return try Options(CommandLine.arguments.dropFirst())
        } catch {
            Console.complain(
                """
                \(error.problem)
                usage: DownloadImages [--mode serial | concurrent | dependent | cancel] [--count N | URL...]
                  --mode     one after the other, all at once (the default), the last one first, or cancelled half-way
                  --count N  how many images a server of our own makes and serves, at least 1 (default: 4)
                  URL...     what to download instead
                """)
            exit(64)
        }
    }

    private init(_ words: ArraySlice<String>) throws(UsageError) {
        var rest = words
        var givenCount: Int?
        var givenURLs: [URL] = []
        while let word = rest.popFirst() {
            switch word {
            case "--mode": mode = try Options.value(of: word, rest.popFirst(), Mode.init(rawValue:))
            case "--count": givenCount = try Options.value(of: word, rest.popFirst()) { Int($0).flatMap { $0 > 0 ? $0 : nil } }
            case let option where option.hasPrefix("-"): throw UsageError(problem: "there is no option \(option)")
            default: givenURLs.append(try Options.value(of: "URL", word, webAddress))
            }
        }
        if givenCount != nil, !givenURLs.isEmpty { throw UsageError(problem: "--count is for our own images, not for URLs") }
        count = givenCount ?? count
        urls = givenURLs.isEmpty ? nil : givenURLs
    }

    private static func value<Value>(
        of option: String, _ word: String?, _ parse: (String) -> Value?
    ) throws(UsageError) -> Value {
        guard let word else { throw UsageError(problem: "\(option) needs a value") }
        guard let value = parse(word) else { throw UsageError(problem: "\(word) is no value for \(option)") }
        return value
    }
}

private struct UsageError: Error {
    let problem: String
}

private func webAddress(_ word: String) -> URL? {
    guard let url = URL(string: word), url.host != nil, ["http", "https"].contains(url.scheme) else { return nil }
    return url
}
