// What must hold in a graph between any two calls, written down as a check for tests.

extension DependencyGraph {
    /// Everything that is wrong with the graph; empty when all is well. Costs O(nodes + edges).
    package func checkInvariants() -> [String] {
        checkNodes() + checkOrder() + checkEdges() + checkIndex()
    }

    /// The number of nodes and edges for which storage is held.
    package var reservedRecords: Int {
        nodes.capacity + edges.capacity
    }

    private var liveNodes: [UInt32] {
        nodes.indices.filter { nodes[$0].label != 0 }.map { UInt32($0) }
    }

    private func checkNodes() -> [String] {
        var faults: [String] = []
        let live = liveNodes
        if live.count != nodeCount {
            faults.append("\(live.count) nodes are live, nodeCount is \(nodeCount)")
        }
        if places.count != nodes.count {
            faults.append("\(nodes.count) nodes have \(places.count) places")
        }
        var free = firstFreeNode
        var freeCount = 0
        while free != Self.none, freeCount <= nodes.count {
            if nodes[Int(free)].label != 0 {
                faults.append("node \(free) is free and live")
            }
            freeCount += 1
            free = nodes[Int(free)].firstDependency
        }
        if freeCount + live.count != nodes.count {
            faults.append("\(freeCount) nodes are free and \(live.count) live, of \(nodes.count)")
        }
        for node in live where places[Int(node)].mark > lastMark {
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
            if places[Int(node)].before != previous {
                faults.append("node \(node) does not know the one before it")
            }
            let label = nodes[Int(node)].label
            if label == 0 || previous != Self.none && nodes[Int(previous)].label >= label {
                faults.append("the label of node \(node) does not rise")
            }
            previous = node
            node = places[Int(node)].after
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
        var keys: Set<EdgeKey> = []
        for node in liveNodes {
            var edge = nodes[Int(node)].firstDependency
            var previous = Self.none
            var count: UInt32 = 0
            while edge != Self.none, count <= edges.count {
                let record = edges[Int(edge)]
                if record.dependent != node || record.previousDependency != previous {
                    faults.append("edge \(edge) is wrong among the dependencies of node \(node)")
                }
                if nodes[Int(record.dependency)].label >= nodes[Int(node)].label {
                    faults.append("node \(node) waits for \(record.dependency) and comes before it")
                }
                if !keys.insert(EdgeKey(record)).inserted {
                    faults.append("node \(node) waits for \(record.dependency) twice")
                }
                count += 1
                previous = edge
                edge = record.nextDependency
            }
            if nodes[Int(node)].lastDependency != previous || nodes[Int(node)].dependencyCount != count {
                faults.append("the dependencies of node \(node) end or count wrong")
            }
            dependencyEdges += Int(count)
            edge = nodes[Int(node)].firstDependent
            previous = Self.none
            count = 0
            while edge != Self.none, count <= edges.count {
                let record = edges[Int(edge)]
                if record.dependency != node || record.previousDependent != previous {
                    faults.append("edge \(edge) is wrong among the dependents of node \(node)")
                }
                count += 1
                previous = edge
                edge = record.nextDependent
            }
            if nodes[Int(node)].lastDependent != previous || nodes[Int(node)].dependentCount != count {
                faults.append("the dependents of node \(node) end or count wrong")
            }
            dependentEdges += Int(count)
        }
        if dependencyEdges != edgeCount || dependentEdges != edgeCount {
            faults.append("\(dependencyEdges) edges lead down and \(dependentEdges) up, edgeCount is \(edgeCount)")
        }
        var free = firstFreeEdge
        var freeCount = 0
        while free != Self.none, freeCount <= edges.count {
            if edges[Int(free)].dependent != Self.none {
                faults.append("edge \(free) is free and has a dependent")
            }
            freeCount += 1
            free = edges[Int(free)].nextDependency
        }
        if freeCount + edgeCount != edges.count {
            faults.append("\(freeCount) edges are free and \(edgeCount) live, of \(edges.count)")
        }
        return faults
    }

    private func checkIndex() -> [String] {
        var faults: [String] = []
        var expected = 0
        for node in liveNodes where places[Int(node)].isIndexed {
            expected += Int(nodes[Int(node)].dependencyCount)
            var edge = nodes[Int(node)].firstDependency
            while edge != Self.none {
                if edgeIndex[EdgeKey(edges[Int(edge)])] != edge {
                    faults.append("edge \(edge) is missing in the index")
                }
                edge = edges[Int(edge)].nextDependency
            }
        }
        if edgeIndex.count != expected {
            faults.append("the index holds \(edgeIndex.count) edges, not \(expected)")
        }
        return faults
    }
}
