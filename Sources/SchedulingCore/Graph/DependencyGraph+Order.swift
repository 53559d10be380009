// The total order of the nodes: a linked list whose labels say at once which of two nodes comes first.

extension DependencyGraph {
    /// The distance of the labels at the ends of the order. It leaves room for 32 halvings between two neighbours, and for 2³¹ nodes
    /// at either end before the labels are dealt out anew.
    static let labelSpacing: UInt64 = 1 << 32

    /// Puts a node that is in no place directly after another, or first of all after `none`.
    mutating func place(_ node: UInt32, after previous: UInt32) {
        let next = previous == Self.none ? firstPlaced : places[Int(previous)].after
        nodes[Int(node)].label = freeLabel(between: previous, and: next)
        places[Int(node)].before = previous
        places[Int(node)].after = next
        if previous == Self.none {
            firstPlaced = node
        } else {
            places[Int(previous)].after = node
        }
        if next == Self.none {
            lastPlaced = node
        } else {
            places[Int(next)].before = node
        }
    }

    /// Takes a node out of the order; its label stays.
    mutating func displace(_ node: UInt32) {
        let place = places[Int(node)]
        if place.before == Self.none {
            firstPlaced = place.after
        } else {
            places[Int(place.before)].after = place.after
        }
        if place.after == Self.none {
            lastPlaced = place.before
        } else {
            places[Int(place.after)].before = place.before
        }
    }

    mutating func move(_ node: UInt32, after other: UInt32) {
        displace(node)
        place(node, after: other)
    }

    mutating func move(_ node: UInt32, before other: UInt32) {
        displace(node)
        place(node, after: places[Int(other)].before)
    }

    private mutating func freeLabel(between previous: UInt32, and next: UInt32) -> UInt64 {
        switch (previous, next) {
        case (Self.none, Self.none):
            return 1 << 63
        case (Self.none, _):
            if nodes[Int(next)].label <= Self.labelSpacing {
                spreadAllLabels()
            }
            return nodes[Int(next)].label - Self.labelSpacing
        case (_, Self.none):
            if nodes[Int(previous)].label >= .max - Self.labelSpacing {
                spreadAllLabels()
            }
            return nodes[Int(previous)].label + Self.labelSpacing
        default:
            if nodes[Int(next)].label - nodes[Int(previous)].label < 2 {
                spreadLabels(around: previous)
            }
            let low = nodes[Int(previous)].label
            return low + (nodes[Int(next)].label - low) / 2
        }
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
            let low = nodes[Int(node)].label & ~(size - 1)
            let high = low | (size - 1)
            while places[Int(first)].before != Self.none, nodes[Int(places[Int(first)].before)].label >= low {
                first = places[Int(first)].before
                count += 1
            }
            while places[Int(last)].after != Self.none, nodes[Int(places[Int(last)].after)].label <= high {
                last = places[Int(last)].after
                count += 1
            }
        } while Double(count) > allowed || size / count < 4
        let step = size / count
        assignLabels(from: first, count: count, start: (nodes[Int(node)].label & ~(size - 1)) + step / 2, step: step)
    }

    /// Deals the labels out anew around the middle, when one end of the order has come to the end of the numbers.
    private mutating func spreadAllLabels() {
        let count = UInt64(nodeCount)
        let step = min(Self.labelSpacing, (1 << 62) / count)
        assignLabels(from: firstPlaced, count: count, start: (1 << 63) - count / 2 * step, step: step)
    }

    private mutating func assignLabels(from first: UInt32, count: UInt64, start: UInt64, step: UInt64) {
        var node = first
        var label = start
        for _ in 0..<count where node != Self.none {
            nodes[Int(node)].label = label
            label += step
            node = places[Int(node)].after
        }
    }
}
