// What single edges do: kinds, repeats, waits, removal, and the path of a refused one.

import SchedulingCore
import XCTest

final class GraphEdgeTests: XCTestCase {
    private var graph = DependencyGraph()

    private func addNodes(_ count: Int) -> [Node] {
        (0..<count).map { _ in graph.addNode() }
    }

    private func add(_ dependent: Node, on dependency: Node, _ kind: EdgeKind = .finished) -> EdgeInsertion {
        graph.addEdge(from: dependent, to: dependency, kind: kind)
    }

    private func read(_ node: Node) -> [String] {
        graph.dependencies(of: node).map { "\($0.node.index) \($0.kind)" }
    }

    override func setUp() {
        graph = DependencyGraph()
    }

    override func tearDown() {
        XCTAssertEqual(graph.checkInvariants(), [])
    }

    func testD2_ASelfEdgeIsACycle() {
        let nodes = addNodes(1)
        XCTAssertEqual(add(nodes[0], on: nodes[0]), .cycle([nodes[0], nodes[0]]))
        XCTAssertEqual(add(nodes[0], on: nodes[0], .wait), .cycle([nodes[0], nodes[0]]))
        XCTAssertEqual(graph.edgeCount, 0)
    }

    func testD2_RingsOfAnyLengthAreRefusedWithTheirPath() {
        for length in [2, 3, 50] {
            let nodes = addNodes(length)
            for (node, next) in zip(nodes, nodes.dropFirst()) {
                XCTAssertEqual(add(node, on: next), .added)
            }
            for kind in [EdgeKind.finished, .succeeded, .wait] {
                XCTAssertEqual(add(nodes[length - 1], on: nodes[0], kind), .cycle([nodes[length - 1]] + nodes))
            }
            XCTAssertFalse(graph.hasDependencies(nodes[length - 1]))
            XCTAssertEqual(Array(graph.dependencies(of: nodes[0])).count, 1)
        }
    }

    func testD2_ARingOfWaitsIsRefused() {
        let nodes = addNodes(3)
        XCTAssertEqual(add(nodes[0], on: nodes[1], .wait), .added)
        XCTAssertEqual(add(nodes[1], on: nodes[2], .wait), .added)
        XCTAssertEqual(add(nodes[2], on: nodes[0], .wait), .cycle([nodes[2], nodes[0], nodes[1], nodes[2]]))
        XCTAssertTrue(graph.removeWait(from: nodes[0], to: nodes[1]))
        XCTAssertEqual(add(nodes[2], on: nodes[0], .wait), .added)
    }

    func testD2_ADiamondIsFine() {
        let nodes = addNodes(4)
        XCTAssertEqual(add(nodes[1], on: nodes[0]), .added)
        XCTAssertEqual(add(nodes[2], on: nodes[0]), .added)
        XCTAssertEqual(add(nodes[3], on: nodes[1]), .added)
        XCTAssertEqual(add(nodes[3], on: nodes[2]), .added)
        XCTAssertEqual(graph.edgeCount, 4)
    }

    func testD2_ARepeatedEdgeIsOneEdge() {
        let nodes = addNodes(2)
        XCTAssertEqual(add(nodes[1], on: nodes[0]), .added)
        XCTAssertEqual(add(nodes[1], on: nodes[0]), .existed)
        XCTAssertEqual(graph.edgeCount, 1)
        XCTAssertEqual(graph.removeEdge(from: nodes[1], to: nodes[0]), .finished)
        XCTAssertNil(graph.removeEdge(from: nodes[1], to: nodes[0]))
    }

    func testD3_ASucceededRepeatUpgradesTheEdgeAndKeepsItsPlace() {
        let nodes = addNodes(3)
        XCTAssertEqual(add(nodes[0], on: nodes[1]), .added)
        XCTAssertEqual(add(nodes[0], on: nodes[2]), .added)
        XCTAssertEqual(add(nodes[0], on: nodes[1], .succeeded), .existed)
        XCTAssertEqual(read(nodes[0]), ["1 succeeded", "2 finished"])
        XCTAssertEqual(add(nodes[0], on: nodes[1], .finished), .existed)
        XCTAssertEqual(read(nodes[0]), ["1 succeeded", "2 finished"])
    }

    func testD2_AWaitStandsBesideAnOrdinaryEdge() {
        let nodes = addNodes(2)
        XCTAssertEqual(add(nodes[1], on: nodes[0], .succeeded), .added)
        XCTAssertEqual(add(nodes[1], on: nodes[0], .wait), .added)
        XCTAssertEqual(add(nodes[1], on: nodes[0], .wait), .existed)
        XCTAssertEqual(read(nodes[1]), ["0 succeeded", "0 wait"])
        XCTAssertEqual(graph.removeEdge(from: nodes[1], to: nodes[0]), .succeeded)
        XCTAssertNil(graph.removeEdge(from: nodes[1], to: nodes[0]))
        XCTAssertTrue(graph.removeWait(from: nodes[1], to: nodes[0]))
        XCTAssertFalse(graph.removeWait(from: nodes[1], to: nodes[0]))
        XCTAssertEqual(graph.edgeCount, 0)
    }

    func testD5_EdgesGoNewestFirst() {
        let nodes = addNodes(5)
        for (index, kind) in [(3, EdgeKind.finished), (1, .wait), (4, .succeeded)] {
            XCTAssertEqual(add(nodes[index], on: nodes[0], kind), .added)
            XCTAssertEqual(add(nodes[2], on: nodes[index], kind), .added)
        }
        var dependents: [String] = []
        while let (node, kind) = graph.popDependent(of: nodes[0]) { dependents.append("\(node.index) \(kind)") }
        var released: [UInt32] = []
        graph.dropDependencies(of: nodes[2]) { released.append($0.index) }
        XCTAssertEqual(dependents, ["4 succeeded", "1 wait", "3 finished"])
        XCTAssertEqual(released, [4, 3], "a wait holds nothing")
        XCTAssertEqual(graph.edgeCount, 0)
    }

    func testD4_ARemovedEdgeNoLongerClosesARing() {
        let nodes = addNodes(3)
        XCTAssertEqual(add(nodes[0], on: nodes[1]), .added)
        XCTAssertEqual(add(nodes[1], on: nodes[2]), .added)
        XCTAssertEqual(graph.removeEdge(from: nodes[0], to: nodes[1]), .finished)
        XCTAssertEqual(add(nodes[2], on: nodes[0]), .added)
        XCTAssertEqual(add(nodes[0], on: nodes[1]), .cycle([nodes[0], nodes[1], nodes[2], nodes[0]]))
    }

    func testD5_RemovingANodeRemovesItsEdges() {
        let nodes = addNodes(3)
        XCTAssertEqual(add(nodes[0], on: nodes[1]), .added)
        XCTAssertEqual(add(nodes[1], on: nodes[2]), .added)
        graph.removeNode(nodes[1])
        XCTAssertEqual(graph.edgeCount, 0)
        XCTAssertFalse(graph.hasDependencies(nodes[0]))
        XCTAssertFalse(graph.hasDependents(nodes[2]))
        XCTAssertEqual(add(nodes[2], on: nodes[0]), .added)
    }
}
