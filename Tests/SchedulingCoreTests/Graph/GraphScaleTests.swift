// Large graphs: near-linear building, a small stack, and memory that is given back.

import Foundation
import SchedulingCore
import XCTest

final class GraphScaleTests: XCTestCase {
    /// Runs the body on a thread with a stack of 512 KiB; fails when it has not returned in time.
    private func onSmallStack(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            done.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        XCTAssertEqual(done.wait(timeout: .now() + 60), .success, "still running")
    }

    private struct Top: ImpliedOrder {
        let target: Node
        mutating func appendImpliedDependents(of node: Node, to stack: inout [Node]) {}
        func isRelated(_ node: Node) -> Bool { false }
        func isTarget(_ node: Node) -> Bool { node == target }
    }

    func testD5_AChainOfAMillionOnASmallStack() {
        onSmallStack {
            let count = 1_000_000
            var graph = DependencyGraph()
            let nodes = (0..<count).map { _ in graph.addNode() }
            for index in 1..<count {
                guard graph.addEdge(from: nodes[index], to: nodes[index - 1], kind: .finished) == .added else { return XCTFail() }
            }
            if case .cycle(let path) = graph.addEdge(from: nodes[0], to: nodes[count - 1], kind: .finished) {
                XCTAssertEqual(path.count, count + 1)
            } else {
                XCTFail("the ring was not refused")
            }
            var order = Top(target: nodes[count - 1])
            XCTAssertEqual(graph.findPath(upwardFrom: nodes[0], order: &order), nodes)
            for node in nodes {
                while graph.popDependent(of: node) != nil {}
                graph.removeNode(node)
            }
            XCTAssertEqual(graph.nodeCount, 0)
            XCTAssertEqual(graph.reservedRecords, 0)
        }
    }

    func testD5_AMillionLinksAreFreedAsAWhole() {
        onSmallStack {
            var graph = DependencyGraph()
            var last = graph.addNode()
            for _ in 1..<1_000_000 {
                let node = graph.addNode()
                guard graph.addEdge(from: last, to: node, kind: .wait) == .added else { return XCTFail() }
                last = node
            }
            graph = DependencyGraph()
            XCTAssertEqual(graph.nodeCount, 0)
        }
    }

    /// Shapes on which a search without bounds, or a scan of the longer list, takes hours.
    func testS39_ShapesAreBuiltInNearLinearTime() {
        let size = 60_000
        var shapes: [String: [(Int, Int)]] = [:]
        shapes["reverse chain"] = (0..<size).map { ($0, $0 + 1) }
        shapes["star upwards"] = (1...size).map { ($0, 0) }
        shapes["star downwards"] = (1...size).map { (0, $0) }
        shapes["bipartite"] = (0..<250).flatMap { dependent in (250..<500).map { (dependent, $0) } }
        shapes["layers"] = (0..<59).flatMap { layer in (0..<400).map { ((layer + 1) * 20 + $0 / 20, layer * 20 + $0 % 20) } }
        shapes["layers from above"] = shapes["layers"]?.reversed()
        shapes["merging chains"] = merging(size)
        shapes["zipped chains"] = zipped(size / 2)
        for (name, edges) in shapes {
            onSmallStack {
                var graph = DependencyGraph()
                let nodes = (0...2 * size).map { _ in graph.addNode() }
                for (dependent, dependency) in edges {
                    guard graph.addEdge(from: nodes[dependent], to: nodes[dependency], kind: .finished) == .added else {
                        return XCTFail("\(name): \(dependent) on \(dependency)")
                    }
                }
                guard let (dependent, dependency) = edges.last else { return XCTFail(name) }
                if case .cycle(let path) = graph.addEdge(from: nodes[dependency], to: nodes[dependent], kind: .finished) {
                    XCTAssertEqual(path.first, nodes[dependency], name)
                } else {
                    XCTFail("\(name): the ring was not refused")
                }
                XCTAssertEqual(graph.checkInvariants(), [], name)
            }
        }
    }

