// Adding and removing edges, and the two lists that each edge is a member of.

/// What an edge asks of its dependency.
@usableFromInline
package enum EdgeKind: UInt8, BitwiseCopyable, Sendable {
    /// The dependency has ended, no matter how.
    case finished
    /// The dependency has succeeded.
    case succeeded
    /// A blocking wait under way; it stands beside an ordinary edge between the same two nodes.
    case wait
}

/// What became of an edge that was to be added.
package enum EdgeInsertion: Equatable, Sendable {
    case added
    /// There is such an edge already, and a repeated edge is one edge.
    case existed
    /// The edge would have closed this cycle: it begins and ends with the dependent, and each node waits for the next.
    case cycle([Node])
}

extension DependencyGraph {
    /// Makes `dependent` wait for `dependency`, unless that closes a cycle; a refused edge leaves no trace.
    ///
    /// Between two nodes there is at most one ordinary edge and one `.wait` edge. A repeated edge that asks for `.succeeded` makes
    /// a `.finished` edge a `.succeeded` one; the opposite changes nothing.
    package mutating func addEdge(from dependent: Node, to dependency: Node, kind: EdgeKind) -> EdgeInsertion {
        own()
        if dependent == dependency {
            return .cycle([dependent, dependency])
        }
        let existing = findEdge(from: dependent.index, to: dependency.index, isWait: kind == .wait)
        if existing != Self.none {
            if kind == .succeeded {
                edges[existing].kind = .succeeded
            }
            return .existed
        }
        // An edge that agrees with the order cannot close a cycle.
        if nodes[dependency.index].label > nodes[dependent.index].label,
            let path = cycleClosed(byEdgeFrom: dependent.index, to: dependency.index)
        {
            return .cycle(path)
        }
        link(from: dependent.index, to: dependency.index, kind: kind)
        return .added
    }

    /// Removes the ordinary edge and says of which kind it was, or nil when there is none.
    package mutating func removeEdge(from dependent: Node, to dependency: Node) -> EdgeKind? {
        own()
        let edge = findEdge(from: dependent.index, to: dependency.index, isWait: false)
        guard edge != Self.none else { return nil }
        let kind = edges[edge].kind
        unlink(edge)
        return kind
    }

    /// Removes the edge of a blocking wait; false when there is none.
    package mutating func removeWait(from dependent: Node, to dependency: Node) -> Bool {
        own()
        let edge = findEdge(from: dependent.index, to: dependency.index, isWait: true)
        guard edge != Self.none else { return false }
        unlink(edge)
        return true
    }

    /// Removes the oldest edge by which another node waits for this one.
    package mutating func popDependent(of node: Node) -> (node: Node, kind: EdgeKind)? {
        own()
        let edge = nodes[node.index].firstDependent
        guard edge != Self.none else { return nil }
        let (other, kind) = (edges[edge].dependent, edges[edge].kind)
        unlink(edge)
        return (Node(index: other), kind)
    }

    /// Appends an edge to the lists of both its ends.
    @inline(__always)
    mutating func link(from dependent: UInt32, to dependency: UInt32, kind: EdgeKind) {
        let previousDependency = nodes[dependent].lastDependency
        let previousDependent = nodes[dependency].lastDependent
        let edge = store(
            EdgeRecord(
                dependent: dependent, dependency: dependency, previousDependency: previousDependency, nextDependency: Self.none,
                previousDependent: previousDependent, nextDependent: Self.none, kind: kind))
        if previousDependency == Self.none {
            nodes[dependent].firstDependency = edge
        } else {
            edges[previousDependency].nextDependency = edge
        }
        nodes[dependent].lastDependency = edge
        nodes[dependent].dependencyBits |= Self.dependencyBit(of: dependency)
        if nodes[dependent].isIndexed { addToIndex(edge) }
        if kind != .wait { nodes[dependency].holderCount += 1 }
        edgeCount += 1
        // A node that has ended lists nobody any more.
        if nodes[dependency].hasEnded { return }
        if previousDependent == Self.none {
            nodes[dependency].firstDependent = edge
        } else {
            edges[previousDependent].nextDependent = edge
        }
        nodes[dependency].lastDependent = edge
    }

    @inline(__always)
    private mutating func store(_ record: EdgeRecord) -> UInt32 {
        let edge = firstFreeEdge
        if edge != Self.none {
            firstFreeEdge = edges[edge].nextDependency
            edges[edge] = record
            return edge
        }
        if edges.count == edges.capacity { growEdges() }
        return edges.append(record)
    }

    /// Takes an edge out of the lists of both its ends, and frees its record.
    mutating func unlink(_ edge: UInt32) {
        let record = edges[edge]
        if !nodes[record.dependency].hasEnded { unlinkFromDependency(record) }
        unlinkFromDependent(edge, record)
    }

    @usableFromInline
    mutating func unlinkFromDependency(_ record: EdgeRecord) {
        if record.previousDependent == Self.none {
            nodes[record.dependency].firstDependent = record.nextDependent
        } else {
            edges[record.previousDependent].nextDependent = record.nextDependent
        }
        if record.nextDependent == Self.none {
            nodes[record.dependency].lastDependent = record.previousDependent
        } else {
            edges[record.nextDependent].previousDependent = record.previousDependent
        }
    }

    /// Takes an edge that its dependency does not list out of the list of its dependent, and frees its record.
    @usableFromInline
    mutating func unlinkFromDependent(_ edge: UInt32, _ record: EdgeRecord) {
        if nodes[record.dependent].isIndexed { takeFromIndex(record) }
        if record.previousDependency == Self.none {
            nodes[record.dependent].firstDependency = record.nextDependency
            if record.nextDependency == Self.none { nodes[record.dependent].dependencyBits = 0 }
        } else {
            edges[record.previousDependency].nextDependency = record.nextDependency
        }
        if record.nextDependency == Self.none {
            nodes[record.dependent].lastDependency = record.previousDependency
        } else {
            edges[record.nextDependency].previousDependency = record.previousDependency
        }
        if record.kind != .wait { nodes[record.dependency].holderCount -= 1 }
        edges[edge].dependent = Self.none
        edges[edge].nextDependency = firstFreeEdge
        firstFreeEdge = edge
        edgeCount -= 1
    }
}
