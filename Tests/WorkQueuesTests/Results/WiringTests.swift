// R1: a result may be wired to a producer in any phase; the consumer gets the right value, once.
import Foundation
import WorkQueues
import XCTest

final class WiringTests: XCTestCase {
    private func consumer(_ producer: ResultJob<Int>, _ runs: Meter) -> ResultJob<Int> {
        WorkQueue(maxConcurrentJobCount: 1).addJob(after: producer) { value in
            runs.enter()
            return value + 1
        }
    }

    func testR1_ToAProducerThatIsInNoQueueYet() throws {
        let producer = ResultJob { 5 }, runs = Meter(), consumer = consumer(producer, runs)
        XCTAssertEqual(producer.phase, .created)
        assertHeld(consumer)
        try WorkQueue().addJob(producer)
        waitForEnd(of: consumer)
        XCTAssertEqual(try consumer.result?.get(), 6)
        XCTAssertEqual(runs.total, 1)
    }

    func testR1_ToAWaitingProducer() throws {
        let root = BlockJob {}, producer = WorkQueue().addJob(dependencies: [root]) { 5 }, runs = Meter(),
            consumer = consumer(producer, runs)
        XCTAssertEqual(producer.phase, .waiting)
        try WorkQueue().addJob(root)
        waitForEnd(of: consumer)
        XCTAssertEqual(try consumer.result?.get(), 6)
        XCTAssertEqual(runs.total, 1)
    }

    func testR1_ToAReadyProducer() {
        let queue = WorkQueue(isSuspended: true), producer = queue.addJob { 5 }, runs = Meter(), consumer = consumer(producer, runs)
        eventually("it is ready") { producer.phase == .ready }
        queue.isSuspended = false
        waitForEnd(of: consumer)
        XCTAssertEqual(try consumer.result?.get(), 6)
        XCTAssertEqual(runs.total, 1)
    }

    func testR1_ToAnExecutingProducer() {
        let begun = Gate(), leave = Gate(), runs = Meter()
        let producer = WorkQueue().addJob { () -> Int in
            begun.open()
            leave.wait()
            return 5
        }
        within { begun.wait() }
        let consumer = consumer(producer, runs)
        XCTAssertEqual(producer.phase, .executing)
        assertHeld(consumer)
        leave.open()
        waitForEnd(of: consumer)
        XCTAssertEqual(try consumer.result?.get(), 6)
        XCTAssertEqual(runs.total, 1)
    }

    func testR1_ToAFinishedProducer() {
        let producer = WorkQueue().addJob { 5 }, runs = Meter()
        waitForEnd(of: producer)
        let first = consumer(producer, runs), second = consumer(producer, runs)
        waitForEnd(of: [first, second])
        XCTAssertEqual(try first.result?.get(), 6)
        XCTAssertEqual(try second.result?.get(), 6)
        XCTAssertEqual(runs.total, 2, "once each")
    }

