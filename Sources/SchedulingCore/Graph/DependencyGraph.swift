// The graph of who waits for whom: its nodes, and the storage that nodes and edges share.

/// A handle of one node of a ``DependencyGraph``.
///
/// A handle is good until its node is removed; its index may then be given to a new node.
@usableFromInline
package struct Node: Hashable, Sendable {
    @usableFromInline package let index: UInt32

    @inlinable
    package init(index: UInt32) {
        self.index = index
    }
}

/// A directed graph that never admits a cycle of its edges.
///
/// An edge says that its *dependent* waits for its *dependency*. Nodes and edges are records in plain memory that refer to each other by
/// index, so that a graph of a million nodes is a handful of allocations, is freed without recursion, and is searched without
/// touching a reference count. The nodes also stand in one total order in which each comes after all that it waits for.
///
/// A handle is the caller's own; one of a node that was removed is a mistake that only a debug build may notice.
///
/// Cost: adding a node is O(1), and so is unlinking an edge, amortized; finding one is O(1) (`DependencyGraph+Lookup.swift`); adding
/// one is O(1) where a graph is built from either end, and O(√m) amortized over m edges at worst, but for the heaps of the search
/// (`DependencyGraph+CycleSearch.swift`).
@usableFromInline
package struct DependencyGraph: Sendable {
    /// The index that stands for no node and no edge.
    @inlinable static var none: UInt32 { .max }

    /// Records for which there never was more room than this keep their memory when the last node goes.
    static let keptCapacity = 4096

    /// A node. A free record has the label 0 and its next free one in `firstDependency`.
    ///
    /// It is as long as a line of the processor's caches, and begins where one begins: in a graph without a pattern each node that is touched
    /// is one that was not touched lately, and what that costs is the lines, not the instructions.
    @usableFromInline
    struct NodeRecord: BitwiseCopyable, Sendable {
        /// Higher than the labels of all nodes that this one waits for.
        @usableFromInline var label: UInt64 = 0
        /// What the caller keeps with the node.
        @usableFromInline var tag: UInt
        /// A bit for each node that this one waits for, by the last digits of its index. Bits of edges that were removed may be left.
        @usableFromInline var dependencyBits: UInt64 = 0
        /// The newest of the edges by which this node waits, which lead on to older ones.
        @usableFromInline var firstDependency = DependencyGraph.none
        /// The newest of the edges by which others wait for this node. None once the node has ended.
        @usableFromInline var firstDependent = DependencyGraph.none
        /// Ordinary edges to this node, those that only their dependents still list among them.
        @usableFromInline var holderCount: UInt32 = 0
        @usableFromInline var flags: NodeFlags = []
        /// Neighbours in the total order.
        var before = DependencyGraph.none
        var after = DependencyGraph.none
        /// The search that visited this node last, and the node from which it came here.
        var mark: UInt32 = 0
        var parent = DependencyGraph.none
        /// What is known of relations above and below, see ``ImpliedStamps``.
        var raised: UInt32 = 0
        var free: UInt32 = 0

        init(tag: UInt) { self.tag = tag }
    }

    /// One edge, a member of two lists, newest first. A free record has no dependent, and its next free one in `nextDependency`.
    ///
    /// A new edge is put before the others without touching them. Only a list out of which an edge was taken leads backwards as well.
    @usableFromInline
    struct EdgeRecord: BitwiseCopyable, Sendable {
        @usableFromInline var dependent: UInt32
        @usableFromInline var dependency: UInt32
        /// Neighbours among the edges of the same dependent.
        @usableFromInline var previousDependency: UInt32
        @usableFromInline var nextDependency: UInt32
        /// Neighbours among the edges to the same dependency, until that has ended.
        @usableFromInline var previousDependent: UInt32
        @usableFromInline var nextDependent: UInt32
        @usableFromInline var kind: EdgeKind
    }

    @usableFromInline var nodes = Records<NodeRecord>()
    @usableFromInline var edges = Records<EdgeRecord>()
    @usableFromInline var memory = GraphMemory()
    var firstFreeNode = DependencyGraph.none
    @usableFromInline var firstFreeEdge = DependencyGraph.none

    /// Ends of the total order.
    var firstPlaced = DependencyGraph.none
    var lastPlaced = DependencyGraph.none

    var implied = ImpliedStamps()

    /// The edges of nodes between which scanning would cost too much.
    var edgeIndex: [EdgeKey: UInt32] = [:]

    /// The highest mark given so far: a node with a mark of the current search is visited.
    var lastMark: UInt32
    /// Scratch of the searches, kept so that a search allocates nothing.
    var upward = SearchFront()
    var downward = SearchFront()
    var stack: [Node] = []

    /// The distance of labels at the ends of the order: by default 2²⁷ nodes fit in at either end before all labels are dealt out anew.
    let endSpacing: UInt64
    /// The distance of a node from the one beside which it is put, where there is room: a chain that grows inside the order then finds
    /// room for a million nodes, and would find it for 36 if each halved what the last one left.
    let innerSpacing: UInt64

    package private(set) var nodeCount = 0
    @usableFromInline package internal(set) var edgeCount = 0

    /// Makes an empty graph. Other numbers than the default ones are for tests, which so come to the end of them sooner.
    package init(endSpacing: UInt64 = 1 << 36, innerSpacing: UInt64 = 1 << 16, lastMark: UInt32 = 0) {
        self.endSpacing = endSpacing
        self.innerSpacing = innerSpacing
        self.lastMark = lastMark
    }

    /// Adds a node without edges, in O(1), with a word of the caller's own.
    ///
    /// The order makes room for it at its start or at its end: a node that is to be waited for is best first, one that is to wait last.
    package mutating func addNode(tag: UInt = 0, isFirst: Bool = false) -> Node {
        own()
        nodeCount += 1
        var index = firstFreeNode
        if index == Self.none {
            if nodes.count == nodes.capacity { growNodes() }
            index = nodes.append(NodeRecord(tag: tag))
        } else {
            firstFreeNode = nodes[index].firstDependency
            nodes[index] = NodeRecord(tag: tag)
        }
        if isFirst { placeFirst(index) } else { placeLast(index) }
        return Node(index: index)
    }

    /// The caller's word of a node.
    @inlinable
    package func tag(of node: Node) -> UInt { nodes[node.index].tag }

    /// The words of all nodes, as they are until a node is added.
    @inlinable
    package var tags: Tags { Tags(nodes: nodes) }

    @usableFromInline
    package struct Tags: Sendable {
        @usableFromInline let nodes: Records<NodeRecord>

        @inlinable
        init(nodes: Records<NodeRecord>) { self.nodes = nodes }

        @inlinable
        package subscript(node: Node) -> UInt { nodes[node.index].tag }
    }

    /// Removes a node, which should have no edges any more; any that are left are removed with it.
    package mutating func removeNode(_ node: Node) {
        own()
        if hasDependents(node) || hasDependencies(node) { dropEdges(of: node) }
        displace(node.index)
        nodes[node.index].label = 0
        nodes[node.index].firstDependency = firstFreeNode
        firstFreeNode = node.index
        nodeCount -= 1
        if nodeCount == 0 { startOver() }
    }

    private mutating func dropEdges(of node: Node) {
        while popDependent(of: node) != nil {}
        dropDependencies(of: node) { _ in }
    }

    private mutating func startOver() {
        firstFreeNode = Self.none
        firstFreeEdge = Self.none
        resetRecords()
        stack.reset(keeping: Self.keptCapacity)
        upward.reset(keeping: Self.keptCapacity)
        downward.reset(keeping: Self.keptCapacity)
        if edgeIndex.capacity > 0 {
            edgeIndex = [:]
        }
    }
}

@usableFromInline
struct NodeFlags: OptionSet, BitwiseCopyable, Sendable {
    @usableFromInline let rawValue: UInt32

    @inlinable
    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// What the node stands for has ended, so all edges to it are met; the node goes when nobody lists it any more.
    @inlinable static var hasEnded: NodeFlags { NodeFlags(rawValue: 1) }
    /// All edges by which this node waits are in `edgeIndex`.
    @inlinable static var isIndexed: NodeFlags { NodeFlags(rawValue: 2) }
    /// The edges by which this node waits know the newer one before them.
    @inlinable static var linksDependenciesBack: NodeFlags { NodeFlags(rawValue: 4) }
    /// The edges by which others wait for this node do.
    @inlinable static var linksDependentsBack: NodeFlags { NodeFlags(rawValue: 8) }
}

extension DependencyGraph.NodeRecord {
    @inlinable
    var hasEnded: Bool { flags.contains(.hasEnded) }
}
