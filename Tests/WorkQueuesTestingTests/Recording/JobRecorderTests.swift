// What a recorder answers: names, order, spans, concurrency, and which job is meant.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class JobRecorderTests: XCTestCase {
    func testAUsersTestIsThreeLinesAndAnExpectation() throws {
        let queue = WorkQueue()
        let recorder = JobRecorder(observing: queue)
        let fetch = queue.addJob(name: "fetch") { 20 }
        let parse = queue.addJob(name: "parse", after: fetch) { $0 + 1 }
        let store = queue.addJob(name: "store", after: parse) { $0 * 2 }
        XCTAssertEqual(try store.waitForValue(), 42)
        try recorder.expectOrder("fetch", "parse", "store")
    }

    func testEventsStandInTheOrderOfTheirNumbers() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), recorder = JobRecorder(observing: queue)
        for number in 0..<50 { queue.addJob(name: "job \(number)") {} }
        assertEmptied(queue)
        let numbers = recorder.events.map(\.sequence)
        XCTAssertEqual(numbers, numbers.sorted())
        XCTAssertEqual(Set(numbers).count, numbers.count)
        XCTAssertEqual(recorder.events.filter { $0.jobID != nil }.count, 200)
    }

    func testEventsThatComeLateArePutInTheirPlaces() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), recorder = JobRecorder(observing: queue)
        for number in 0..<20 { queue.addJob(name: "job \(number)") {} }
        assertEmptied(queue)
        let late = JobRecorder()
        for event in recorder.events.reversed() { late.record(event) }
        XCTAssertEqual(late.events.map(\.sequence), recorder.events.map(\.sequence))
        XCTAssertEqual(late.diagram, recorder.diagram)
    }

    func testNamesOfAMomentComeInItsOrder() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), recorder = JobRecorder(observing: queue)
        queue.addJob(name: "last", priority: .low) {}
        queue.addJob(name: "bad") { throw Trouble() }
        queue.addJob(name: "first", priority: .high) {}
        let dropped = queue.addJob(name: "dropped") {}
        dropped.cancel()
        XCTAssertTrue(dropped.waitUntilFinished(timeout: handToolPatience))
        queue.isSuspended = false
        assertEmptied(queue)
        XCTAssertEqual(recorder.names(of: .added), ["last", "bad", "first", "dropped"])
        XCTAssertEqual(recorder.names(of: .ready), ["last", "bad", "first", "dropped"])
        XCTAssertEqual(recorder.names(of: .started), ["first", "bad", "last"])
        XCTAssertEqual(recorder.names(of: .cancelRequested), ["dropped"])
        XCTAssertEqual(recorder.names(of: .finished), ["dropped", "first", "bad", "last"])
        XCTAssertEqual(recorder.names(of: .succeeded), ["first", "last"])
        XCTAssertEqual(recorder.names(of: .failed), ["bad"])
        XCTAssertEqual(recorder.names(of: .cancelled), ["dropped"])
    }

    func testAJobWithoutANameIsKnownByItsID() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), recorder = JobRecorder(observing: queue)
        let nameless = queue.addJob {}, empty = queue.addJob(name: "") {}
        assertEmptied(queue)
        XCTAssertEqual(recorder.names(of: .started), ["\(nameless.id)", "\(empty.id)"])
        XCTAssertNotNil(recorder.span(of: "\(nameless.id)"))
        try recorder.expectOrder(nameless, empty)
    }

    func testJobsOfOneNameAreNumbered() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), recorder = JobRecorder(observing: queue)
        for name in ["a", "a#2", "a", "a"] { queue.addJob(name: name) {} }
        queue.isSuspended = false
        assertEmptied(queue)
        XCTAssertEqual(recorder.names(of: .added), ["a", "a#2", "a#3", "a#4"])
        try recorder.expectOrder("a", "a#2", "a#3", "a#4")
    }

    func testNamesThatWouldBeDrawnAlikeAreNumberedToo() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), recorder = JobRecorder(observing: queue)
        let nameless = queue.addJob {}
        for name in ["a b", "a  b", "\(nameless.id)"] { queue.addJob(name: name) {} }
        queue.isSuspended = false
        assertEmptied(queue)
        XCTAssertEqual(recorder.names(of: .added), ["\(nameless.id)#2", "a b", "a  b#2", "\(nameless.id)"])
        XCTAssertEqual(try ScheduleDiagram(parsing: recorder.diagram.description), recorder.diagram)
    }

    func testARenamedJobIsKnownByItsLastName() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), recorder = JobRecorder(observing: queue)
        let job = queue.addJob(name: "before") {}
        job.name = "after"
        queue.isSuspended = false
        assertEmptied(queue)
        XCTAssertEqual(recorder.names(of: .added), ["after"])
    }

    func testAJobIsMeantByNameByIDOrByItself() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), recorder = JobRecorder(observing: queue)
        let first = queue.addJob(name: "first") {}, second = queue.addJob(name: "second") {}
        assertEmptied(queue)
        XCTAssertTrue(recorder.happenedBefore(first, "second"))
        XCTAssertTrue(recorder.happenedBefore(first.id, second))
        XCTAssertFalse(recorder.happenedBefore(second.id, "first"))
        XCTAssertEqual(recorder.span(of: first), recorder.span(of: "first"))
        XCTAssertEqual(recorder.span(of: first), recorder.span(of: first.id))
        try recorder.expectOrder(first.id, second)
        try recorder.expectOrder("first", second.id)
    }

    func testASpanGoesFromTheStartToTheEnd() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), recorder = JobRecorder(observing: queue), gate = Gate.forTest()
        let held = queue.addJob(name: "held") { try gate.wait() }
        try gate.waitForArrival()
        XCTAssertNil(recorder.span(of: held), "it has not ended")
        let inside = queue.addJob(name: "inside") {}
        XCTAssertTrue(inside.waitUntilFinished(timeout: handToolPatience))
        gate.open()
        assertEmptied(queue)
        let outer = try XCTUnwrap(recorder.span(of: "held")), inner = try XCTUnwrap(recorder.span(of: "inside"))
        XCTAssertTrue(outer.contains(inner.lowerBound) && outer.contains(inner.upperBound))
        XCTAssertNil(recorder.span(of: "unknown"))
    }

    func testAJobThatNeverBeganHasNoSpanAndNoOrder() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), recorder = JobRecorder(observing: queue)
        let dropped = queue.addJob(name: "dropped") {}
        dropped.cancel()
        XCTAssertTrue(dropped.waitUntilFinished(timeout: handToolPatience))
        queue.addJob(name: "other") {}
        queue.isSuspended = false
        assertEmptied(queue)
        XCTAssertNil(recorder.span(of: "dropped"))
        XCTAssertFalse(recorder.happenedBefore("dropped", "other"))
        XCTAssertFalse(recorder.happenedBefore("other", "dropped"))
    }

    func testPeakConcurrencyCountsWhatExecutesAtOnce() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 3), recorder = JobRecorder(observing: queue), gate = Gate.forTest()
        XCTAssertEqual(recorder.peakConcurrency, 0)
        for _ in 0..<8 { queue.addJob { try gate.wait() } }
        try gate.waitForArrival(count: 3)
        gate.open()
        assertEmptied(queue)
        XCTAssertEqual(recorder.peakConcurrency, 3)
    }

    func testPeakConcurrencyForgetsWhoHasEnded() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), recorder = JobRecorder(observing: queue)
        for number in 0..<20 { queue.addJob { if number % 2 == 0 { throw Trouble() } } }
        assertEmptied(queue)
        XCTAssertEqual(recorder.peakConcurrency, 1)
    }

    func testOneRecorderObservesSeveralQueues() throws {
        let one = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1)
        let recorder = JobRecorder(observing: one, other)
        var previous: ResultJob<Int>?
        for step in 0..<10 {
            let queue = step % 2 == 0 ? one : other, name = "step \(step)"
            previous = previous.map { queue.addJob(name: name, after: $0) { $0 + 1 } } ?? queue.addJob(name: name) { 0 }
        }
        XCTAssertEqual(try previous?.waitForValue(), 9)
        try recorder.expectOrder((0..<10).map { "step \($0)" })
        XCTAssertEqual(recorder.peakConcurrency, 1)
        XCTAssertEqual(recorder.names(of: .started), (0..<10).map { "step \($0)" })
    }

    func testARemovedRecorderRecordsNoMoreAndIsLetGo() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        weak var gone: JobRecorder?
        do {
            let recorder = JobRecorder(observing: queue)
            gone = recorder
            queue.addJob(name: "seen") {}
            assertEmptied(queue)
            queue.removeObserver(recorder)
            queue.addJob(name: "unseen") {}
            assertEmptied(queue)
            XCTAssertEqual(recorder.names(of: .started), ["seen"])
        }
        assertSoon("the recorder is freed") { gone == nil }
    }
}
