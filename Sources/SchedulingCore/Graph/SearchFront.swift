// One of the two fronts of a cycle search: the nodes it has reached, in the order in which it is to expand them.

/// A binary heap of visited nodes, and those whose edges have all been followed.
struct SearchFront: Sendable {
    struct Visit {
        /// The label of the node as the front sees it: the search downwards turns it round, so that the least key is always next.
        let key: UInt64
        let node: UInt32
        /// The next edge to follow, or none.
        var edge: UInt32
    }

    private(set) var heap: [Visit] = []
    /// In the order of their keys.
    private(set) var settled: [Visit] = []

    var first: Visit? { heap.first }

    mutating func start(at node: UInt32, key: UInt64, edge: UInt32) {
        heap.removeAll(keepingCapacity: true)
        settled.removeAll(keepingCapacity: true)
        heap.append(Visit(key: key, node: node, edge: edge))
    }

    mutating func insert(_ node: UInt32, key: UInt64, edge: UInt32) {
        let visit = Visit(key: key, node: node, edge: edge)
        var hole = heap.count
        heap.append(visit)
        while hole > 0 {
            let parent = (hole - 1) / 2
            guard key < heap[parent].key else { break }
            heap[hole] = heap[parent]
            hole = parent
        }
        heap[hole] = visit
    }

    /// Replaces the edge that the first node is to follow next.
    mutating func advance(to edge: UInt32) {
        heap[0].edge = edge
    }

    /// Sets aside the nodes at the head of the heap that have no edge left to follow.
    mutating func settle() {
        while let visit = heap.first, visit.edge == DependencyGraph.none {
            settled.append(visit)
            removeFirst()
        }
    }

    private mutating func removeFirst() {
        let visit = heap.removeLast()
        guard !heap.isEmpty else { return }
        var hole = 0
        while true {
            var child = 2 * hole + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].key < heap[child].key {
                child += 1
            }
            guard heap[child].key < visit.key else { break }
            heap[hole] = heap[child]
            hole = child
        }
        heap[hole] = visit
    }

    mutating func reset(keeping limit: Int) {
        heap.reset(keeping: limit)
        settled.reset(keeping: limit)
    }
}
