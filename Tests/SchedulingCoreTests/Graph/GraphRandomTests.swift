// Large random worlds, each event compared with the naive graph.

import SchedulingCore
import XCTest

final class GraphRandomTests: XCTestCase {
    /// The usual graph, one in which there is never room between two labels, and two that soon come to the end of all labels or marks.
    private let graphs = [
        DependencyGraph(),
        DependencyGraph(endSpacing: 1, innerSpacing: 1),
        DependencyGraph(endSpacing: 1 << 60, innerSpacing: 1 << 50),
        DependencyGraph(endSpacing: 1 << 20, innerSpacing: 1, lastMark: .max - 40),
    ]

    /// Everything that can happen to a graph, in any order. Few nodes make cycles, repeated edges and long lists frequent.
    func testD2_D4_AnyEventsInAnyOrder() {
        for seed in seeds(1, 2, 3) {
            for (size, (number, graph)) in product([3, 8, 40], graphs.enumerated()) {
                var generator = SeededGenerator(seed: seed)
                var comparison = GraphComparison(nodes: size, graph: graph, world: "seed \(seed), size \(size), graph \(number)")
                for step in 0..<1_000 {
                    happen(to: &comparison, limit: size, using: &generator)
                    if step % 100 == 0 { comparison.check() }
                }
                while !comparison.nodes.isEmpty {
                    comparison.removeNode(at: Int.random(in: comparison.nodes.indices, using: &generator))
                }
                comparison.check()
            }
        }
    }

    private func product<First, Second>(_ first: [First], _ second: some Sequence<Second>) -> [(First, Second)] {
        first.flatMap { one in second.map { (one, $0) } }
    }

    private func happen(to comparison: inout GraphComparison, limit: Int, using generator: inout SeededGenerator) {
        guard let first = comparison.nodes.randomElement(using: &generator),
            let second = comparison.nodes.randomElement(using: &generator)
        else { return comparison.addNode() }
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<70:
            let kind: EdgeKind = [.finished, .succeeded, .wait].randomElement(using: &generator)!
            comparison.addEdge(from: first, to: second, kind: kind)
        case 70..<80: comparison.removeEdge(from: first, to: second)
        case 80..<84: comparison.removeWait(from: first, to: second)
        case 84..<89: comparison.popDependent(of: first)
        case 89..<94: comparison.dropDependencies(of: first)
        case 94..<97: comparison.removeNode(at: Int.random(in: comparison.nodes.indices, using: &generator))
        default:
            if comparison.nodes.count < limit { comparison.addNode() }
        }
    }

    /// A deep graph whose order is hidden, with edges that go against it thrown in; afterwards the refused ones are refused again.
    func testD2_HiddenOrderWithRefusedEdges() {
        for seed in seeds(11, 12) {
            for (reach, (number, graph)) in product([4, 200], graphs.enumerated()) {
                var generator = SeededGenerator(seed: seed)
                var comparison = GraphComparison(nodes: 200, graph: graph, world: "seed \(seed), reach \(reach), graph \(number)")
                let order = comparison.nodes.shuffled(using: &generator)
                var refused: [(Node, Node)] = []
                for _ in 0..<800 {
                    let place = Int.random(in: 0..<199, using: &generator)
                    let other = min(199, place + Int.random(in: 1...reach, using: &generator))
                    let isForward = Int.random(in: 0..<4, using: &generator) > 0
                    let (dependent, dependency) = isForward ? (order[other], order[place]) : (order[place], order[other])
                    if comparison.addEdge(from: dependent, to: dependency, kind: .finished) {
                        refused.append((dependent, dependency))
                    }
                }
                comparison.check()
                XCTAssertFalse(refused.isEmpty)
                for (dependent, dependency) in refused {
                    XCTAssertTrue(comparison.addEdge(from: dependent, to: dependency, kind: .succeeded))
                }
                comparison.check()
            }
        }
    }

    /// Nodes with long lists on both sides: their edges are found through the index, which has to follow every removal.
    func testD2_HeavyNodes() {
        for seed in seeds(21, 22) {
            var generator = SeededGenerator(seed: seed)
            var comparison = GraphComparison(nodes: 60, world: "seed \(seed)")
            let (lower, upper) = (Array(comparison.nodes[..<30]), Array(comparison.nodes[30...]))
            for round in 0..<3 {
                for _ in 0..<1_200 {
                    let kind: EdgeKind = Int.random(in: 0..<4, using: &generator) == 0 ? .wait : .finished
                    let (dependent, dependency) = (upper.randomElement(using: &generator)!, lower.randomElement(using: &generator)!)
                    comparison.addEdge(from: dependent, to: dependency, kind: kind)
                }
                comparison.check()
                for _ in 0..<(round == 1 ? 4_000 : 1_200) {
                    let (dependent, dependency) = (upper.randomElement(using: &generator)!, lower.randomElement(using: &generator)!)
                    switch Int.random(in: 0..<8, using: &generator) {
                    case 0: comparison.popDependent(of: dependency)
                    // Seldom, so that the lists stay long.
                    case 1 where Int.random(in: 0..<50, using: &generator) == 0: comparison.dropDependencies(of: dependent)
                    case 2: comparison.removeWait(from: dependent, to: dependency)
                    default: comparison.removeEdge(from: dependent, to: dependency)
                    }
                }
                comparison.check()
            }
        }
    }
}
