// The samples of docs/testing-your-jobs.md, and what the guide says that they print.
import WorkQueues
import WorkQueuesTesting
import XCTest

private func addImport(
    to queue: WorkQueue, fetch: @escaping @Sendable () throws -> String, store: @escaping @Sendable (Int) throws -> Void
) -> ResultJob<Void> {
    let page = queue.addJob(name: "fetch", fetch)
    let count = queue.addJob(name: "count", after: page) { $0.split(separator: " ").count }
    return queue.addJob(name: "store", after: count, body: store)
}

final class GuideTests: XCTestCase {
    func testNothingIsStoredBeforeThePageIsThere() throws {
        let queue = WorkQueue(), gate = Gate("the page")
        let recorder = JobRecorder(observing: queue)
        let fetch: @Sendable () throws -> String = {
            try gate.wait()
            return "to be or not"
        }
        let stored = addImport(to: queue, fetch: fetch, store: { XCTAssertEqual($0, 4) })

        try gate.waitForArrival()  // it fetches
        XCTAssertEqual(recorder.names(of: .started), ["fetch"])
        gate.open()
        try stored.waitForValue()  // it is done
        try recorder.expectOrder("fetch", "count", "store")
    }

    func testADependencyThatIsMissingIsSaid() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), gate = Gate.forTest()
        let recorder = JobRecorder(observing: queue)
        let page = queue.addJob(name: "fetch") { "to be or not" }
        let count = queue.addJob(name: "count", after: page) { page in
            try gate.wait()
            return page.count
        }
        try gate.waitForArrival()
        let store = queue.addJob(name: "store") {}
        XCTAssertTrue(store.waitUntilFinished(timeout: handToolPatience))
        gate.open()
        XCTAssertEqual(try count.waitForValue(), 12)
        XCTAssertEqual(
            thrown { try recorder.expectOrder("fetch", "count", "store") },
            """
            "count" was to end before "store" begins, but "store" began while "count" was executing.
            fetch  .r=|
            count  ....r====|
            store  ......r=|
            """)
    }

    func testADifferenceIsMarkedWhereItBegins() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 3), leftGate = Gate.forTest(), rightGate = Gate.forTest()
        let recorder = JobRecorder(observing: queue)
        let left = queue.addJob(name: "left") { try leftGate.wait() }
        try leftGate.waitForArrival()
        queue.addJob(name: "right") { try rightGate.wait() }
        try rightGate.waitForArrival()
        let merge = queue.addJob(name: "merge", after: left) { _ in }
        leftGate.open()
        XCTAssertTrue(merge.waitUntilFinished(timeout: handToolPatience))
        rightGate.open()
        assertEmptied(queue)
        XCTAssertEqual(
            thrown {
                try recorder.expect(
                    """
                    left   ==|
                    right  ==|
                    merge  ...=|
                    """)
            },
            """
            The schedule is not the one drawn: "merge" began where "right" was to finish.
            expected:
              left   .==|
              right  .==|
              merge  .....=|
            actual:
              left   .==|
              right  ..====|
              merge  ....=|
                         ^
            """)
    }

    func testAnExpectedDrawingOfTheGuide() throws {
        let queue = WorkQueue(), recorder = JobRecorder(observing: queue)
        let fetch = queue.addJob(name: "fetch") { 1 }
        let parse = queue.addJob(name: "parse", after: fetch) { $0 }
        queue.addJob(name: "check", after: parse) { _ in throw Trouble() }
        assertEmptied(queue)
        try recorder.expect(
            """
            fetch  ==|
            parse  ...==|
            check  ......=!
            """)
    }
}
