// Every graph over a few jobs, with barriers among them or without.

/// A graph over jobs that are numbered in the order of adding.
struct SmallGraph {
    let size: Int
    /// `dependencies[n]` are the jobs that job n depends on, earlier or later ones.
    let dependencies: [[Int]]
    let barriers: Set<Int>

    /// All labelled graphs without a ring. As the labels are the order of adding, this is each shape in each order in which it can be
    /// added. A ring through a barrier is one too.
    static func all(size: Int, barriers: Set<Int> = []) -> [SmallGraph] {
        let pairs = (0..<size).flatMap { from in (0..<size).filter { $0 != from }.map { (from, $0) } }
        return (0..<1 << pairs.count).compactMap { choice in
            var dependencies = [[Int]](repeating: [], count: size)
            for (bit, pair) in pairs.enumerated() where choice & 1 << bit != 0 { dependencies[pair.0].append(pair.1) }
            let graph = SmallGraph(size: size, dependencies: dependencies, barriers: barriers)
            return graph.hasRing ? nil : graph
        }
    }

    /// Each choice of `size` values out of these.
    static func assignments<Value>(of values: [Value], size: Int) -> [[Value]] {
        (0..<size).reduce([[]]) { found, _ in found.flatMap { start in values.map { start + [$0] } } }
    }

    /// Every set of jobs that could be barriers.
    static func barrierSets(size: Int) -> [Set<Int>] {
        (0..<1 << size).map { choice in Set((0..<size).filter { choice & 1 << $0 != 0 }) }
    }

    /// Whether the jobs could never all run: taking away those that wait for nobody leaves some.
    private var hasRing: Bool {
        var left = Set(0..<size)
        while let free = left.first(where: { job in left.allSatisfy { !waits(job, for: $0) } }) { left.remove(free) }
        return !left.isEmpty
    }

    private func waits(_ job: Int, for other: Int) -> Bool {
        if dependencies[job].contains(other) { return true }
        return other < job && (barriers.contains(job) || barriers.contains(other))
    }

    /// A world in which these jobs were added in one batch.
    func world(width: Int, plan: (_ job: Int) -> Plan) throws(Disagreement) -> World {
        var world = World(width: width)
        for job in 0..<size {
            var plan = plan(job)
            plan.isBarrier = barriers.contains(job)
            try world.apply(.make(plan, dependencies: dependencies[job]))
        }
        for job in 0..<size { try world.perform(.add(job), checkingInvariants: false) }
        return world
    }
}
