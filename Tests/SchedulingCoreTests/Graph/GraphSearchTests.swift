// The full search through edges and through relations that are no edges.

import SchedulingCore
import XCTest

final class GraphSearchTests: XCTestCase {
    /// Relations given as a table; counts how often each node is asked for.
    private struct Table: ImpliedOrder {
        var dependents: [Node: [Node]] = [:]
        var targets: Set<Node> = []
        var asked: [Node: Int] = [:]

        mutating func appendImpliedDependents(of node: Node, to stack: inout [Node]) {
            asked[node, default: 0] += 1
            stack += dependents[node] ?? []
        }

        func isRelated(_ node: Node) -> Bool { dependents[node] != nil }

        func isTarget(_ node: Node) -> Bool {
            targets.contains(node)
        }
    }

    private func graph(nodes count: Int, edges: [(Int, Int)]) -> (DependencyGraph, [Node]) {
        var graph = DependencyGraph()
        let nodes = (0..<count).map { _ in graph.addNode() }
        for (dependent, dependency) in edges {
            XCTAssertEqual(graph.addEdge(from: nodes[dependent], to: nodes[dependency], kind: .finished), .added)
        }
        return (graph, nodes)
    }

    func testD2_FollowsEdgesUpwardsOnly() {
        var (graph, nodes) = graph(nodes: 4, edges: [(1, 0), (2, 1), (3, 2)])
        var table = Table(targets: [nodes[3]])
        XCTAssertEqual(graph.findPath(upwardFrom: nodes[1], order: &table), [nodes[1], nodes[2], nodes[3]])
        table.targets = [nodes[0]]
        XCTAssertNil(graph.findPath(upwardFrom: nodes[1], order: &table))
    }

    func testD2_FollowsImpliedRelations() {
        var (graph, nodes) = graph(nodes: 5, edges: [(1, 0), (4, 3)])
        var table = Table(dependents: [nodes[1]: [nodes[1], nodes[2], nodes[2]], nodes[2]: [nodes[3]]], targets: [nodes[4]])
        XCTAssertEqual(graph.findPath(upwardFrom: nodes[0], order: &table), nodes)
        XCTAssertEqual(table.asked, [nodes[0]: 1, nodes[1]: 1, nodes[2]: 1, nodes[3]: 1])
    }

    func testD2_TheStartCountsOnlyWhenItIsReachedAgain() {
        var (graph, nodes) = graph(nodes: 3, edges: [(1, 0), (2, 1)])
        var table = Table(targets: [nodes[0]])
        XCTAssertNil(graph.findPath(upwardFrom: nodes[0], order: &table))
        table.dependents = [nodes[2]: [nodes[0]]]
        XCTAssertEqual(graph.findPath(upwardFrom: nodes[0], order: &table), [nodes[0], nodes[1], nodes[2], nodes[0]])
        table.dependents = [nodes[0]: [nodes[0]]]
        XCTAssertEqual(graph.findPath(upwardFrom: nodes[0], order: &table), [nodes[0], nodes[0]])
    }

    func testD2_AsksOncePerNodeAlsoInARingThatIsNoTarget() {
        var (graph, nodes) = graph(nodes: 4, edges: [(1, 0), (2, 0), (3, 1), (3, 2)])
        var table = Table(dependents: [nodes[3]: [nodes[0], nodes[1]]])
        XCTAssertNil(graph.findPath(upwardFrom: nodes[0], order: &table))
        XCTAssertEqual(table.asked, [nodes[0]: 1, nodes[1]: 1, nodes[2]: 1, nodes[3]: 1])
    }

    /// The search against a plain one, in random graphs with random relations beside the edges.
    func testD2_RandomWorlds() {
        for seed in seeds(31, 32) {
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<300 {
                let count = Int.random(in: 2...12, using: &generator)
                var graph = DependencyGraph()
                let nodes = (0..<count).map { _ in graph.addNode() }
                var above: [Node: Set<Node>] = [:]
                var table = Table(targets: [nodes.randomElement(using: &generator)!])
                for _ in 0..<Int.random(in: 0...2 * count, using: &generator) {
                    let (one, other) = (nodes.randomElement(using: &generator)!, nodes.randomElement(using: &generator)!)
                    if Bool.random(using: &generator) {
                        table.dependents[one, default: []].append(other)
                        above[one, default: []].insert(other)
                    } else if graph.addEdge(from: other, to: one, kind: .wait) == .added {
                        above[one, default: []].insert(other)
                    }
                }
                let start = nodes.randomElement(using: &generator)!
                let path = graph.findPath(upwardFrom: start, order: &table)
                XCTAssertEqual(path != nil, reaches(table.targets.first!, from: start, above), "seed \(seed)")
                guard let path else { continue }
                XCTAssertEqual(path.first, start, "seed \(seed)")
                XCTAssertEqual(path.last, table.targets.first, "seed \(seed)")
                XCTAssertGreaterThan(path.count, 1, "seed \(seed)")
                for (node, next) in zip(path, path.dropFirst()) {
                    XCTAssertTrue(above[node]?.contains(next) ?? false, "seed \(seed)")
                }
            }
        }
    }

    private func reaches(_ target: Node, from start: Node, _ above: [Node: Set<Node>]) -> Bool {
        var seen: Set<Node> = []
        var stack = [start]
        while let node = stack.popLast() {
            for next in above[node] ?? [] where seen.insert(next).inserted {
                stack.append(next)
            }
        }
        return seen.contains(target)
    }
}
