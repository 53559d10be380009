// Meeting edges: what becomes of them when a dependency ends.

extension DependencyGraph {
    /// Meets the oldest edge that points at a node which has ended.
    ///
    /// A met edge holds nothing back and takes no part in searches, but its dependent lists it until it drops it. A wait is dropped at once.
    package mutating func meetDependent(of node: Node) -> (node: Node, kind: EdgeKind)? {
        let edge = nodes[Int(node.index)].firstDependent
        guard edge != Self.none else { return nil }
        let record = edges[Int(edge)]
        if record.kind == .wait {
            unlink(edge)
        } else {
            unlinkFromDependency(record)
            edges[Int(edge)].isMet = true
            nodes[Int(node.index)].metCount += 1
        }
        return (Node(index: record.dependent), record.kind)
    }

    /// Records an edge to a node that has ended already; false if there was one.
    package mutating func addMetEdge(from dependent: Node, to dependency: Node) -> Bool {
        guard findEdge(from: dependent.index, to: dependency.index, isWait: false) == Self.none else { return false }
        link(from: dependent.index, to: dependency.index, kind: .finished)
        let edge = nodes[Int(dependency.index)].lastDependent
        unlinkFromDependency(edges[Int(edge)])
        edges[Int(edge)].isMet = true
        nodes[Int(dependency.index)].metCount += 1
        return true
    }

    /// What the node stands for has ended. True if nobody remembers it, so that it can be removed.
    package mutating func endNode(_ node: Node) -> Bool {
        nodes[Int(node.index)].hasEnded = true
        return isDisposable(node)
    }

    /// Whether the node has ended and nobody remembers it any more.
    package func isDisposable(_ node: Node) -> Bool {
        let record = nodes[Int(node.index)]
        return record.hasEnded && record.metCount == 0 && record.firstDependency == Self.none && record.firstDependent == Self.none
    }

    /// The nodes that this one waits for, or waited for, with the kind of edge, oldest first.
    package func dependencies(of node: Node) -> [(node: Node, kind: EdgeKind)] {
        var dependencies: [(node: Node, kind: EdgeKind)] = []
        var edge = nodes[Int(node.index)].firstDependency
        while edge != Self.none {
            dependencies.append((Node(index: edges[Int(edge)].dependency), edges[Int(edge)].kind))
            edge = edges[Int(edge)].nextDependency
        }
        return dependencies
    }
}
