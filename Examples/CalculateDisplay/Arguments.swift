// The command line: two integers, or nothing for the tutorial's 5 and 10.

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

func operands() -> (Int, Int) {
    let words = CommandLine.arguments.dropFirst()
    if words.isEmpty { return (5, 10) }

    let numbers = words.compactMap { Int($0) }
    guard words.count == 2, numbers.count == 2 else {
        quit("usage: CalculateDisplay [a b]        a and b are integers; 5 and 10 unless given", code: 64)
    }
    return (numbers[0], numbers[1])
}

func quit(_ message: String, code: Int32) -> Never {
    let line = Array("\(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(code)
}
