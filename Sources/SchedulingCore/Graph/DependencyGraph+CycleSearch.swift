// The incremental search that tells whether a new edge would close a cycle.

extension DependencyGraph {
    /// The cycle that an edge would close, or nil after the order was made ready for it.
    mutating func cycleClosed(byEdgeFrom dependent: UInt32, to dependency: UInt32) -> [Node]? {
        if nodes[Int(dependency)].label < nodes[Int(dependent)].label {
            return nil
        }
        if nodes[Int(dependent)].firstDependent == Self.none {
            move(dependent, after: dependency)
            return nil
        }
        if nodes[Int(dependency)].firstDependency == Self.none {
            move(dependency, before: dependent)
            return nil
        }
        if let path = searchBothWays(from: dependent, to: dependency) {
            return path
        }
        reorder(from: dependent, to: dependency)
        return nil
    }

    private mutating func searchBothWays(from dependent: UInt32, to dependency: UInt32) -> [Node]? {
        let low = nodes[Int(dependent)].label
        let high = nodes[Int(dependency)].label
        let below = beginSearch(marks: 2)
        let above = below + 1
        places[Int(dependent)].mark = above
        places[Int(dependency)].mark = below
        upward.start(with: SearchFront.Visit(key: low, node: dependent, edge: nodes[Int(dependent)].firstDependent))
        downward.start(with: SearchFront.Visit(key: ~high, node: dependency, edge: nodes[Int(dependency)].firstDependency))
        while let up = upward.first, let down = downward.first, up.key < ~down.key {
            let upEdge = edges[Int(up.edge)]
            upward.advance(to: upEdge.nextDependent)
            let higher = upEdge.dependent
            if places[Int(higher)].mark == below {
                return cycle(through: up.node, and: higher, from: dependent, to: dependency)
            }
            if places[Int(higher)].mark != above, nodes[Int(higher)].label < high {
                places[Int(higher)].mark = above
                places[Int(higher)].parent = up.node
                upward.insert(SearchFront.Visit(key: nodes[Int(higher)].label, node: higher, edge: nodes[Int(higher)].firstDependent))
            }
            let downEdge = edges[Int(down.edge)]
            downward.advance(to: downEdge.nextDependency)
            let lower = downEdge.dependency
            if places[Int(lower)].mark == above {
                return cycle(through: lower, and: down.node, from: dependent, to: dependency)
            }
            if places[Int(lower)].mark != below, nodes[Int(lower)].label > low {
                places[Int(lower)].mark = below
                places[Int(lower)].parent = down.node
                downward.insert(SearchFront.Visit(key: ~nodes[Int(lower)].label, node: lower, edge: nodes[Int(lower)].firstDependency))
            }
            upward.settle()
            downward.settle()
        }
        return nil
    }

    private mutating func reorder(from dependent: UInt32, to dependency: UInt32) {
        guard let next = upward.first else {
            for visit in upward.settled.reversed() {
                move(visit.node, after: dependency)
            }
            return
        }
        for visit in downward.settled.prefix(while: { ~$0.key > next.key }).reversed() {
            move(visit.node, before: next.node)
        }
        for visit in upward.settled {
            move(visit.node, before: next.node)
        }
    }

    private func cycle(through above: UInt32, and below: UInt32, from dependent: UInt32, to dependency: UInt32) -> [Node] {
        var path: [Node] = []
        var node = below
        while node != dependency {
            path.append(Node(index: node))
            node = places[Int(node)].parent
        }
        path.append(Node(index: dependency))
        path.append(Node(index: dependent))
        path.reverse()
        node = above
        while node != dependent {
            path.append(Node(index: node))
            node = places[Int(node)].parent
        }
        path.append(Node(index: dependent))
        return path
    }

    /// Gives out marks that no node bears.
    mutating func beginSearch(marks: UInt32) -> UInt32 {
        if lastMark > .max - marks {
            for index in places.indices {
                places[index].mark = 0
            }
            lastMark = 0
        }
        lastMark += marks
        return lastMark - marks + 1
    }
}
