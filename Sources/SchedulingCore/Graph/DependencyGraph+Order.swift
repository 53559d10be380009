// The total order of the nodes: a linked list whose labels say at once which of two nodes comes first.

extension DependencyGraph {
    /// Puts a node that is in no place directly after another.
    mutating func place(_ node: UInt32, after previous: UInt32) {
        let next = nodes[previous].after
        let label = next == Self.none ? labelAtEnd() : roomBetween(previous, next).first
        insert(node, label: label, between: previous, and: next)
    }

    /// Puts a node that is in no place directly before another.
    mutating func place(_ node: UInt32, before next: UInt32) {
        let previous = nodes[next].before
        let label = previous == Self.none ? labelAtStart() : roomBetween(previous, next).last
        insert(node, label: label, between: previous, and: next)
    }

    /// Puts a node that is in no place at the end of the order.
    @inline(__always)
    mutating func placeLast(_ node: UInt32) {
        insert(node, label: labelAtEnd(), between: lastPlaced, and: Self.none)
    }

    /// Puts a node that is in no place at the start of the order.
    mutating func placeFirst(_ node: UInt32) {
        insert(node, label: labelAtStart(), between: Self.none, and: firstPlaced)
    }

    /// Takes a node out of the order; its label stays.
    @inline(__always)
    mutating func displace(_ node: UInt32) {
        let (previous, next) = (nodes[node].before, nodes[node].after)
        if previous == Self.none {
            firstPlaced = next
        } else {
            nodes[previous].after = next
        }
        if next == Self.none {
            lastPlaced = previous
        } else {
            nodes[next].before = previous
        }
    }

    @inline(__always)
    private mutating func insert(_ node: UInt32, label: UInt64, between previous: UInt32, and next: UInt32) {
        nodes[node].label = label
        nodes[node].standBetween(previous, next)
        if previous == Self.none {
            firstPlaced = node
        } else {
            nodes[previous].after = node
        }
        if next == Self.none {
            lastPlaced = node
        } else {
            nodes[next].before = node
        }
    }

    private mutating func labelAtStart() -> UInt64 {
        guard firstPlaced != Self.none else { return 1 << 63 }
        if nodes[firstPlaced].label <= endSpacing {
            spreadAllLabels()
        }
        return nodes[firstPlaced].label - endSpacing
    }

    @inline(__always)
    private mutating func labelAtEnd() -> UInt64 {
        guard lastPlaced != Self.none else { return 1 << 63 }
        if nodes[lastPlaced].label >= .max - endSpacing {
            spreadAllLabels()
        }
        return nodes[lastPlaced].label + endSpacing
    }

    /// The labels to use between two neighbours, beside the one or the other.
    private mutating func roomBetween(_ previous: UInt32, _ next: UInt32) -> (first: UInt64, last: UInt64) {
        if nodes[next].label - nodes[previous].label < 2 {
            spreadLabels(around: previous)
        }
        let (low, high) = (nodes[previous].label, nodes[next].label)
        let distance = min((high - low) / 2, innerSpacing)
        return (low + distance, high - distance)
    }

    /// Makes room beside a node: finds the smallest aligned range of labels around it that is not too full, and spreads the nodes in it.
    ///
    /// How full a range may be falls by a constant factor with each doubling, so that O(log n) nodes are relabelled per insertion,
    /// amortized, wherever the insertions are.
    private mutating func spreadLabels(around node: UInt32) {
        var first = node
        var last = node
        var count: UInt64 = 1
        var size: UInt64 = 1
        var allowed = 1.0
        repeat {
            size *= 2
            allowed *= 1.4
            let low = nodes[node].label & ~(size - 1)
            let high = low | (size - 1)
            while nodes[first].before != Self.none, nodes[nodes[first].before].label >= low {
                first = nodes[first].before
                count += 1
            }
            while nodes[last].after != Self.none, nodes[nodes[last].after].label <= high {
                last = nodes[last].after
                count += 1
            }
        } while Double(count) > allowed || size / count < 4
        let step = size / count
        assignLabels(from: first, to: last, start: (nodes[node].label & ~(size - 1)) + step / 2, step: step)
    }

    /// Deals the labels out anew around the middle, when one end of the order has come to the end of the numbers.
    private mutating func spreadAllLabels() {
        let count = UInt64(nodeCount)
        let step = min(endSpacing, (1 << 62) / count)
        assignLabels(from: firstPlaced, to: lastPlaced, start: (1 << 63) - count / 2 * step, step: step)
    }

    private mutating func assignLabels(from first: UInt32, to last: UInt32, start: UInt64, step: UInt64) {
        var node = first
        var label = start
        while node != last {
            nodes[node].label = label
            label += step
            node = nodes[node].after
        }
        nodes[last].label = label
    }
}

extension DependencyGraph.NodeRecord {
    fileprivate mutating func standBetween(_ previous: UInt32, _ next: UInt32) {
        before = previous
        after = next
    }
}
