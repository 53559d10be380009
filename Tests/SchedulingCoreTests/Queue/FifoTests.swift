// First in, first out: the ring, its growth, its copies, and what it lets go of.

import SchedulingCore
import XCTest

final class FifoTests: XCTestCase {
    /// An element that can be seen to go.
    private final class Thing {
        let number: Int

        init(_ number: Int) { self.number = number }
    }

    /// Takes all there is.
    private func drain<Element>(_ fifo: inout Fifo<Element>) -> [Element] {
        var taken: [Element] = []
        while let element = fifo.popFirst() { taken.append(element) }
        return taken
    }

    func testItDoesAsAnArrayDoes() {
        var generator = SeededGenerator(seed: 1)
        for share in [0.4, 0.5, 0.7] {
            var fifo = Fifo<String>(), model: [String] = []
            for step in 0..<5_000 {
                if Double.random(in: 0..<1, using: &generator) < share {
                    fifo.append("\(step)")
                    model.append("\(step)")
                } else {
                    XCTAssertEqual(fifo.popFirst(), model.isEmpty ? nil : model.removeFirst())
                }
                XCTAssertEqual(fifo.first, model.first)
                XCTAssertEqual(fifo.count, model.count)
                XCTAssertEqual(fifo.isEmpty, model.isEmpty)
                if step % 100 == 0 { XCTAssertEqual(Array(fifo), model) }
            }
            XCTAssertEqual(drain(&fifo), model)
        }
    }

    /// Whatever slot the first element has when the ring is full.
    func testItGrowsWhereverItBegins() {
        for start in 0..<40 {
            var fifo = Fifo<Int>()
            for number in 0..<start {
                fifo.append(number)
                XCTAssertEqual(fifo.popFirst(), number)
            }
            for number in 0..<100 { fifo.append(number) }
            XCTAssertEqual(Array(fifo), Array(0..<100), "\(start)")
            XCTAssertEqual(drain(&fifo), Array(0..<100), "\(start)")
        }
    }

    func testCopiesGoTheirOwnWays() {
        for count in [0, 1, 15, 16, 17] {
            var fifo = Fifo<Int>()
            for number in 0..<count { fifo.append(number) }
            var longer = fifo, shorter = fifo
            longer.append(count)
            _ = shorter.popFirst()
            fifo.append(-1)
            XCTAssertEqual(drain(&longer), Array(0...count))
            XCTAssertEqual(drain(&shorter), Array((0..<count).dropFirst()))
            XCTAssertEqual(drain(&fifo), Array(0..<count) + [-1])
        }
    }

    func testWhatIsTakenIsNotKept() {
        var fifo = Fifo<Thing>()
        weak var first: Thing?
        weak var last: Thing?
        do {
            let things = (0..<20).map { Thing($0) }
            (first, last) = (things.first, things.last)
            for thing in things { fifo.append(thing) }
        }
        XCTAssertEqual(fifo.popFirst()?.number, 0)
        XCTAssertNil(first)
        XCTAssertNotNil(last)
        fifo = Fifo()
        XCTAssertNil(last, "it goes with what is in it")
    }

    func testCopiesShareWhatIsInThem() {
        var fifo = Fifo<Thing>()
        weak var thing: Thing?
        do {
            let made = Thing(1)
            thing = made
            fifo.append(made)
        }
        var copy = fifo
        XCTAssertEqual(copy.popFirst()?.number, 1)
        XCTAssertNotNil(thing, "the other one has it")
        XCTAssertEqual(fifo.popFirst()?.number, 1)
        XCTAssertNil(thing)
    }

    func testABurstGivesItsMemoryBack() {
        var fifo = Fifo<Int>()
        for number in 0..<100 { fifo.append(number) }
        _ = drain(&fifo)
        XCTAssertGreaterThan(fifo.capacity, 0, "what is small is kept for the next")
        for number in 0..<10_000 { fifo.append(number) }
        XCTAssertGreaterThanOrEqual(fifo.capacity, 10_000)
        XCTAssertEqual(drain(&fifo), Array(0..<10_000))
        XCTAssertEqual(fifo.capacity, 0)
        fifo.append(1)
        XCTAssertEqual(Array(fifo), [1])
    }
}
