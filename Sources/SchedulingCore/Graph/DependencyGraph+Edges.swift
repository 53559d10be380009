// Adding and removing edges, and the two lists that each edge is a member of.

/// What an edge asks of its dependency.
package enum EdgeKind: UInt8, Sendable {
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
        if dependent == dependency {
            return .cycle([dependent, dependency])
        }
        let existing = findEdge(from: dependent.index, to: dependency.index, isWait: kind == .wait)
        if existing != Self.none {
            if kind == .succeeded {
                edges[Int(existing)].kind = .succeeded
            }
            return .existed
        }
        if let path = cycleClosed(byEdgeFrom: dependent.index, to: dependency.index) {
            return .cycle(path)
        }
        link(from: dependent.index, to: dependency.index, kind: kind)
        return .added
    }

    /// Removes the ordinary edge and says of which kind it was and whether it was met, or nil when there is none.
    package mutating func removeEdge(from dependent: Node, to dependency: Node) -> (kind: EdgeKind, wasMet: Bool)? {
        let edge = findEdge(from: dependent.index, to: dependency.index, isWait: false)
        guard edge != Self.none else { return nil }
        let (kind, wasMet) = (edges[Int(edge)].kind, edges[Int(edge)].isMet)
        unlink(edge)
        return (kind, wasMet)
    }

    /// Removes the edge of a blocking wait; false when there is none.
    package mutating func removeWait(from dependent: Node, to dependency: Node) -> Bool {
        let edge = findEdge(from: dependent.index, to: dependency.index, isWait: true)
        guard edge != Self.none else { return false }
        unlink(edge)
        return true
    }

    /// Removes the oldest edge by which another node waits for this one.
    package mutating func popDependent(of node: Node) -> (node: Node, kind: EdgeKind)? {
        let edge = nodes[Int(node.index)].firstDependent
        guard edge != Self.none else { return nil }
        let (other, kind) = (edges[Int(edge)].dependent, edges[Int(edge)].kind)
        unlink(edge)
        return (Node(index: other), kind)
    }

    /// Removes the oldest edge by which this node waits for another one.
    package mutating func popDependency(of node: Node) -> (node: Node, kind: EdgeKind)? {
        let edge = nodes[Int(node.index)].firstDependency
        guard edge != Self.none else { return nil }
        let (other, kind) = (edges[Int(edge)].dependency, edges[Int(edge)].kind)
        unlink(edge)
        return (Node(index: other), kind)
    }

    /// Appends an edge to the lists of both its ends.
    mutating func link(from dependent: UInt32, to dependency: UInt32, kind: EdgeKind) {
        let record = EdgeRecord(
            dependent: dependent,
            dependency: dependency,
            previousDependency: nodes[Int(dependent)].lastDependency,
            nextDependency: Self.none,
            previousDependent: nodes[Int(dependency)].lastDependent,
            nextDependent: Self.none,
            kind: kind
        )
        let edge = store(record)
        if record.previousDependency == Self.none {
            nodes[Int(dependent)].firstDependency = edge
        } else {
            edges[Int(record.previousDependency)].nextDependency = edge
        }
        nodes[Int(dependent)].lastDependency = edge
        nodes[Int(dependent)].dependencyCount += 1
        if record.previousDependent == Self.none {
            nodes[Int(dependency)].firstDependent = edge
        } else {
            edges[Int(record.previousDependent)].nextDependent = edge
        }
        nodes[Int(dependency)].lastDependent = edge
        nodes[Int(dependency)].dependentCount += 1
        edgeCount += 1
        if nodes[Int(dependent)].dependencyCount > Self.indexedLength, places[Int(dependent)].isIndexed {
            edgeIndex[EdgeKey(record)] = edge
        }
    }

    private mutating func store(_ record: EdgeRecord) -> UInt32 {
        guard firstFreeEdge != Self.none else {
            edges.append(record)
            return UInt32(edges.count - 1)
        }
        let edge = firstFreeEdge
        firstFreeEdge = edges[Int(edge)].nextDependency
        edges[Int(edge)] = record
        return edge
    }

    /// Takes an edge out of the lists of both its ends, and frees its record.
    mutating func unlink(_ edge: UInt32) {
        let record = edges[Int(edge)]
        forget(edge)
        if record.previousDependency == Self.none {
            nodes[Int(record.dependent)].firstDependency = record.nextDependency
        } else {
            edges[Int(record.previousDependency)].nextDependency = record.nextDependency
        }
        if record.nextDependency == Self.none {
            nodes[Int(record.dependent)].lastDependency = record.previousDependency
        } else {
            edges[Int(record.nextDependency)].previousDependency = record.previousDependency
        }
        nodes[Int(record.dependent)].dependencyCount -= 1
        if record.isMet {
            nodes[Int(record.dependency)].metCount -= 1
        } else {
            unlinkFromDependency(record)
        }
        edges[Int(edge)].dependent = Self.none
        edges[Int(edge)].nextDependency = firstFreeEdge
        firstFreeEdge = edge
        edgeCount -= 1
    }

    /// Takes an edge out of the list of its dependency.
    mutating func unlinkFromDependency(_ record: EdgeRecord) {
        if record.previousDependent == Self.none {
            nodes[Int(record.dependency)].firstDependent = record.nextDependent
        } else {
            edges[Int(record.previousDependent)].nextDependent = record.nextDependent
        }
        if record.nextDependent == Self.none {
            nodes[Int(record.dependency)].lastDependent = record.previousDependent
        } else {
            edges[Int(record.nextDependent)].previousDependent = record.previousDependent
        }
        nodes[Int(record.dependency)].dependentCount -= 1
    }
}
