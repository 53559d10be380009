// Meeting edges: what becomes of them when a dependency ends.

/// One edge that points at a node, while nothing is removed from the graph.
@usableFromInline
package struct DependentEdge: Sendable {
    @usableFromInline let index: UInt32
    @usableFromInline package let dependent: Node
    @usableFromInline package let kind: EdgeKind

    @inlinable
    init(index: UInt32, dependent: Node, kind: EdgeKind) {
        self.index = index
        self.dependent = dependent
        self.kind = kind
    }
}

extension DependencyGraph {
    /// The oldest edge that points at a node.
    @inlinable
    package func firstDependentEdge(of node: Node) -> DependentEdge? { dependentEdge(nodes[Int(node.index)].firstDependent) }

    @inlinable
    func dependentEdge(_ index: UInt32) -> DependentEdge? {
        if index == Self.none { return nil }
        return DependentEdge(index: index, dependent: Node(index: edges[Int(index)].dependent), kind: edges[Int(index)].kind)
    }

    /// Meets an edge, because its dependency has ended.
    ///
    /// A met edge holds nothing back and closes no cycle, but its dependent lists it until it drops it. A wait is dropped at once.
    package mutating func meet(_ edge: DependentEdge) {
        if edge.kind == .wait {
            unlink(edge.index)
        } else {
            meet(edge.index)
        }
    }

    /// Records an edge to a node that has ended already; false if there was one.
    package mutating func addMetEdge(from dependent: Node, to dependency: Node) -> Bool {
        guard findEdge(from: dependent.index, to: dependency.index, isWait: false) == Self.none else { return false }
        link(from: dependent.index, to: dependency.index, kind: .finished)
        meet(nodes[Int(dependency.index)].lastDependent)
        return true
    }

    private mutating func meet(_ edge: UInt32) {
        let record = edges[Int(edge)]
        unlinkFromDependency(record)
        edges[Int(edge)].isMet = true
        nodes[Int(record.dependency)].metCount += 1
    }

    /// Whether there is an edge that is met.
    package mutating func isMet(from dependent: Node, to dependency: Node) -> Bool {
        let edge = findEdge(from: dependent.index, to: dependency.index, isWait: false)
        return edge != Self.none && edges[Int(edge)].isMet
    }

    /// What the node stands for has ended. True if nobody lists it, so that it can be removed.
    package mutating func endNode(_ node: Node) -> Bool {
        nodes[Int(node.index)].hasEnded = true
        return isDisposable(node)
    }

    /// Whether the node has ended and nobody lists it any more.
    @inlinable
    package func isDisposable(_ node: Node) -> Bool {
        let record = nodes[Int(node.index)]
        return record.hasEnded && record.metCount == 0 && record.firstDependency == Self.none && record.firstDependent == Self.none
    }
}
