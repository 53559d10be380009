// What the graph remembers of relations: compared with plain searches, and asked for no node again and again.

import SchedulingCore
import XCTest

final class GraphImpliedTests: XCTestCase {
    /// Says of which nodes others wait without an edge; counts how often that is asked.
    private struct Table: ImpliedOrder {
        var related: Set<Node> = []
        var askedCount = 0

        mutating func appendImpliedDependents(of node: Node, to stack: inout [Node]) {}

        mutating func isRelated(_ node: Node) -> Bool {
            askedCount += 1
            return related.contains(node)
        }

        func isTarget(_ node: Node) -> Bool { false }
    }

    /// Edges, relations and ends of relations in any order; after each, what is remembered of every node is checked.
    func testD2_RaisedAndFreeInAnyOrderOfEvents() {
        for seed in seeds(51, 52, 53) {
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<150 {
                var graph = DependencyGraph()
                let nodes = (0..<Int.random(in: 2...10, using: &generator)).map { _ in graph.addNode() }
                var above: [Node: Set<Node>] = [:]
                var table = Table()
                var held: Set<Node> = []
                for _ in 0..<30 {
                    let (one, other) = (nodes.randomElement(using: &generator)!, nodes.randomElement(using: &generator)!)
                    switch Int.random(in: 0..<12, using: &generator) {
                    case 0:
                        table.related.insert(one)
                        graph.relationsGrew()
                    case 1:
                        held.insert(one)
                        graph.raise(one)
                    case 2 where Int.random(in: 0..<4, using: &generator) == 0:
                        (table.related, held) = ([], [])
                        graph.forgetRelations()
                    case 3..<7:
                        XCTAssertEqual(
                            graph.isFree(one, order: &table), reached(one, above).isDisjoint(with: table.related), "seed \(seed)")
                    default:
                        guard graph.addEdge(from: other, to: one, kind: .finished) == .added else { continue }
                        above[one, default: []].insert(other)
                        graph.noteEdge(from: other, to: one)
                    }
                    let raised = held.reduce(into: Set()) { $0.formUnion(reached($1, above)) }
                    XCTAssertEqual(Set(nodes.filter { graph.isRaised($0) }), raised, "seed \(seed)")
                }
            }
        }
    }

    private func reached(_ node: Node, _ above: [Node: Set<Node>]) -> Set<Node> {
        var seen: Set = [node]
        var stack = [node]
        while let next = stack.popLast() {
            for dependent in above[next] ?? [] where seen.insert(dependent).inserted { stack.append(dependent) }
        }
        return seen
    }

    /// A chain whose every new link is asked for: each node is looked at once, from whichever end the chain grows.
    func testS39_AGrowingChainIsNotSearchedAgain() {
        for isReverse in [false, true] {
            var graph = DependencyGraph()
            var table = Table()
            let count = 2_000
            let nodes = (0..<count).map { _ in graph.addNode() }
            for index in 1..<count {
                let (dependent, dependency) = isReverse ? (nodes[index - 1], nodes[index]) : (nodes[index], nodes[index - 1])
                XCTAssertTrue(graph.isFree(dependent, order: &table))
                XCTAssertEqual(graph.addEdge(from: dependent, to: dependency, kind: .finished), .added)
                graph.noteEdge(from: dependent, to: dependency)
            }
            XCTAssertLessThanOrEqual(table.askedCount, count)
        }
    }

    /// Above a chain that is known to be free comes something that is not: it is taken away from all of them, and each is raised once.
    func testD2_ALateRelationReachesTheWholeChain() {
        var graph = DependencyGraph()
        var table = Table()
        let nodes = (0..<1_000).map { _ in graph.addNode() }
        for (dependency, dependent) in zip(nodes, nodes.dropFirst()) {
            XCTAssertEqual(graph.addEdge(from: dependent, to: dependency, kind: .finished), .added)
        }
        XCTAssertTrue(graph.isFree(nodes[0], order: &table))
        let top = graph.addNode()
        table.related = [top]
        XCTAssertEqual(graph.addEdge(from: top, to: nodes[999], kind: .finished), .added)
        graph.noteEdge(from: top, to: nodes[999])
        XCTAssertTrue([0, 500, 999].allSatisfy { !graph.isFree(nodes[$0], order: &table) })
        graph.raise(nodes[500])
        XCTAssertFalse(graph.isRaised(nodes[499]))
        XCTAssertTrue(nodes[500...].allSatisfy { graph.isRaised($0) } && graph.isRaised(top))
    }
}
