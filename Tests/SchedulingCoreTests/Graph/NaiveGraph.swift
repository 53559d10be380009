// A graph that is small, slow and obviously right, to compare the real one with.

import SchedulingCore

struct NaiveGraph {
    struct Edge: Equatable {
        let dependent: Node
        let dependency: Node
        var kind: EdgeKind

        func isSame(_ other: Edge) -> Bool {
            dependent == other.dependent && dependency == other.dependency && (kind == .wait) == (other.kind == .wait)
        }
    }

    enum Verdict {
        case added, existed, cycle
    }

    /// In the order in which they were added.
    private(set) var edges: [Edge] = []

    mutating func add(from dependent: Node, to dependency: Node, kind: EdgeKind) -> Verdict {
        if dependent == dependency { return .cycle }
        let edge = Edge(dependent: dependent, dependency: dependency, kind: kind)
        if let index = edges.firstIndex(where: { $0.isSame(edge) }) {
            if kind == .succeeded { edges[index].kind = .succeeded }
            return .existed
        }
        if waits(dependency, for: dependent) { return .cycle }
        edges.append(edge)
        return .added
    }

    mutating func remove(from dependent: Node, to dependency: Node, isWait: Bool) -> EdgeKind? {
        let edge = Edge(dependent: dependent, dependency: dependency, kind: isWait ? .wait : .finished)
        guard let index = edges.firstIndex(where: { $0.isSame(edge) }) else { return nil }
        return edges.remove(at: index).kind
    }

    mutating func popDependent(of node: Node) -> Edge? {
        edges.lastIndex { $0.dependency == node }.map { edges.remove(at: $0) }
    }

    /// Returns what no ordinary edge leads to any more, newest first.
    mutating func dropDependencies(of node: Node) -> [Node] {
        let dropped = edges.filter { $0.dependent == node && $0.kind != .wait }.map(\.dependency)
        edges.removeAll { $0.dependent == node }
        return dropped.reversed().filter { dependency in !edges.contains { $0.dependency == dependency && $0.kind != .wait } }
    }

    mutating func removeAll(of node: Node) {
        edges.removeAll { $0.dependent == node || $0.dependency == node }
    }

    func dependencies(of node: Node) -> [Edge] {
        edges.filter { $0.dependent == node }
    }

    func hasEdge(from dependent: Node, to dependency: Node) -> Bool {
        edges.contains { $0.dependent == dependent && $0.dependency == dependency }
    }

    /// Whether a path of edges leads from one node down to another.
    func waits(_ node: Node, for other: Node) -> Bool {
        var dependencies: [Node: [Node]] = [:]
        for edge in edges {
            dependencies[edge.dependent, default: []].append(edge.dependency)
        }
        var seen: Set<Node> = [node]
        var stack = [node]
        while let next = stack.popLast() {
            for dependency in dependencies[next] ?? [] {
                if dependency == other { return true }
                if seen.insert(dependency).inserted { stack.append(dependency) }
            }
        }
        return false
    }
}
