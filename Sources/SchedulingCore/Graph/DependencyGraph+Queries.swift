// Reading the graph: what a node waits for, and whether anything waits for it.

extension DependencyGraph {
    /// Whether any node waits for this one, by an edge of any kind.
    package func hasDependents(_ node: Node) -> Bool {
        nodes[Int(node.index)].firstDependent != Self.none
    }

    /// Whether this node waits for any other, by an edge of any kind.
    package func hasDependencies(_ node: Node) -> Bool {
        nodes[Int(node.index)].firstDependency != Self.none
    }

    /// The number of edges by which this node waits for others, blocking waits among them.
    package func dependencyCount(of node: Node) -> Int {
        Int(nodes[Int(node.index)].dependencyCount)
    }

    /// What a node waits for, by edges of any kind, in the order in which they were added.
    ///
    /// The sequence shares the storage of the edges: a graph that is changed while one is still held copies all its edges first.
    package func dependencies(of node: Node) -> Dependencies {
        Dependencies(edges: edges, edge: nodes[Int(node.index)].firstDependency)
    }

    package struct Dependencies: Sequence, IteratorProtocol, Sendable {
        let edges: [EdgeRecord]
        var edge: UInt32

        package mutating func next() -> (node: Node, kind: EdgeKind, isMet: Bool)? {
            guard edge != DependencyGraph.none else { return nil }
            let record = edges[Int(edge)]
            edge = record.nextDependency
            return (Node(index: record.dependency), record.kind, record.isMet)
        }
    }
}
