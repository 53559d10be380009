// Adding and removing edges, and the two lists that each edge is a member of.

/// What an edge asks of its dependency.
@usableFromInline
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

    /// Removes the ordinary edge and says of which kind it was, or nil when there is none.
    package mutating func removeEdge(from dependent: Node, to dependency: Node) -> EdgeKind? {
        let edge = findEdge(from: dependent.index, to: dependency.index, isWait: false)
        guard edge != Self.none else { return nil }
        let kind = edges[Int(edge)].kind
        unlink(edge)
        return kind
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
        let edge = firstFreeEdge == Self.none ? UInt32(edges.count) : firstFreeEdge
        let record = EdgeRecord(
            dependent: dependent,
            dependency: dependency,
            previousDependency: nodes[Int(dependent)].appendDependency(edge),
            nextDependency: Self.none,
            previousDependent: nodes[Int(dependency)].appendDependent(edge),
            nextDependent: Self.none,
            kind: kind
        )
        if firstFreeEdge == Self.none {
            edges.append(record)
        } else {
            firstFreeEdge = edges[Int(edge)].nextDependency
            edges[Int(edge)] = record
        }
        if record.previousDependency != Self.none {
            edges[Int(record.previousDependency)].nextDependency = edge
        }
        if record.previousDependent != Self.none {
            edges[Int(record.previousDependent)].nextDependent = edge
        }
        edgeCount += 1
        if nodes[Int(dependent)].dependencyCount > Self.indexedLength, places[Int(dependent)].isIndexed {
            edgeIndex[EdgeKey(record)] = edge
        }
    }

    /// Takes an edge out of the lists of both its ends, and frees its record.
    mutating func unlink(_ edge: UInt32) {
        forget(edge)
        let record = edges[Int(edge)]
        nodes[Int(record.dependent)].removeDependency(between: record.previousDependency, and: record.nextDependency)
        if record.previousDependency != Self.none {
            edges[Int(record.previousDependency)].nextDependency = record.nextDependency
        }
        if record.nextDependency != Self.none {
            edges[Int(record.nextDependency)].previousDependency = record.previousDependency
        }
        if record.isMet {
            nodes[Int(record.dependency)].metCount -= 1
        } else {
            unlinkFromDependency(record)
        }
        edges[Int(edge)].free(before: firstFreeEdge)
        firstFreeEdge = edge
        edgeCount -= 1
    }

    /// Takes an edge out of the list of its dependency.
    mutating func unlinkFromDependency(_ record: EdgeRecord) {
        nodes[Int(record.dependency)].removeDependent(between: record.previousDependent, and: record.nextDependent)
        if record.previousDependent != Self.none {
            edges[Int(record.previousDependent)].nextDependent = record.nextDependent
        }
        if record.nextDependent != Self.none {
            edges[Int(record.nextDependent)].previousDependent = record.previousDependent
        }
    }
}

// Each of these is a single access to the array that the record is in, because each access checks the array for other owners.

extension DependencyGraph.NodeRecord {
    /// Makes the edge the last one by which the node waits, and returns the one that was.
    fileprivate mutating func appendDependency(_ edge: UInt32) -> UInt32 {
        let previous = lastDependency
        if previous == DependencyGraph.none {
            firstDependency = edge
        }
        lastDependency = edge
        dependencyCount += 1
        return previous
    }

    /// Makes the edge the last one by which others wait for the node, and returns the one that was.
    fileprivate mutating func appendDependent(_ edge: UInt32) -> UInt32 {
        let previous = lastDependent
        if previous == DependencyGraph.none {
            firstDependent = edge
        }
        lastDependent = edge
        dependentCount += 1
        return previous
    }

    fileprivate mutating func removeDependency(between previous: UInt32, and next: UInt32) {
        if previous == DependencyGraph.none {
            firstDependency = next
        }
        if next == DependencyGraph.none {
            lastDependency = previous
        }
        dependencyCount -= 1
    }

    fileprivate mutating func removeDependent(between previous: UInt32, and next: UInt32) {
        if previous == DependencyGraph.none {
            firstDependent = next
        }
        if next == DependencyGraph.none {
            lastDependent = previous
        }
        dependentCount -= 1
    }
}

extension DependencyGraph.EdgeRecord {
    fileprivate mutating func free(before next: UInt32) {
        dependent = DependencyGraph.none
        nextDependency = next
    }
}
