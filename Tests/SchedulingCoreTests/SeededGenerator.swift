// Random numbers that come again when the seed does.

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Some seeds that never change and one that is new in each run; it is printed so that its world can be looked at again.
func seeds(_ fixed: UInt64..., name: String = #function) -> [UInt64] {
    let fresh = UInt64.random(in: 1 ... .max)
    print("\(name): fresh seed \(fresh)")
    return fixed + [fresh]
}
