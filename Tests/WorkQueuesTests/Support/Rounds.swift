// How often repeated tests repeat: a fifth of what the scenario names, unless WORKQUEUES_STRESS says otherwise.
import Foundation

enum Rounds {
    /// 1 runs the numbers of the scenarios as they stand.
    static let stress = ProcessInfo.processInfo.environment["WORKQUEUES_STRESS"].flatMap(Double.init) ?? 0.2

    static func scaled(_ rounds: Int) -> Int {
        max(1, Int(Double(rounds) * stress))
    }
}
