// What the graph remembers of relations that are no edges, so that few edges need a search through them.

/// Two things are remembered of a node while there are relations, both as stamps that go out of date as a whole.
///
/// *Raised*: a way through a relation may end here, because a relation holds this node back, or one that it waits for by edges. The
/// caller raises what relations hold back; edges hand it upwards. It is forgotten when there are no relations any more.
///
/// *Free*: no way through a relation begins here, because neither this node nor any that waits for it by edges holds others
/// back without an edge. A search finds it out, and edges take it away downwards. It is forgotten when a relation is added.
///
/// An edge closes a ring through a relation only if its dependency is raised and its dependent is not free. Each node is raised once,
/// and found free or not as often as it changes, so that edges that are added one by one do not search the same nodes again and again.
struct ImpliedStamps: Sendable {
    /// What a node bears that is raised, or free. No node bears 0 when these are in use.
    var raised: UInt32 = 1
    var free: UInt32 = 1
}

extension DependencyGraph {
    /// There are no relations any more.
    package mutating func forgetRelations() {
        own()
        implied.raised += 1
        implied.free += 1
        restampIfNeeded()
    }

    /// A relation was added, or a node came into one: what was free may be so no longer.
    package mutating func relationsGrew() {
        own()
        implied.free += 1
        restampIfNeeded()
    }

    private mutating func restampIfNeeded() {
        guard max(implied.raised, implied.free) == .max else { return }
        for index in 0..<nodes.count { (nodes[index].raised, nodes[index].free) = (nodes[index].raised == implied.raised ? 1 : 0, 0) }
        implied = ImpliedStamps()
    }

    /// Whether a way through a relation may end at this node.
    package func isRaised(_ node: Node) -> Bool { nodes[node.index].raised == implied.raised }

    /// A relation holds this node back.
    package mutating func raise(_ node: Node) {
        own()
        if isRaised(node) { return }
        var stack = takeStack()
        defer { giveBack(&stack) }
        nodes[node.index].raised = implied.raised
        stack.append(node)
        while let node = stack.popLast() {
            var edge = nodes[node.index].firstDependent
            while edge != Self.none {
                let record = edges[edge]
                if nodes[record.dependent].raised != implied.raised {
                    nodes[record.dependent].raised = implied.raised
                    stack.append(Node(index: record.dependent))
                }
                edge = record.nextDependent
            }
        }
    }

    /// An edge was added while there are relations.
    package mutating func noteEdge(from dependent: Node, to dependency: Node) {
        own()
        if isRaised(dependency) { raise(dependent) }
        if nodes[dependent.index].free != implied.free { unfree(dependency) }
    }

    /// Takes away that a node, and what it waits for, is free.
    private mutating func unfree(_ node: Node) {
        guard nodes[node.index].free == implied.free else { return }
        var stack = takeStack()
        defer { giveBack(&stack) }
        nodes[node.index].free = 0
        stack.append(node)
        while let node = stack.popLast() {
            var edge = nodes[node.index].firstDependency
            while edge != Self.none {
                let record = edges[edge]
                if nodes[record.dependency].free == implied.free {
                    nodes[record.dependency].free = 0
                    stack.append(Node(index: record.dependency))
                }
                edge = record.nextDependency
            }
        }
    }

    /// Whether no way through a relation begins at this node. O(nodes + edges) above it, without those that are known to be free.
    @inlinable
    package mutating func isFree<Order: ImpliedOrder>(_ start: Node, order: inout Order) -> Bool {
        if isKnownFree(start) { return true }
        own()
        var reached = takeStack()
        defer { giveBack(&reached) }
        let mark = newMarks(1)
        startReaching(start, &reached, mark: mark)
        var next = 0
        while next < reached.count {
            if order.isRelated(reached[next]) { return false }
            appendUnknown(above: reached[next], to: &reached, mark: mark)
            next += 1
        }
        free(reached)
        return true
    }

    @usableFromInline
    func isKnownFree(_ node: Node) -> Bool { nodes[node.index].free == implied.free }

    @usableFromInline
    mutating func startReaching(_ node: Node, _ reached: inout [Node], mark: UInt32) {
        nodes[node.index].mark = mark
        reached.append(node)
    }

    @usableFromInline
    mutating func appendUnknown(above node: Node, to reached: inout [Node], mark: UInt32) {
        var edge = nodes[node.index].firstDependent
        while edge != Self.none {
            let record = edges[edge]
            let above = nodes[record.dependent]
            if above.mark != mark, above.free != implied.free {
                nodes[record.dependent].mark = mark
                reached.append(Node(index: record.dependent))
            }
            edge = record.nextDependent
        }
    }

    @usableFromInline
    mutating func free(_ reached: [Node]) {
        for node in reached { nodes[node.index].free = implied.free }
    }
}