    func testR1_FromACompletionOfTheProducer() {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true), other = WorkQueue(), values = Log<Int>()
        let producer = queue.addJob { 5 }
        producer.addCompletion { _ in
            queue.addJob(after: producer) { values.append($0) }
            other.addJob(after: producer) { values.append($0) }
        }
        queue.isSuspended = false
        assertDrained(queue)
        assertDrained(other)
        XCTAssertEqual(values.values, [5, 5])
    }

    func testR1_RacingTheProducersEnd() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2)), runs = Meter()
        race(
            rounds: Rounds.scaled(20_000), "wire while it ends",
            prepare: { round in Wire(round) },
            [
                { wire in add(wire.producer, to: queue) },
                { wire in
                    dawdle(wire.number % 97 * 20)
                    wire.consumer.set(
                        queue.addJob(after: wire.producer) { value in
                            runs.enter()
                            return value * 2
                        })
                },
            ],
            check: { round, wire in XCTAssertEqual(try? wire.consumer.current?.waitForValue(), round * 2) })
        assertDrained(queue)
        XCTAssertEqual(runs.total, Rounds.scaled(20_000))
    }

    func testR1_RacingTheEndOfAnAsyncProducer() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(10_000), "wire while it finishes from elsewhere",
            prepare: { round -> (ResultJob<Int>, Guarded<JobCompletion<Int>?>, Guarded<ResultJob<Int>?>, Gate) in
                let kept = Guarded<JobCompletion<Int>?>(nil), begun = Gate()
                let producer = queue.addJob { (done: JobCompletion<Int>) in
                    kept.set(done)
                    begun.open()
                }
                begun.wait()
                return (producer, kept, Guarded<ResultJob<Int>?>(nil), begun)
            },
            [
                { state in state.1.current?.finish(returning: 8) },
                { state in state.2.set(queue.addJob(after: state.0) { $0 + 1 }) },
            ],
            check: { _, state in
                XCTAssertEqual(try? state.2.current?.waitForValue(), 9)
                state.1.set(nil)
            })
        assertDrained(queue)
    }

    func testR1_OverSeveralProducersEachInItsPlace() {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let number = queue.addJob { 1 }, text = queue.addJob { "two" }, flag = queue.addJob { () async -> Bool in true }
        let real: ResultJob<Double> = queue.addJob { done in done.finish(returning: 4.5) }
        let nothing = queue.addBarrierBlock {}, list = queue.addJob { [6, 7] }
        let joined = queue.addJob(name: "joined", priority: .high, after: number, text, flag, real, nothing, list) { a, b, c, d, e, f in
            "\(a) \(b) \(c) \(d) \(e) \(f)"
        }
        let async = queue.addJob(after: list, joined) { (f: [Int], all: String) async throws -> Int in
            await Task.yield()
            return f.count + all.count
        }
        assertDrained(queue)
        XCTAssertEqual(try joined.result?.get(), "1 two true 4.5 () [6, 7]")
        XCTAssertEqual(try async.result?.get(), 2 + "1 two true 4.5 () [6, 7]".count)
        XCTAssertEqual(joined.name, "joined")
        XCTAssertEqual(joined.queuePriority, .high)
    }

    func testR1_TheSameProducerTwice() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), producer = queue.addJob { 21 }
        let sum = queue.addJob(after: producer, producer) { $0 + $1 }
        assertDrained(queue)
        XCTAssertEqual(try sum.result?.get(), 42)
    }

    func testR1_ATypedEdgeIsADependency() {
        let queue = WorkQueue(isSuspended: true), first = queue.addJob { 1 }, second = queue.addJob { 2 }
        let consumer = queue.addJob(after: first, second) { $0 + $1 }
        XCTAssertEqual(Set(consumer.dependencies.map(\.id)), [first.id, second.id])
        XCTAssertEqual(consumer.phase, .waiting)
        XCTAssertFalse(consumer.isReady)
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testR1_AcrossQueues() {
        let queues = [WorkQueue(maxConcurrentJobCount: 1), WorkQueue(), WorkQueue(maxConcurrentJobCount: 3)]
        var last = queues[0].addJob { 0 }
        for index in 1...Rounds.scaled(2_000) { last = queues[index % 3].addJob(after: last) { $0 + 1 } }
        waitForEnd(of: last)
        XCTAssertEqual(try last.result?.get(), Rounds.scaled(2_000))
        for queue in queues { assertDrained(queue) }
    }

    func testR1_SubclassesAreProducersToo() throws {
        let queue = WorkQueue(), sum = Sum(20, 22), slow = SlowSum(1, 2)
        let consumer = queue.addJob(after: sum, slow) { $0 * 100 + $1 }
        try queue.addJobs([sum, slow])
        assertDrained(queue)
        XCTAssertEqual(try consumer.result?.get(), 4_203)
    }
}

private final class Wire: Sendable {
    let number: Int
    let producer: ResultJob<Int>
    let consumer = Guarded<ResultJob<Int>?>(nil)

    init(_ number: Int) {
        self.number = number
        producer = ResultJob { number }
    }
}

private final class Sum: ResultJob<Int>, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let first: Int, second: Int

    init(_ first: Int, _ second: Int) {
        self.first = first
        self.second = second
        super.init()
    }

    override func run() throws -> Int { first + second }
}

private final class SlowSum: AsyncResultJob<Int>, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let first: Int, second: Int

    init(_ first: Int, _ second: Int) {
        self.first = first
        self.second = second
        super.init()
    }

    override func run() async throws -> Int {
        await Task.yield()
        return first + second
    }
}
