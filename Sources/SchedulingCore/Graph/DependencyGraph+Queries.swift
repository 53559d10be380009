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
    ///
    /// The sequence shares the records: a graph that is changed while one is still held copies them all first.
    package func dependencies(of node: Node) -> Dependencies {
        Dependencies(nodes: nodes, edges: edges, memory: memory, edge: nodes[node.index].firstDependency)
    }

    package struct Dependencies: Sequence, IteratorProtocol, Sendable {
        let nodes: Records<NodeRecord>
        let edges: Records<EdgeRecord>
        let memory: GraphMemory
        var edge: UInt32

        package mutating func next() -> (node: Node, kind: EdgeKind, isMet: Bool)? {
            guard edge != DependencyGraph.none else { return nil }
            let record = edges[edge]
            edge = record.nextDependency
            return (Node(index: record.dependency), record.kind, nodes[record.dependency].hasEnded)
        }
    }
}
