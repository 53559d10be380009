// Every order in which edges can be added to a small graph, refused ones among them.

import SchedulingCore
import XCTest

final class GraphExhaustiveTests: XCTestCase {
    /// Every permutation of all edges between three nodes.
    func testD2_EveryOrderOfAllEdgesOverThreeNodes() {
        var count = 0
        let pairs = pairs(of: 3).filter { $0 != $1 }
        permute(pairs, GraphComparison(nodes: 3, world: "3 nodes")) { _ in count += 1 }
        XCTAssertEqual(count, 720)
    }

    /// Every order of accepted edges over four nodes. In each graph on the way every other edge is tried first, so that all the refused
    /// ones have been refused before the next is accepted.
    func testD2_EveryOrderOfAcceptedEdgesOverFourNodes() {
        var complete = 0
        grow(GraphComparison(nodes: 4, world: "4 nodes"), pairs(of: 4), &complete)
        XCTAssertEqual(complete, 24 * 720, "each of the 24 total orders, with its 6 edges in each order")
    }

    private func pairs(of count: Int) -> [(Int, Int)] {
        (0..<count).flatMap { dependent in (0..<count).map { (dependent, $0) } }
    }

    private func permute(_ rest: [(Int, Int)], _ comparison: GraphComparison, _ atEnd: (GraphComparison) -> Void) {
        if rest.isEmpty {
            return atEnd(comparison)
        }
        for index in rest.indices {
            var next = comparison
            let (dependent, dependency) = rest[index]
            next.addEdge(from: next.nodes[dependent], to: next.nodes[dependency], kind: .finished)
            if rest.count == 1 { next.check() }
            var others = rest
            others.remove(at: index)
            permute(others, next, atEnd)
        }
    }

    private func grow(_ comparison: GraphComparison, _ pairs: [(Int, Int)], _ complete: inout Int) {
        var refused = comparison
        var accepted: [(Int, Int)] = []
        for (dependent, dependency) in pairs {
            let (from, to) = (refused.nodes[dependent], refused.nodes[dependency])
            if refused.naive.hasEdge(from: from, to: to) { continue }
            if from == to || refused.naive.waits(to, for: from) {
                XCTAssertTrue(refused.addEdge(from: from, to: to, kind: .finished))
            } else {
                accepted.append((dependent, dependency))
            }
        }
        refused.check()
        if accepted.isEmpty {
            complete += 1
        }
        for (dependent, dependency) in accepted {
            var next = refused
            next.addEdge(from: next.nodes[dependent], to: next.nodes[dependency], kind: .finished)
            grow(next, pairs, &complete)
        }
    }
}
