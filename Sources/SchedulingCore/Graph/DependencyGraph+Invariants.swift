// What must hold in a graph between any two calls, written down as a check for tests.

extension DependencyGraph {
    /// Everything that is wrong with the graph; empty when all is well. Costs O(nodes + edges).
    package func checkInvariants() -> [String] {
        checkNodes() + checkOrder() + checkEdges() + checkIndex()
    }

    /// The number of nodes and edges for which storage is held.
    package var reservedRecords: Int {
        Int(nodes.capacity + edges.capacity)
    }

    private var liveNodes: [UInt32] {
        (0..<nodes.count).filter { nodes[$0].label != 0 }
    }

    private func checkNodes() -> [String] {
        var faults: [String] = []
        let live = liveNodes
        if live.count != nodeCount {
            faults.append("\(live.count) nodes are live, nodeCount is \(nodeCount)")
        }
        var free = firstFreeNode
        var freeCount = 0
        while free != Self.none, freeCount <= nodes.count {
            if nodes[free].label != 0 {
                faults.append("node \(free) is free and live")
            }
            freeCount += 1
            free = nodes[free].firstDependency
        }
        if Int(freeCount) + live.count != Int(nodes.count) {
            faults.append("\(freeCount) nodes are free and \(live.count) live, of \(nodes.count)")
        }
        for node in live where nodes[node].mark > lastMark {
            faults.append("node \(node) bears the mark of a search to come")
        }
        return faults
    }

    private func checkOrder() -> [String] {
        var faults: [String] = []
        var count = 0
        var previous = Self.none
        var node = firstPlaced
        while node != Self.none, count <= nodeCount {
            count += 1
            if nodes[node].before != previous {
                faults.append("node \(node) does not know the one before it")
            }
            let label = nodes[node].label
            if label == 0 || previous != Self.none && nodes[previous].label >= label {
                faults.append("the label of node \(node) does not rise")
            }
            previous = node
            node = nodes[node].after
        }
        if lastPlaced != previous {
            faults.append("the order ends with \(previous), not with \(lastPlaced)")
        }
        if count != nodeCount {
            faults.append("\(count) nodes stand in the order, nodeCount is \(nodeCount)")
        }
        return faults
    }

    private func checkEdges() -> [String] {
        var faults: [String] = []
        var dependencyEdges = 0
        var dependentEdges = 0
        var metCount = 0
        var holders: [UInt32: UInt32] = [:]
        var keys: Set<EdgeKey> = []
        for node in liveNodes {
            var edge = nodes[node].firstDependency
            var previous = Self.none
            var count: UInt32 = 0
            var bits: UInt64 = 0
            while edge != Self.none, count <= edges.count {
                let record = edges[edge]
                bits |= Self.dependencyBit(of: record.dependency)
                if record.kind != .wait { holders[record.dependency, default: 0] += 1 }
                if nodes[record.dependency].hasEnded { metCount += 1 }
                let isLinked = !nodes[node].flags.contains(.linksDependenciesBack) || record.previousDependency == previous
                if record.dependent != node || !isLinked {
                    faults.append("edge \(edge) is wrong among the dependencies of node \(node)")
                }
                if !nodes[record.dependency].hasEnded, nodes[record.dependency].label >= nodes[node].label {
                    faults.append("node \(node) waits for \(record.dependency) and comes before it")
                }
                if !keys.insert(EdgeKey(record)).inserted {
                    faults.append("node \(node) waits for \(record.dependency) twice")
                }
                count += 1
                previous = edge
                edge = record.nextDependency
            }
            if count > edges.count {
                faults.append("the dependencies of node \(node) end wrong")
            }
            if bits & ~nodes[node].dependencyBits != 0 || (count == 0 && nodes[node].dependencyBits != 0) {
                faults.append("node \(node) has wrong bits")
            }
            dependencyEdges += Int(count)
            edge = nodes[node].firstDependent
            previous = Self.none
            count = 0
            while edge != Self.none, count <= edges.count {
                let record = edges[edge]
                let isLinked = !nodes[node].flags.contains(.linksDependentsBack) || record.previousDependent == previous
                if record.dependency != node || !isLinked {
                    faults.append("edge \(edge) is wrong among the dependents of node \(node)")
                }
                count += 1
                previous = edge
                edge = record.nextDependent
            }
            if count > edges.count || (count > 0 && nodes[node].hasEnded) {
                faults.append("the dependents of node \(node) end wrong")
            }
            dependentEdges += Int(count)
        }
        if dependencyEdges != edgeCount || dependentEdges + metCount != edgeCount {
            faults.append("\(dependencyEdges) edges lead down, \(metCount) met, and \(dependentEdges) up, edgeCount is \(edgeCount)")
        }
        for node in liveNodes where nodes[node].holderCount != holders[node] ?? 0 {
            faults.append("node \(node) counts its holders wrong")
        }
        var free = firstFreeEdge
        var freeCount = 0
        while free != Self.none, freeCount <= edges.count {
            if edges[free].dependent != Self.none {
                faults.append("edge \(free) is free and has a dependent")
            }
            freeCount += 1
            free = edges[free].nextDependency
        }
        if Int(freeCount) + edgeCount != Int(edges.count) {
            faults.append("\(freeCount) edges are free and \(edgeCount) live, of \(edges.count)")
        }
        return faults
    }

    private func checkIndex() -> [String] {
        var faults: [String] = []
        var expected = 0
        for node in liveNodes where nodes[node].flags.contains(.isIndexed) {
            var edge = nodes[node].firstDependency
            while edge != Self.none {
                expected += 1
                if edgeIndex[EdgeKey(edges[edge])] != edge {
                    faults.append("edge \(edge) is missing in the index")
                }
                edge = edges[edge].nextDependency
            }
        }
        if edgeIndex.count != expected {
            faults.append("the index holds \(edgeIndex.count) edges, not \(expected)")
        }
        return faults
    }
}
