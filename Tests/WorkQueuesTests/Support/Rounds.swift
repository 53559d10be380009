// How often repeated tests repeat: a fifth of what the scenario names, unless WORKQUEUES_STRESS or WORKQUEUES_ROUNDS says otherwise.
import Foundation

enum Rounds {
    /// 1 runs the numbers of the scenarios as they stand.
    static let stress = ProcessInfo.processInfo.environment["WORKQUEUES_STRESS"].flatMap(Double.init) ?? 0.2
    /// The fewest rounds of any test.
    private static let least = ProcessInfo.processInfo.environment["WORKQUEUES_ROUNDS"].flatMap(Int.init) ?? 1

    static func scaled(_ rounds: Int) -> Int {
        max(least, Int(Double(rounds) * stress), 1)
    }
}
