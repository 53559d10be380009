// Who takes the next step.

/// Chooses among those who could take the next step.
protocol Director {
    /// The position of the chosen one among `count` candidates. `current` is the position of the one who took the last step, if it can go
    /// on.
    mutating func choose(among count: Int, current: Int?) -> Int

    /// What was decided so far, if the director keeps it.
    var decisions: [Decision] { get }
}

/// Chooses at random; the same seed chooses the same.
struct SeededDirector: Director {
    private var generator: SplitMix

    init(seed: UInt64) { generator = SplitMix(seed: seed) }

    var decisions: [Decision] { [] }

    mutating func choose(among count: Int, current: Int?) -> Int { count == 1 ? 0 : Int.random(in: 0..<count, using: &generator) }
}

/// The generator SplitMix64 of Steele, Lea and Flood (2014): small, fast, and every seed is a good one.
package struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// One decision of a run: what was chosen, among how many.
struct Decision: Equatable, Sendable {
    let chosen: Int
    let count: Int
    /// What is chosen where nothing else is said: the one who took the last step goes on, else the first one.
    let natural: Int
    /// The one who took the last step could have gone on: any other choice interrupts it.
    let canGoOn: Bool

    var isPreemption: Bool { canGoOn && chosen != natural }
}

/// Chooses what a script says at the decisions it names, and the natural one everywhere else.
struct ScriptedDirector: Director {
    /// What to choose, by the number of the decision.
    let script: [Int: Int]
    private(set) var decisions: [Decision] = []

    init(script: [Int: Int]) { self.script = script }

    mutating func choose(among count: Int, current: Int?) -> Int {
        let natural = current ?? 0
        let chosen = script[decisions.count].map { min($0, count - 1) } ?? natural
        decisions.append(Decision(chosen: chosen, count: count, natural: natural, canGoOn: current != nil))
        return chosen
    }
}
