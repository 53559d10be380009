// Finding the edge between two nodes: by scanning the shorter list, or through an index where both lists are long.

extension DependencyGraph {
    /// Lists up to this length are scanned.
    static let scannedLength = 16

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

    /// The bit that says that a node may wait for this one.
    static func dependencyBit(of index: UInt32) -> UInt64 { 1 << UInt64(index % 64) }

    /// The edge between two nodes, or `none`.
    @inline(__always)
    mutating func findEdge(from dependent: UInt32, to dependency: UInt32, isWait: Bool) -> UInt32 {
        // Most edges are new, and of those most are known for new by this.
        if nodes[dependent].dependencyBits & Self.dependencyBit(of: dependency) == 0 { return Self.none }
        return scanForEdge(from: dependent, to: dependency, isWait: isWait)
    }

    /// Goes through both lists at once until the shorter one ends.
    ///
    /// The index is filled with the edges of one dependent at a time, when they are first asked for. So a graph in which one end of
    /// every edge has few neighbours (chains, trees, fans) never pays for it, and one with 1,000 nodes waiting for 1,000 others
    /// holds each edge in it once.
    private mutating func scanForEdge(from dependent: UInt32, to dependency: UInt32, isWait: Bool) -> UInt32 {
        // A node that has ended lists nobody any more; those that remember it do.
        let isListed = !nodes[dependency].hasEnded
        var (down, up) = (nodes[dependent].firstDependency, nodes[dependency].firstDependent)
        for _ in 0..<Self.scannedLength {
            if down == Self.none { return Self.none }
            let lower = edges[down]
            if lower.dependency == dependency, (lower.kind == .wait) == isWait { return down }
            down = lower.nextDependency
            guard isListed else { continue }
            if up == Self.none { return Self.none }
            let upper = edges[up]
            if upper.dependent == dependent, (upper.kind == .wait) == isWait { return up }
            up = upper.nextDependent
        }
        if !nodes[dependent].flags.contains(.isIndexed) { fillIndex(of: dependent) }
        return edgeIndex[EdgeKey(dependent: dependent, dependency: dependency, isWait: isWait)] ?? Self.none
    }

    private mutating func fillIndex(of dependent: UInt32) {
        nodes[dependent].flags.insert(.isIndexed)
        var edge = nodes[dependent].firstDependency
        while edge != Self.none {
            addToIndex(edge)
            edge = edges[edge].nextDependency
        }
    }

    mutating func addToIndex(_ edge: UInt32) { edgeIndex[EdgeKey(edges[edge])] = edge }

    /// Takes all edges of a dependent out of the index.
    @usableFromInline
    mutating func takeDependenciesFromIndex(of dependent: UInt32) {
        nodes[dependent].flags.remove(.isIndexed)
        var edge = nodes[dependent].firstDependency
        while edge != Self.none {
            edgeIndex[EdgeKey(edges[edge])] = nil
            edge = edges[edge].nextDependency
        }
        shrinkIndex()
    }

    private mutating func shrinkIndex() {
        if edgeIndex.isEmpty, edgeIndex.capacity > Self.keptCapacity { edgeIndex = [:] }
    }

    /// Takes an edge out of the index; its dependent leaves the index with its last edge.
    mutating func takeFromIndex(_ record: EdgeRecord, isLast: Bool) {
        edgeIndex[EdgeKey(record)] = nil
        if isLast { nodes[record.dependent].flags.remove(.isIndexed) }
        shrinkIndex()
    }
}