    /// The edge between two nodes that both have very many others is found without a scan.
    func testD2_TheEdgeBetweenTwoHeavyNodesIsFoundAtOnce() {
        onSmallStack {
            var graph = DependencyGraph()
            let dependency = graph.addNode()
            let dependent = graph.addNode()
            for index in 0..<100_000 {
                // The edge that is asked for stands in the middle of both lists, so that neither end is near.
                if index == 50_000 { _ = graph.addEdge(from: dependent, to: dependency, kind: .succeeded) }
                _ = graph.addEdge(from: dependent, to: graph.addNode(), kind: .finished)
                _ = graph.addEdge(from: graph.addNode(), to: dependency, kind: .finished)
            }
            for _ in 0..<100_000 {
                guard graph.addEdge(from: dependent, to: dependency, kind: .finished) == .existed else { return XCTFail() }
            }
            XCTAssertEqual(graph.removeEdge(from: dependent, to: dependency), .succeeded)
            XCTAssertEqual(graph.checkInvariants(), [])
        }
    }

    /// Edges are taken out of the middle of long lists, at whose heads new ones come in meanwhile.
    func testS39_TheEdgesOfAHeavyNodeGoInAnyOrder() {
        onSmallStack {
            var graph = DependencyGraph()
            let (dependency, dependent) = (graph.addNode(), graph.addNode())
            let count = 100_000
            let others = (0..<2 * count).map { _ in graph.addNode() }
            func remove(_ index: Int) -> Bool {
                if index % 2 == 0 { return graph.removeEdge(from: others[index], to: dependency) == .finished }
                return graph.removeEdge(from: dependent, to: others[index]) == .finished
            }
            func add(_ index: Int) -> Bool {
                if index % 2 == 0 { return graph.addEdge(from: others[index], to: dependency, kind: .finished) == .added }
                return graph.addEdge(from: dependent, to: others[index], kind: .finished) == .added
            }
            for index in 0..<count where !add(index) { return XCTFail() }
            // Step by step through all of them, oldest and newest in no order.
            for index in 0..<count {
                guard remove(index * 7_919 % count), add(count + index) else { return XCTFail() }
            }
            XCTAssertEqual(graph.edgeCount, count)
            XCTAssertEqual(graph.checkInvariants(), [])
        }
    }

    /// Two chains, and then the edges that make one of them, from the bottom.
    private func zipped(_ length: Int) -> [(Int, Int)] {
        var edges: [(Int, Int)] = []
        for index in 1..<length {
            edges.append((index, index - 1))
            edges.append((length + index, length + index - 1))
        }
        for index in 1..<length {
            edges.append((length + index - 1, index - 1))
            edges.append((index, length + index - 1))
        }
        return edges
    }

    /// Pairs, then pairs of pairs, under numbers that say nothing about the order.
    private func merging(_ size: Int) -> [(Int, Int)] {
        var generator = SeededGenerator(seed: 41)
        let names = (0..<size).shuffled(using: &generator)
        var edges: [(Int, Int)] = []
        var length = 1
        while length < size {
            for start in stride(from: length, to: size, by: 2 * length) {
                edges.append((names[start], names[start - 1]))
            }
            length *= 2
        }
        return edges
    }

    /// A window of nodes that moves on for ever: the storage stays as large as the window, and the order finds its labels.
    func testD5_ARollingChainKeepsItsStorageSmall() {
        var graph = DependencyGraph()
        var window: [Node] = []
        for step in 0..<200_000 {
            let node = graph.addNode()
            if let last = window.last {
                let (dependent, dependency) = step / 1_000 % 2 == 0 ? (node, last) : (last, node)
                XCTAssertEqual(graph.addEdge(from: dependent, to: dependency, kind: .finished), .added)
            }
            window.append(node)
            if window.count == 100 {
                for old in window.prefix(50) { graph.removeNode(old) }
                window.removeFirst(50)
            }
        }
        XCTAssertLessThan(graph.reservedRecords, 2_000)
        XCTAssertEqual(graph.checkInvariants(), [])
    }
}
