// The samples of docs/testing-your-jobs.md that are about the harness, virtual time and the explorer.
import Synchronization
import WorkQueues
import WorkQueuesTesting
import XCTest

private struct Refused: Error {}

private final class Retrying: AsyncResultJob<Int>, @unchecked Sendable {
    let clock: any Clock<Duration>
    let attempt: @Sendable () async throws -> Int

    init(on clock: any Clock<Duration>, _ attempt: @escaping @Sendable () async throws -> Int) {
        self.clock = clock
        self.attempt = attempt
    }

    override func run() async throws -> Int {
        for seconds in [1, 10, 60] {
            do { return try await attempt() } catch { try await clock.sleep(for: .seconds(seconds)) }
        }
        return try await attempt()
    }
}

final class GuideHarnessTests: XCTestCase {
    private func theValueIsHandedOn() throws {
        let harness = QueueHarness()
        let fetch = harness.queue.addJob(name: "fetch") { 20 }
        let parse = harness.queue.addJob(name: "parse", after: fetch) { $0 + 22 }
        harness.drain()
        try harness.recorder.expectOrder("fetch", "parse")
        XCTAssertEqual(try parse.waitForValue(), 42)
    }

    func testTheValueIsHandedOnAThousandTimesOutOfAThousand() throws {
        for _ in 0..<1_000 { try theValueIsHandedOn() }
    }

    func testAJobThatWaitsForOneThatNobodyAddedIsStuck() {
        let harness = QueueHarness()
        let fetch = ResultJob(name: "fetch") { 20 }
        harness.queue.addJob(name: "parse", after: fetch) { $0 + 22 }
        XCTAssertEqual(harness.drain().stuck.count, 1)  // fetch was never added
    }

    private func retrying(in harness: QueueHarness, _ tries: Tries) throws -> Retrying {
        let queue = harness.queue
        let job = Retrying(on: harness.clock) {
            let count = tries.count.withLock { count in
                count += 1
                return count
            }
            return try await queue.addJob { if count < 3 { throw Refused() } else { 42 } }.value
        }
        try queue.addJob(job)
        return job
    }

    func testItTriesAgainAfterASecondAndAfterTen() throws {
        let harness = QueueHarness(), tries = Tries()
        let job = try retrying(in: harness, tries)
        XCTAssertEqual(harness.drain().asleep.count, 1)  // the first attempt failed
        harness.advance(by: .milliseconds(999))
        XCTAssertEqual(tries.count.withLock { $0 }, 1)
        harness.advance(by: .milliseconds(1))
        XCTAssertEqual(tries.count.withLock { $0 }, 2)
        harness.advance(by: .seconds(10))
        XCTAssertEqual(try job.result?.get(), 42)
        try harness.expectQuiescent()
    }

    func testIfOnlyTheValueMatters() throws {
        let harness = QueueHarness(maxConcurrentJobCount: 1)
        let job = try retrying(in: harness, Tries())
        XCTAssertEqual(try harness.run { try await job.value }, 42)
        XCTAssertEqual(harness.clock.now.offset, .seconds(11))
    }

    func testALostDepositIsFoundAndItsTokenRepeatsIt() throws {
        let scenario: (QueueHarness) throws -> Void = { harness in
            let balance = Shared(0)
            for name in ["rent", "wages"] {
                harness.queue.addJob(name: name) { () async in
                    let old = balance.value
                    await Task.yield()
                    balance.value = old + 100
                }
            }
            harness.drain()
            let sum = balance.value
            if sum != 200 { throw ExpectationFailure("A deposit was lost: \(sum).") }
        }
        let text = try XCTUnwrap(thrown { try InterleavingExplorer.explore(scenario) })
        XCTAssertEqual(
            text,
            """
            A deposit was lost: 100.
            rent   .rr===|
            wages  ..rr=|
            To repeat exactly this run: WORKQUEUES_REPLAY=p5:2
            """)
        for _ in 0..<3 { XCTAssertEqual(thrown { try InterleavingExplorer.replay("p5:2", scenario) }, text) }
    }

    func testACancelledImportStoresNothing() throws {
        let exploration = try InterleavingExplorer.explore(bound: 2) { harness in
            let stored = Shared(0)
            let fetch = harness.queue.addJob(name: "fetch") { 1 }
            harness.queue.addJob(name: "store", after: fetch) { value in stored.value += value }
            harness.concurrently({ fetch.cancel() })
            harness.drain()
            if fetch.isCancelled && stored.value != 0 { throw ExpectationFailure("It stored all the same.") }
            try harness.expectQuiescent()
        }
        XCTAssertTrue(exploration.isExhaustive)  // every order within the bound
    }
}

private final class Tries: Sendable {
    let count = Mutex(0)
}
