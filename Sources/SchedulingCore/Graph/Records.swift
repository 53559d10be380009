// Records in plain memory: the storage of the graph's nodes and edges.

/// Records that are reached by index, without a check of the index and without one of other owners.
///
/// Copies share the memory; who is responsible for it says so by freeing it, see ``GraphMemory``.
@usableFromInline
package struct Records<Record: BitwiseCopyable>: @unchecked Sendable {
    // Unchecked because of the pointer; whoever shares the memory between threads has a lock around it.
    @usableFromInline var base: UnsafeMutablePointer<Record>?
    @usableFromInline var capacity: UInt32 = 0
    @usableFromInline var count: UInt32 = 0

    @inlinable
    init() { base = nil }

    @inlinable
    package subscript(index: UInt32) -> Record {
        get {
            assert(index < count)
            return base.unsafelyUnwrapped[Int(index)]
        }
        nonmutating _modify {
            assert(index < count)
            yield &base.unsafelyUnwrapped[Int(index)]
        }
    }

    /// Appends a record where there is room for it, and returns its index.
    @inlinable
    mutating func append(_ record: Record) -> UInt32 {
        assert(count < capacity)
        base.unsafelyUnwrapped.advanced(by: Int(count)).initialize(to: record)
        count += 1
        return count - 1
    }

    /// Moves to memory with room for more records, and frees the old one.
    mutating func grow() {
        let larger = copy(capacity: max(16, capacity * 2))
        free()
        self = larger
    }

    /// The same records in memory of their own.
    func copy(capacity: UInt32) -> Records {
        var copy = Records()
        copy.capacity = capacity
        copy.count = count
        guard capacity > 0 else { return copy }
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: Int(capacity) * MemoryLayout<Record>.stride, alignment: Self.lineSize)
        let new = bytes.bindMemory(to: Record.self, capacity: Int(capacity))
        if let base { new.initialize(from: base, count: Int(count)) }
        copy.base = new
        return copy
    }

    func free() { UnsafeMutableRawPointer(base)?.deallocate() }

    /// The records begin where a line of the processor's caches begins.
    private static var lineSize: Int { 64 }
}

/// Frees the records of a graph. Copies of a graph share it, and the records, until one of them changes.
@usableFromInline
final class GraphMemory: @unchecked Sendable {
    // Unchecked because the graph that made it, and only while it is alone with it, writes here.
    var nodes = Records<DependencyGraph.NodeRecord>()
    var edges = Records<DependencyGraph.EdgeRecord>()

    deinit {
        nodes.free()
        edges.free()
    }
}

extension DependencyGraph {
    /// Gives a graph that shares its records with a copy records of its own. Each change of the graph begins so.
    @inlinable
    mutating func own() {
        if !isKnownUniquelyReferenced(&memory) { copyRecords() }
    }

    @usableFromInline
    mutating func copyRecords() {
        nodes = nodes.copy(capacity: nodes.capacity)
        edges = edges.copy(capacity: edges.capacity)
        memory = GraphMemory()
        noteRecords()
    }

    mutating func growNodes() {
        nodes.grow()
        noteRecords()
    }

    mutating func growEdges() {
        edges.grow()
        noteRecords()
    }

    /// Starts over with no records, whose memory goes where it had grown large.
    mutating func resetRecords() {
        if nodes.capacity > Self.keptCapacity || edges.capacity > Self.keptCapacity {
            memory = GraphMemory()
            (nodes, edges) = (memory.nodes, memory.edges)
        } else {
            (nodes.count, edges.count) = (0, 0)
        }
    }

    /// Tells the memory where the records are now.
    private func noteRecords() {
        memory.nodes = nodes
        memory.edges = edges
    }
}
