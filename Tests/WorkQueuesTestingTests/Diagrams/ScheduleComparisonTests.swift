// Comparing schedules: what a drawing disregards, what it does not, and how a difference is printed.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class ScheduleComparisonTests: XCTestCase {
    /// Three jobs one after the other, all ready before the first one starts.
    private let actual = ScheduleDiagram.drawn(
        """
        fetch  .rrr=|
        parse  ..rrrr=|
        store  ...rrrrr=|
        """)

    private func assertMatches(_ drawing: String, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertTrue(actual.matches(.drawn(drawing)), drawing, file: file, line: line)
    }

    private func assertDiffers(_ drawing: String, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertFalse(actual.matches(.drawn(drawing)), drawing, file: file, line: line)
    }

    func testADrawingMatchesItself() {
        assertMatches(actual.description)
    }

    func testOnlyTheRowsDrawnCountInAnyOrder() {
        assertMatches("fetch .r=|")
        assertMatches("store ....=|\nfetch .=|")
        assertMatches("")
        assertDiffers("store .=|\nfetch ...=|")
    }

    func testWidthsMeanNothing() {
        assertMatches("fetch =|\nparse ..=|\nstore ....=|")
        assertMatches("fetch .....====|\nparse ..........==|\nstore ...............=|")
        assertMatches("fetch .rrrrrr==|\nparse ...rrrrrrr====|\nstore ....rrrrrrrrrrrr=|")
    }

    func testARowWithoutAnRDoesNotAskForIt() {
        assertMatches("fetch ..=|\nparse .rrrr=|\nstore .......=|")
        assertDiffers("fetch =|\nparse ..r=|")
    }

    func testChangesOfOneColumnMayComeInAnyOrder() {
        let two = ScheduleDiagram.drawn("a  ..==|\nb  .==|")
        XCTAssertTrue(two.matches(.drawn("a =|\nb =|")))
        XCTAssertTrue(two.matches(.drawn("b =|\na =|")))
        XCTAssertTrue(two.matches(.drawn("a .=|\nb ==|")))
        XCTAssertFalse(two.matches(.drawn("a ==|\nb .=|")))
        XCTAssertFalse(two.matches(.drawn("a =|\nb ..=|")), "they overlap")
    }

    func testWhatIsUnorderedIsNotWhatWasDrawnInOrder() {
        let unordered = ScheduleDiagram.drawn("a =|\nb =|")
        XCTAssertFalse(unordered.matches(.drawn("a ==|\nb .=|")))
        XCTAssertTrue(unordered.matches(unordered))
    }

    func testADifferenceIsPrintedUnderEachOtherAndMarked() throws {
        let recorder = try recordedSerially("fetch", "parse", "store")
        XCTAssertEqual(
            thrown {
                try recorder.expect(
                    """
                    parse  ===|
                    fetch  ....===|
                    """)
            },
            """
            The schedule is not the one drawn: "fetch" began where "parse" was to begin.
            expected:
              parse  .=|
              fetch  ...=|
            actual:
              parse  ...=|
              fetch  .=|
                      ^
            """)
        XCTAssertEqual(
            thrown { try recorder.expect("fetch  r=|\nparse  ..r=|") },
            """
            The schedule is not the one drawn: "parse" became ready where "fetch" was to begin.
            expected:
              fetch  .r=|
              parse  ...rr=|
            actual:
              fetch  .rr=|
              parse  ..rrr=|
                       ^
            """)
    }

    func testAnUnorderedColumnIsDrawnAsWideAsItsChanges() throws {
        let recorder = try recordedSerially("fetch", "parse")
        XCTAssertEqual(
            thrown { try recorder.expect("fetch  =|\nparse  =|") },
            """
            The schedule is not the one drawn: "fetch" finished where "parse" was to begin.
            expected:
              fetch  .==|
              parse  .==|
            actual:
              fetch  .=|
              parse  ...=|
                       ^
            """)
    }

    func testAScheduleThatEndsEarlyOrGoesOn() throws {
        let recorder = try recordedSerially("fetch")
        XCTAssertEqual(
            thrown { try recorder.expect("fetch ==") },
            """
            The schedule is not the one drawn: "fetch" finished where nothing more was to happen.
            expected:
              fetch  .=
            actual:
              fetch  .=|
                       ^
            """)
        let queue = WorkQueue(maxConcurrentJobCount: 0), waiting = JobRecorder(observing: queue)
        queue.addJob(name: "fetch") {}
        XCTAssertEqual(
            thrown { try waiting.expect("fetch =|") },
            """
            The schedule is not the one drawn: it ends where "fetch" was to begin.
            expected:
              fetch  .=|
            actual:
              fetch  .
                      ^
            """)
    }

    func testAnotherEndIsADifference() {
        let ends = ScheduleDiagram.drawn("good =|\nbad ..=!\ndropped ....x")
        XCTAssertTrue(ends.matches(.drawn("good =|\nbad ..=!\ndropped ....x")))
        for wrong in ["good =!", "good =x", "bad =|", "dropped !", "dropped =x", "bad !"] {
            XCTAssertFalse(ends.matches(.drawn(wrong)), wrong)
        }
    }

    func testARowWithoutAJobIsADifference() throws {
        let recorder = try recordedSerially("fetch")
        XCTAssertEqual(
            thrown { try recorder.expect("fetch =|\nfretch =|\nstore =|") },
            """
            The schedule has no "fretch", no "store".
            expected:
              fetch   =|
              fretch  =|
              store   =|
            actual:
              fetch  .r=|
            """)
        XCTAssertEqual(
            thrown { try JobRecorder().expect("fetch =|") },
            """
            The schedule has no "fetch".
            expected:
              fetch  =|
            actual:
              (nothing)
            """)
    }

    func testADrawingThatIsNoneIsAnErrorOfItsOwn() {
        XCTAssertEqual(
            thrown { try JobRecorder().expect("fetch =?") },
            "line 1, column 8: \"?\" is no sign of a schedule; the signs are . r = | x and !")
    }

    private func recordedSerially(_ names: String...) throws -> JobRecorder {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), recorder = JobRecorder(observing: queue)
        for name in names { queue.addJob(name: name) {} }
        queue.isSuspended = false
        assertEmptied(queue)
        return recorder
    }
}
