// Runs one event on the real graph and on the naive one, and compares what they say.

import SchedulingCore
import XCTest

/// The two graphs side by side.
struct GraphComparison {
    private(set) var graph: DependencyGraph
    private(set) var naive = NaiveGraph()
    private(set) var nodes: [Node] = []
    /// Told with each failure.
    let world: String

    init(nodes count: Int, graph: DependencyGraph = DependencyGraph(), world: String) {
        self.graph = graph
        self.world = world
        for _ in 0..<count { addNode() }
    }

    mutating func addNode() {
        let node = graph.addNode()
        XCTAssertFalse(nodes.contains(node), "a handle in use was given out again, \(world)")
        nodes.append(node)
        XCTAssertEqual(graph.nodeCount, nodes.count, world)
    }

    mutating func removeNode(at index: Int) {
        let node = nodes.remove(at: index)
        graph.removeNode(node)
        naive.removeAll(of: node)
        XCTAssertEqual(graph.nodeCount, nodes.count, world)
        XCTAssertEqual(graph.edgeCount, naive.edges.count, world)
    }

    /// Returns whether the edge was refused.
    @discardableResult
    mutating func addEdge(from dependent: Node, to dependency: Node, kind: EdgeKind) -> Bool {
        let expected = naive.add(from: dependent, to: dependency, kind: kind)
        let found = graph.addEdge(from: dependent, to: dependency, kind: kind)
        XCTAssertEqual(graph.edgeCount, naive.edges.count, world)
        switch (expected, found) {
        case (.added, .added), (.existed, .existed):
            return false
        case (.cycle, .cycle(let path)):
            checkCycle(path, from: dependent, to: dependency)
            return true
        default:
            XCTFail("\(dependent.index) on \(dependency.index): \(found) instead of \(expected), \(world)")
            return false
        }
    }

    private func checkCycle(_ path: [Node], from dependent: Node, to dependency: Node) {
        guard path.count >= 2, path.first == dependent, path.last == dependent, path[1] == dependency else {
            return XCTFail("\(path.map(\.index)) is no cycle of \(dependent.index) on \(dependency.index), \(world)")
        }
        XCTAssertEqual(Set(path).count, path.count - 1, "a node twice in \(path.map(\.index)), \(world)")
        for (node, next) in zip(path, path.dropFirst()).dropFirst() where !naive.hasEdge(from: node, to: next) {
            XCTFail("no edge from \(node.index) to \(next.index) in \(path.map(\.index)), \(world)")
        }
    }

    mutating func removeEdge(from dependent: Node, to dependency: Node) {
        let expected = naive.remove(from: dependent, to: dependency, isWait: false)
        XCTAssertEqual(graph.removeEdge(from: dependent, to: dependency), expected, world)
    }

    mutating func removeWait(from dependent: Node, to dependency: Node) {
        let expected = naive.remove(from: dependent, to: dependency, isWait: true) != nil
        XCTAssertEqual(graph.removeWait(from: dependent, to: dependency), expected, world)
    }

    mutating func popDependent(of node: Node) {
        let expected = naive.popDependent(of: node)
        let popped = graph.popDependent(of: node)
        XCTAssertEqual(popped?.node, expected?.dependent, world)
        XCTAssertEqual(popped?.kind, expected?.kind, world)
    }

    mutating func dropDependencies(of node: Node) {
        var released: [Node] = []
        graph.dropDependencies(of: node) { released.append($0) }
        XCTAssertEqual(released, naive.dropDependencies(of: node), world)
    }

    /// Compares everything that can be read, and checks what must hold inside.
    func check() {
        XCTAssertEqual(graph.checkInvariants(), [], world)
        XCTAssertEqual(graph.edgeCount, naive.edges.count, world)
        for node in nodes {
            let expected = naive.dependencies(of: node)
            let found = graph.dependencies(of: node).map { NaiveGraph.Edge(dependent: node, dependency: $0.node, kind: $0.kind) }
            XCTAssertEqual(found, expected, world)
            XCTAssertEqual(graph.hasDependencies(node), !expected.isEmpty, world)
            XCTAssertEqual(graph.hasDependents(node), naive.edges.contains { $0.dependency == node }, world)
        }
    }
}
