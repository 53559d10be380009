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

    /// Removes the newest edge by which another node waits for this one.
    package mutating func popDependent(of node: Node) -> (node: Node, kind: EdgeKind)? {
        own()
        let edge = nodes[node.index].firstDependent
        guard edge != Self.none else { return nil }
        let (other, kind) = (edges[edge].dependent, edges[edge].kind)
        unlink(edge)
        return (Node(index: other), kind)
    }

    /// Puts an edge at the head of the lists of both its ends.
    @inline(__always)
    mutating func link(from dependent: UInt32, to dependency: UInt32, kind: EdgeKind) {
        let nextDependency = nodes[dependent].firstDependency
        let nextDependent = nodes[dependency].firstDependent
        let edge = store(
            EdgeRecord(
                dependent: dependent, dependency: dependency, previousDependency: Self.none, nextDependency: nextDependency,
                previousDependent: Self.none, nextDependent: nextDependent, kind: kind))
        nodes[dependent].firstDependency = edge
        nodes[dependent].dependencyBits |= Self.dependencyBit(of: dependency)
        if !nodes[dependent].flags.isDisjoint(with: [.isIndexed, .linksDependenciesBack]) { noteHead(edge, before: nextDependency) }
        if kind != .wait { nodes[dependency].holderCount += 1 }
        edgeCount += 1
        // A node that has ended lists nobody any more.
        if nodes[dependency].hasEnded { return }
        nodes[dependency].firstDependent = edge
        if nextDependent != Self.none, nodes[dependency].flags.contains(.linksDependentsBack) {
            edges[nextDependent].previousDependent = edge
        }
    }

    /// What few nodes want to know of a new edge by which they wait.
    private mutating func noteHead(_ edge: UInt32, before next: UInt32) {
        let flags = nodes[edges[edge].dependent].flags
        if flags.contains(.isIndexed) { addToIndex(edge) }
        if next != Self.none, flags.contains(.linksDependenciesBack) { edges[next].previousDependency = edge }
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

    /// Takes an edge out of the lists of both its ends, and frees its record. O(1) amortized: a list is linked back once.
    mutating func unlink(_ edge: UInt32) {
        if !nodes[edges[edge].dependency].hasEnded { unlinkFromDependency(edge) }
        unlinkFromDependent(edge)
    }

    @usableFromInline
    mutating func unlinkFromDependency(_ edge: UInt32) {
        let dependency = edges[edge].dependency
        let next = edges[edge].nextDependent
        var previous = Self.none
        if nodes[dependency].firstDependent == edge {
            nodes[dependency].firstDependent = next
        } else {
            linkDependentsBack(of: dependency)
            previous = edges[edge].previousDependent
            edges[previous].nextDependent = next
        }
        if next != Self.none {
            edges[next].previousDependent = previous
        } else if previous == Self.none {
            nodes[dependency].flags.remove(.linksDependentsBack)
        }
    }

    /// Takes an edge that its dependency does not list out of the list of its dependent, and frees its record.
    @usableFromInline
    mutating func unlinkFromDependent(_ edge: UInt32) {
        let dependent = edges[edge].dependent
        let next = edges[edge].nextDependency
        var previous = Self.none
        if nodes[dependent].firstDependency == edge {
            nodes[dependent].firstDependency = next
        } else {
            linkDependenciesBack(of: dependent)
            previous = edges[edge].previousDependency
            edges[previous].nextDependency = next
        }
        let isLast = next == Self.none && previous == Self.none
        if nodes[dependent].flags.contains(.isIndexed) { takeFromIndex(edges[edge], isLast: isLast) }
        if next != Self.none {
            edges[next].previousDependency = previous
        } else if isLast {
            nodes[dependent].flags.remove(.linksDependenciesBack)
            nodes[dependent].dependencyBits = 0
        }
        if edges[edge].kind != .wait { nodes[edges[edge].dependency].holderCount -= 1 }
        edges[edge].dependent = Self.none
        edges[edge].nextDependency = firstFreeEdge
        firstFreeEdge = edge
        edgeCount -= 1
    }

    private mutating func linkDependentsBack(of dependency: UInt32) {
        if !nodes[dependency].flags.insert(.linksDependentsBack).inserted { return }
        var (previous, edge) = (Self.none, nodes[dependency].firstDependent)
        while edge != Self.none {
            edges[edge].previousDependent = previous
            (previous, edge) = (edge, edges[edge].nextDependent)
        }
    }

    private mutating func linkDependenciesBack(of dependent: UInt32) {
        if !nodes[dependent].flags.insert(.linksDependenciesBack).inserted { return }
        var (previous, edge) = (Self.none, nodes[dependent].firstDependency)
        while edge != Self.none {
            edges[edge].previousDependency = previous
            (previous, edge) = (edge, edges[edge].nextDependency)
        }
    }
}
