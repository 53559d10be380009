// Numbers that look random and are the same in every run.

struct Randomness: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Edges between jobs in random order, each once, without a ring: they all agree with one order of the jobs, which is hidden, so that
/// neither the indices nor the order of the edges give it away.
///
/// - Returns: Pairs of a dependency and its dependent.
func hiddenOrderEdges(_ count: Int, jobs: Int) -> [(Int, Int)] {
    var randomness = Randomness(seed: 20_240_229)
    let order = Array(0..<jobs).shuffled(using: &randomness)
    var known: Set<Int> = []
    var edges: [(Int, Int)] = []
    while edges.count < count {
        let first = Int.random(in: 0..<jobs, using: &randomness), second = Int.random(in: 0..<jobs, using: &randomness)
        guard first < second, known.insert(first * jobs + second).inserted else { continue }
        edges.append((order[first], order[second]))
    }
    return edges
}
