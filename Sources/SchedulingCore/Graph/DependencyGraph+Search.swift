// The full search upwards, for rings that run through relations which are no edges.

/// Relations that are no edges: who comes after a node because of a barrier, or because of a wait for a whole queue.
@usableFromInline
package protocol ImpliedOrder {
    /// Appends the nodes that wait for this one without having an edge to it. Repeated ones are fine.
    mutating func appendImpliedDependents(of node: Node, to stack: inout [Node])

    /// Whether anything waits for this node without having an edge to it, or may come to do so while no relation is added.
    mutating func isRelated(_ node: Node) -> Bool

    /// Whether a path to this node is what the search is for.
    mutating func isTarget(_ node: Node) -> Bool
}

extension DependencyGraph {
    /// Finds a way from a node up to a target, along edges of every kind and along what the order implies, or nil when there is none.
    ///
    /// The path begins with `start` and ends with the target, and each node in it waits for the one before. `start` counts as a
    /// target only where the search comes back to it. The order is asked once for the dependents of each node that is reached, and once
    /// whether it is a target.
    ///
    /// Cost: O(nodes + edges) above `start`, no recursion.
    @inlinable
    package mutating func findPath<Order: ImpliedOrder>(upwardFrom start: Node, order: inout Order) -> [Node]? {
        own()
        var stack = takeStack()
        defer { giveBack(&stack) }
        let mark = newMarks(1)
        var node = start
        while true {
            appendDependents(of: node, to: &stack, mark: mark)
            let known = stack.count
            order.appendImpliedDependents(of: node, to: &stack)
            visitNew(in: &stack, from: known, cameFrom: node, mark: mark)
            repeat {
                guard let next = stack.popLast() else { return nil }
                if order.isTarget(next) {
                    return pathUpward(from: start, to: next)
                }
                node = next
            } while node == start
        }
    }

    /// Visits a node that the search has not seen yet; false when it has.
    private mutating func visit(_ node: UInt32, cameFrom parent: UInt32, mark: UInt32) -> Bool {
        guard nodes[node].mark != mark else { return false }
        nodes[node].mark = mark
        nodes[node].parent = parent
        return true
    }

    @usableFromInline
    mutating func appendDependents(of node: Node, to stack: inout [Node], mark: UInt32) {
        var edge = nodes[node.index].firstDependent
        while edge != Self.none {
            let dependent = edges[edge].dependent
            if visit(dependent, cameFrom: node.index, mark: mark) {
                stack.append(Node(index: dependent))
            }
            edge = edges[edge].nextDependent
        }
    }

    /// Keeps of the nodes at the end of the stack those that the search has not seen yet.
    @usableFromInline
    mutating func visitNew(in stack: inout [Node], from first: Int, cameFrom node: Node, mark: UInt32) {
        var kept = first
        for index in first..<stack.count where visit(stack[index].index, cameFrom: node.index, mark: mark) {
            stack[kept] = stack[index]
            kept += 1
        }
        stack.removeLast(stack.count - kept)
    }

    @usableFromInline
    func pathUpward(from start: Node, to target: Node) -> [Node] {
        var path = path(from: nodes[target.index].parent, to: start.index)
        path.reverse()
        path.append(target)
        return path
    }

    @usableFromInline
    mutating func takeStack() -> [Node] {
        var taken: [Node] = []
        swap(&taken, &stack)
        return taken
    }

    @usableFromInline
    mutating func giveBack(_ taken: inout [Node]) {
        taken.removeAll(keepingCapacity: true)
        swap(&taken, &stack)
    }
}
