// Addition that reports a sum too large for an `Int` instead of stopping the program.

struct SumTooLarge: Error, CustomStringConvertible {
    let first: Int
    let second: Int

    var description: String { "the sum of \(first) and \(second) does not fit in \(Int.bitWidth) bits" }
}

func adding(_ first: Int, _ second: Int) throws -> Int {
    let (sum, overflow) = first.addingReportingOverflow(second)
    guard !overflow else { throw SumTooLarge(first: first, second: second) }
    return sum
}
