// Finding the edge between two nodes: by scanning the shorter list, or through an index where both lists are long.

extension DependencyGraph {
    /// Lists up to this length are scanned.
    static let scannedLength: UInt32 = 16
    /// An indexed node leaves the index when it waits for this many or fewer; the gap to `scannedLength` keeps a node at the
    /// border from going in and out.
    static let indexedLength: UInt32 = 8

    /// The two ends of an edge, and which of the two edges between them is meant.
    struct EdgeKey: Hashable {
        let ends: UInt64
        let isWait: Bool

        init(dependent: UInt32, dependency: UInt32, isWait: Bool) {
            ends = UInt64(dependent) << 32 | UInt64(dependency)
            self.isWait = isWait
        }

        init(_ record: EdgeRecord) {
            self.init(dependent: record.dependent, dependency: record.dependency, isWait: record.kind == .wait)
        }
    }

    /// The edge between two nodes, or `none`.
    ///
    /// The index is filled with the edges of one dependent at a time, when they are first asked for. So a graph in which one end of
    /// every edge has few neighbours (chains, trees, fans) never pays for it, and one with 1,000 nodes waiting for 1,000 others
    /// holds each edge in it once.
    mutating func findEdge(from dependent: UInt32, to dependency: UInt32, isWait: Bool) -> UInt32 {
        let dependencyCount = nodes[Int(dependent)].dependencyCount
        // A node that has ended lists nobody any more; those that remember it do.
        let dependentCount = nodes[Int(dependency)].hasEnded ? .max : nodes[Int(dependency)].dependentCount
        if dependencyCount <= dependentCount, dependencyCount <= Self.scannedLength {
            var edge = nodes[Int(dependent)].lastDependency
            while edge != Self.none {
                let record = edges[Int(edge)]
                if record.dependency == dependency, (record.kind == .wait) == isWait { break }
                edge = record.previousDependency
            }
            return edge
        }
        if dependentCount <= Self.scannedLength {
            var edge = nodes[Int(dependency)].lastDependent
            while edge != Self.none {
                let record = edges[Int(edge)]
                if record.dependent == dependent, (record.kind == .wait) == isWait { break }
                edge = record.previousDependent
            }
            return edge
        }
        if !places[Int(dependent)].isIndexed {
            fillIndex(of: dependent)
        }
        return edgeIndex[EdgeKey(dependent: dependent, dependency: dependency, isWait: isWait)] ?? Self.none
    }

    /// Takes an edge that is about to be unlinked out of the index, and its dependent too when few edges are left.
    mutating func forget(_ edge: UInt32) {
        let dependent = Int(edges[Int(edge)].dependent)
        guard nodes[dependent].dependencyCount > Self.indexedLength, places[dependent].isIndexed else { return }
        edgeIndex[EdgeKey(edges[Int(edge)])] = nil
        guard nodes[dependent].dependencyCount - 1 <= Self.indexedLength else { return }
        places[dependent].isIndexed = false
        var rest = nodes[dependent].firstDependency
        while rest != Self.none {
            edgeIndex[EdgeKey(edges[Int(rest)])] = nil
            rest = edges[Int(rest)].nextDependency
        }
        if edgeIndex.isEmpty, edgeIndex.capacity > Self.keptCapacity {
            edgeIndex = [:]
        }
    }

    private mutating func fillIndex(of dependent: UInt32) {
        places[Int(dependent)].isIndexed = true
        var edge = nodes[Int(dependent)].firstDependency
        while edge != Self.none {
            edgeIndex[EdgeKey(edges[Int(edge)])] = edge
            edge = edges[Int(edge)].nextDependency
        }
    }
}
