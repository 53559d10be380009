// Searching the graph together with relations that are not edges.

/// Relations between nodes that no edge shows, as a search sees them, and what it is looking for.
package protocol ImpliedOrder {
    /// Appends the nodes that wait for `node` without an edge.
    mutating func appendImpliedDependents(of node: Node, to stack: inout [Node])
    /// Whether the search has found what it looks for.
    func isTarget(_ node: Node) -> Bool
}

extension DependencyGraph {
    /// The way from a node up to a target, each node waiting for the one before, over edges and implied relations; nil if there is none.
    ///
    /// `start` itself is a target only if it is reached again. O(nodes and edges reached).
    package mutating func findPath(upwardFrom start: Node, order: inout some ImpliedOrder) -> [Node]? {
        var parents: [UInt32: UInt32] = [:]
        var stack = [start]
        var implied: [Node] = []
        while let node = stack.popLast() {
            implied.removeAll(keepingCapacity: true)
            forEachDependent(of: node) { implied.append($0) }
            order.appendImpliedDependents(of: node, to: &implied)
            for next in implied where next == start || parents[next.index] == nil {
                if order.isTarget(next) { return path(from: start, to: next, by: node, parents) }
                if next == start { continue }
                parents[next.index] = node.index
                stack.append(next)
            }
        }
        return nil
    }

    private func path(from start: Node, to target: Node, by last: Node, _ parents: [UInt32: UInt32]) -> [Node] {
        var path = [target, last]
        while let node = path.last, node != start, let parent = parents[node.index] { path.append(Node(index: parent)) }
        return path.reversed()
    }

    private func forEachDependent(of node: Node, _ body: (Node) -> Void) {
        var edge = nodes[Int(node.index)].firstDependent
        while edge != Self.none {
            body(Node(index: edges[Int(edge)].dependent))
            edge = edges[Int(edge)].nextDependent
        }
    }
}
