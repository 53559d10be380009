// Compares what n cost with what ten times n cost, which a quadratic step betrays on any machine.
import XCTest

/// Fails when `factor` times the work takes more than `limit` times as long: three times the linear cost leaves room for a noisy machine,
/// and a quadratic cost would be a hundred times.
func assertScales(
    _ what: String, from count: Int, times factor: Int = 10, limit: Double = 30, file: StaticString = #filePath, line: UInt = #line,
    _ cost: (Int) -> Duration
) {
    // What is too short to measure counts as a millisecond.
    let few = max(.milliseconds(1), min(cost(count), cost(count)))
    var many = Duration.zero
    for _ in 1...3 {
        many = cost(count * factor)
        if many / few <= limit { return }
    }
    XCTFail("\(what): \(count) took \(few), \(count * factor) took \(many)", file: file, line: line)
}
