// Meeting edges: what becomes of them when a dependency ends.

extension DependencyGraph {
    /// What the node stands for has ended: meets all edges that point at it, and tells of each ordinary one, newest first. `body` does not
    /// change the graph.
    ///
    /// A met edge holds nothing back and closes no cycle, but its dependent lists it until it drops it. A wait is dropped at once.
    @inlinable
    package mutating func end(_ node: Node, _ body: (_ dependent: Node, _ kind: EdgeKind) -> Void) {
        own()
        nodes[node.index].flags.insert(.hasEnded)
        var edge = nodes[node.index].firstDependent
        if edge == Self.none { return }
        nodes[node.index].firstDependent = Self.none
        while edge != Self.none {
            let record = edges[edge]
            if record.kind == .wait {
                unlinkFromDependent(edge)
            } else {
                body(Node(index: record.dependent), record.kind)
            }
            edge = record.nextDependent
        }
    }

    /// Removes all edges by which this node waits for others, and tells of each whose dependency no ordinary edge leads to any more, newest
    /// first. `body` does not change the graph.
    @inlinable
    package mutating func dropDependencies(of node: Node, _ body: (_ released: Node) -> Void) {
        own()
        if nodes[node.index].flags.contains(.isIndexed) { takeDependenciesFromIndex(of: node.index) }
        let first = nodes[node.index].firstDependency
        var edge = first
        var last = Self.none
        while edge != Self.none {
            let record = edges[edge]
            if !nodes[record.dependency].hasEnded { unlinkFromDependency(edge) }
            if record.kind != .wait {
                nodes[record.dependency].holderCount -= 1
                if nodes[record.dependency].holderCount == 0 { body(Node(index: record.dependency)) }
            }
            edges[edge].dependent = Self.none
            edgeCount -= 1
            last = edge
            edge = record.nextDependency
        }
        if last == Self.none { return }
        // The list is one of free records as it stands.
        edges[last].nextDependency = firstFreeEdge
        firstFreeEdge = first
        nodes[node.index].firstDependency = Self.none
        nodes[node.index].flags.remove(.linksDependenciesBack)
        nodes[node.index].dependencyBits = 0
    }

    /// Records an edge to a node that has ended already; false if there was one.
    package mutating func addMetEdge(from dependent: Node, to dependency: Node) -> Bool {
        own()
        nodes[dependency.index].flags.insert(.hasEnded)
        guard findEdge(from: dependent.index, to: dependency.index, isWait: false) == Self.none else { return false }
        link(from: dependent.index, to: dependency.index, kind: .finished)
        return true
    }

    /// Whether what the node stands for has ended, so that the edges to it are met.
    @inlinable
    package func hasEnded(_ node: Node) -> Bool { nodes[node.index].hasEnded }

    /// How many ordinary edges there are to a node, met ones among them.
    @inlinable
    package func holderCount(of node: Node) -> Int { Int(nodes[node.index].holderCount) }

    /// Whether the node has ended and nobody lists it any more.
    @inlinable
    package func isDisposable(_ node: Node) -> Bool {
        let record = nodes[node.index]
        return record.hasEnded && record.holderCount == 0 && record.firstDependency == Self.none
    }
}
