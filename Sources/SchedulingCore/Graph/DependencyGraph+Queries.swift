// Reading the graph: what a node waits for, and whether anything waits for it.

extension DependencyGraph {
    /// Whether any node waits for this one, by an edge of any kind.
    @inlinable
    package func hasDependents(_ node: Node) -> Bool {
        nodes[node.index].firstDependent != Self.none
    }

    /// Whether this node waits for any other, by an edge of any kind.
    @inlinable
    package func hasDependencies(_ node: Node) -> Bool {
        nodes[node.index].firstDependency != Self.none
    }

    /// What a node waits for, by edges of any kind, in the order in which they were added.
    package func dependencies(of node: Node) -> [(node: Node, kind: EdgeKind, isMet: Bool)] {
        var found: [(node: Node, kind: EdgeKind, isMet: Bool)] = []
        var edge = nodes[node.index].firstDependency
        while edge != Self.none {
            let record = edges[edge]
            found.append((Node(index: record.dependency), record.kind, nodes[record.dependency].hasEnded))
            edge = record.nextDependency
        }
        found.reverse()
        return found
    }
}
