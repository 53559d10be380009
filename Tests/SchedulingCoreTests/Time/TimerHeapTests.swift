// The timer heap against a sorted list.

import SchedulingCore
import XCTest

final class TimerHeapTests: XCTestCase {
    func testPopsInOrderOfDeadlineThenInsertion() {
        var heap = TimerHeap()
        for (token, deadline) in [(1, 30), (2, 10), (3, 20), (4, 10), (5, 30), (6, 10)] as [(UInt64, UInt64)] {
            heap.insert(deadline: deadline, token: token)
        }
        XCTAssertEqual(heap.earliest, 10)
        XCTAssertNil(heap.popDue(now: 9))
        XCTAssertEqual(drain(&heap, now: 10), [2, 4, 6])
        XCTAssertEqual(heap.earliest, 20)
        XCTAssertEqual(drain(&heap, now: .max), [3, 1, 5])
        XCTAssertNil(heap.earliest)
        XCTAssertTrue(heap.isEmpty)
    }

    func testATokenHasOneDeadline() {
        var heap = TimerHeap()
        heap.insert(deadline: 5, token: 1)
        heap.insert(deadline: 5, token: 2)
        heap.insert(deadline: 5, token: 1)
        XCTAssertEqual(heap.count, 2)
        XCTAssertEqual(drain(&heap, now: 5), [2, 1])
    }

    func testRemoval() {
        var heap = TimerHeap()
        heap.insert(deadline: 5, token: 1)
        XCTAssertFalse(heap.remove(token: 2))
        XCTAssertTrue(heap.remove(token: 1))
        XCTAssertFalse(heap.remove(token: 1))
        XCTAssertNil(heap.popDue(now: .max))
    }

    func testAgainstASortedList() {
        for seed in seeds(51, 52) {
            var generator = SeededGenerator(seed: seed)
            var heap = TimerHeap()
            var list: [(deadline: UInt64, token: UInt64)] = []
            for step in 0..<20_000 {
                let token = UInt64.random(in: 0..<400, using: &generator)
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<6:
                    let deadline = UInt64.random(in: 0..<(step % 3 == 0 ? 50 : .max), using: &generator)
                    heap.insert(deadline: deadline, token: token)
                    list.removeAll { $0.token == token }
                    list.insert((deadline, token), at: list.firstIndex { $0.deadline > deadline } ?? list.count)
                case 6..<9:
                    XCTAssertEqual(heap.remove(token: token), list.contains { $0.token == token }, "seed \(seed)")
                    list.removeAll { $0.token == token }
                default:
                    let now = list.first.map { $0.deadline &+ UInt64.random(in: 0..<2, using: &generator) } ?? 7
                    while let first = list.first, first.deadline <= now {
                        XCTAssertEqual(heap.popDue(now: now), first.token, "seed \(seed)")
                        list.removeFirst()
                    }
                    XCTAssertNil(heap.popDue(now: now), "seed \(seed)")
                }
                XCTAssertEqual(heap.earliest, list.first?.deadline, "seed \(seed)")
                XCTAssertEqual(heap.count, list.count, "seed \(seed)")
            }
            XCTAssertEqual(drain(&heap, now: .max), list.map(\.token), "seed \(seed)")
        }
    }

    func testManyTimers() {
        var generator = SeededGenerator(seed: 53)
        var heap = TimerHeap()
        let deadlines = (0..<50_000).map { _ in UInt64.random(in: 0..<10_000, using: &generator) }
        for round in 0..<2 {
            for (token, deadline) in deadlines.enumerated() {
                heap.insert(deadline: deadline, token: UInt64(token))
            }
            let expected = deadlines.indices.sorted { (deadlines[$0], $0) < (deadlines[$1], $1) }.map { UInt64($0) }
            XCTAssertEqual(drain(&heap, now: .max), expected, "round \(round)")
        }
    }

    private func drain(_ heap: inout TimerHeap, now: UInt64) -> [UInt64] {
        var tokens: [UInt64] = []
        while let token = heap.popDue(now: now) { tokens.append(token) }
        return tokens
    }
}
