// How a recorder draws what it has seen.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class RecordedDiagramTests: XCTestCase {
    func testTheDiagramShowsWaitingReadyExecutingAndEveryEnd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), recorder = JobRecorder(observing: queue)
        let fetch = queue.addJob(name: "fetch") { 1 }
        queue.addJob(name: "parse it", after: fetch) { $0 }
        queue.addJob(name: "bad") { throw Trouble() }
        let dropped = queue.addJob(name: "dropped") {}
        dropped.cancel()
        XCTAssertTrue(dropped.waitUntilFinished(timeout: handToolPatience))
        queue.isSuspended = false
        assertEmptied(queue)
        XCTAssertEqual(
            recorder.diagram.description,
            """
            fetch     .rrrr=|
            parse it  .......r=|
            bad       ..rrrrrrrr=!
            dropped   ...rx
            """)
    }

    func testAJobThatStillRunsIsDrawnToTheLastColumn() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), recorder = JobRecorder(observing: queue), gate = Gate.forTest()
        let held = queue.addJob(name: "held") { try gate.wait() }
        try gate.waitForArrival()
        let next = BlockJob {}
        next.name = "next"
        try next.addDependency(held)
        try queue.addJob(next)
        let other = queue.addJob(name: "other") {}
        XCTAssertTrue(other.waitUntilFinished(timeout: handToolPatience))
        XCTAssertEqual(
            recorder.diagram.description,
            """
            held   .r====
            next   ......
            other  ...r=|
            """)
        gate.open()
        assertEmptied(queue)
    }

    func testAReadyJobWaitsAgainWhenADependencyIsAdded() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), recorder = JobRecorder(observing: queue)
        let late = queue.addJob(name: "late") {}, early = queue.addJob(name: "early") {}
        try late.addDependency(early)
        queue.isSuspended = false
        assertEmptied(queue)
        XCTAssertEqual(
            recorder.diagram.description,
            """
            late   .rr...r=|
            early  ..rr=|
            """)
    }

    func testADependencyThatIsOverSendsNobodyBack() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), recorder = JobRecorder(observing: queue)
        let early = queue.addJob(name: "early") {}
        assertEmptied(queue)
        queue.isSuspended = true
        let late = queue.addJob(name: "late") {}
        try late.addDependency(early)
        queue.isSuspended = false
        assertEmptied(queue)
        XCTAssertEqual(
            recorder.diagram.description,
            """
            early  .r=|
            late   ....r=|
            """)
    }

    func testADependentOfAFailureFailsWithoutHavingBegun() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), recorder = JobRecorder(observing: queue)
        let bad = queue.addJob(name: "bad") { () throws -> Int in throw Trouble() }
        queue.addJob(name: "next", after: bad) { $0 }
        queue.isSuspended = false
        assertEmptied(queue)
        XCTAssertTrue(recorder.diagram.matches(ScheduleDiagram.drawn("bad =!\nnext ..!")), "\(recorder.diagram)")
    }

    func testWhatIsDrawnCanBeReadBack() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 3), recorder = JobRecorder(observing: queue)
        for name in ["a", "two words", "x", "  tab\there ", "line\nbreak"] { queue.addJob(name: name) {} }
        queue.addJob {}
        assertEmptied(queue)
        let diagram = recorder.diagram
        XCTAssertEqual(try ScheduleDiagram(parsing: diagram.description), diagram)
        XCTAssertEqual(diagram.rows.prefix(5).map(\.name), ["a", "two words", "x", "tab here", "line break"])
    }

    func testShowingSomeRowsLeavesOutTheColumnsOfTheOthers() throws {
        let diagram = try ScheduleDiagram(
            parsing: """
                a  .rr=|
                b  ..rrrr=|
                c  .....r===|
                """)
        XCTAssertEqual(
            diagram.showing(["c", "a", "unknown"]).description,
            """
            a  .r=|
            c  ....r=|
            """)
    }
}

extension ScheduleDiagram {
    /// A drawing that is known to be one.
    static func drawn(_ text: String) -> ScheduleDiagram {
        do { return try ScheduleDiagram(parsing: text) } catch { preconditionFailure("\(error)") }
    }
}
