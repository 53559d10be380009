// A schedule as a value, and as the token that people copy.

/// Which choices a run makes.
enum Schedule: Equatable, Sendable {
    /// At these decisions something else than the natural choice.
    case script([Int: Int])
    case seed(UInt64)

    var director: any Director {
        switch self {
        case .script(let script): ScriptedDirector(script: script)
        case .seed(let seed): SeededDirector(seed: seed)
        }
    }

    /// `p` and the choices as `DECISION:CHOICE`, joined by dots; or `s` and the seed. Digits and few signs, so that a shell takes it as
    /// it is.
    var token: String {
        switch self {
        case .script(let script): "p" + script.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ".")
        case .seed(let seed): "s\(seed)"
        }
    }

    init?(token: String) {
        switch token.first {
        case "s":
            guard let seed = UInt64(token.dropFirst()) else { return nil }
            self = .seed(seed)
        case "p":
            var script: [Int: Int] = [:]
            for pair in token.dropFirst().split(separator: ".", omittingEmptySubsequences: true) {
                let parts = pair.split(separator: ":")
                guard parts.count == 2, let decision = Int(parts[0]), let choice = Int(parts[1]), decision >= 0, choice >= 0 else {
                    return nil
                }
                script[decision] = choice
            }
            self = .script(script)
        default: return nil
        }
    }
}

/// Walks through all schedules within a bound of pre-emptions, fewest pre-emptions first.
///
/// A schedule is known by its choices that are not the natural ones. Each run shows which decisions it came to; its successors differ
/// from it in one decision after its last unnatural one. So every schedule is met once, and none needs to be remembered but those still
/// to come.
struct ScheduleSearch {
    private let bound: Int
    /// The schedules to come, by their number of pre-emptions.
    private var pending: [[[Int: Int]]]

    init(bound: Int) {
        self.bound = max(0, bound)
        pending = Array(repeating: [], count: self.bound + 1)
        pending[0] = [[:]]
    }

    var isExhausted: Bool { pending.allSatisfy { $0.isEmpty } }

    /// The next schedule to run.
    mutating func next() -> [Int: Int]? {
        guard let level = pending.firstIndex(where: { !$0.isEmpty }) else { return nil }
        return pending[level].removeLast()
    }

    /// A schedule was run, and came to these decisions.
    mutating func explored(_ script: [Int: Int], decisions: [Decision]) {
        let begin = (script.keys.max() ?? -1) + 1
        let cost = decisions.prefix(begin).count(where: \.isPreemption)
        for index in decisions.indices.dropFirst(begin) {
            let decision = decisions[index]
            let level = cost + (decision.canGoOn ? 1 : 0)
            if level > bound { continue }
            for choice in 0..<decision.count where choice != decision.natural {
                var successor = script
                successor[index] = choice
                pending[level].append(successor)
            }
        }
    }
}
