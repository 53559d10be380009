// `expectOrder`: what it lets pass, and what it says when it does not.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class ExpectOrderTests: XCTestCase {
    /// Runs these jobs one after the other.
    private func recordSerially(_ names: String...) -> JobRecorder {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), recorder = JobRecorder(observing: queue)
        for name in names { queue.addJob(name: name) {} }
        queue.isSuspended = false
        assertEmptied(queue)
        return recorder
    }

    func testOthersMayRunInBetween() throws {
        let recorder = recordSerially("fetch", "other", "parse", "store")
        try recorder.expectOrder("fetch", "parse", "store")
        try recorder.expectOrder("fetch", "store")
        try recorder.expectOrder("other")
        try recorder.expectOrder()
    }

    func testTheWrongOrderIsSaidAndShown() {
        let recorder = recordSerially("parse", "fetch")
        XCTAssertEqual(
            thrown { try recorder.expectOrder("fetch", "parse") },
            """
            "fetch" was to end before "parse" begins, but "parse" began first.
            parse  .rr=|
            fetch  ..rrr=|
            """)
    }

    func testAnOverlapIsNoOrder() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), recorder = JobRecorder(observing: queue), gate = Gate.forTest()
        queue.addJob(name: "fetch") { try gate.wait() }
        try gate.waitForArrival()
        let parse = queue.addJob(name: "parse") {}
        XCTAssertTrue(parse.waitUntilFinished(timeout: handToolPatience))
        let drawing = """
            fetch  .r====
            parse  ...r=|
            """
        XCTAssertEqual(
            thrown { try recorder.expectOrder("fetch", "parse") },
            "\"fetch\" was to end before \"parse\" begins, but \"parse\" began while \"fetch\" was executing.\n\(drawing)")
        gate.open()
        assertEmptied(queue)
        XCTAssertEqual(
            thrown { try recorder.expectOrder("fetch", "parse") },
            "\"fetch\" was to end before \"parse\" begins, but \"parse\" began while \"fetch\" was executing.\n"
                + drawing.replacing("====", with: "====|"))
        XCTAssertFalse(recorder.happenedBefore("fetch", "parse"))
    }

    func testAJobThatDidNotRunHasNoPlace() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), recorder = JobRecorder(observing: queue)
        let dropped = queue.addJob(name: "dropped") {}
        queue.addJob(name: "waiting") {}
        dropped.cancel()
        XCTAssertTrue(dropped.waitUntilFinished(timeout: handToolPatience))
        let drawing = """
            dropped  .rrx
            waiting  ..rr
            """
        XCTAssertEqual(
            thrown { try recorder.expectOrder("dropped", "waiting") },
            "\"dropped\" was to run, but \"dropped\" ended without having begun.\n\(drawing)")
        XCTAssertEqual(thrown { try recorder.expectOrder("waiting") }, "\"waiting\" was to run, but \"waiting\" has not begun.\n\(drawing)")
        queue.isSuspended = false
        assertEmptied(queue)
    }

    func testAnUnknownJobIsNamedBesideTheKnownOnes() {
        let recorder = recordSerially("fetch", "parse")
        XCTAssertEqual(
            thrown { try recorder.expectOrder("fetch", "pars") },
            """
            "fetch" was to end before "pars" begins, but no job "pars" was recorded; known are "fetch", "parse".
            fetch  .rr=|
            parse  ..rrr=|
            """)
        XCTAssertEqual(thrown { try JobRecorder().expectOrder("fetch") }, "\"fetch\" was to run, but no job \"fetch\" was recorded.")
        let job = BlockJob {}
        job.name = "elsewhere"
        XCTAssertEqual(
            thrown { try JobRecorder().expectOrder(job) }, "\"elsewhere\" was to run, but no job \"elsewhere\" was recorded.")
    }

    func testALargeScheduleIsShownInPart() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), recorder = JobRecorder(observing: queue)
        for number in 0..<500 { queue.addJob(name: "\(number)") {} }
        queue.isSuspended = false
        assertEmptied(queue)
        XCTAssertEqual(
            thrown { try recorder.expectOrder("7", "3") },
            """
            "7" was to end before "3" begins, but "3" began first.
            3  .rr=|
            7  ..rrr=|
            (498 more jobs)
            """)
    }
}
