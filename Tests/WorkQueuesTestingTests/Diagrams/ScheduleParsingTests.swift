// Reading drawings: what is one, and where it says that something is wrong.
import WorkQueuesTesting
import XCTest

final class ScheduleParsingTests: XCTestCase {
    func testARowIsANameAndSigns() throws {
        let diagram = try ScheduleDiagram(
            parsing: """

                fetch        .r=|

                parse a page ....r==!
                    drop\t.x   \("")
                """)
        XCTAssertEqual(diagram.rows.map(\.name), ["fetch", "parse a page", "drop"])
        XCTAssertEqual(diagram.rows[0].cells, [.waiting, .ready, .executing, .finished])
        XCTAssertEqual(diagram.rows[1].cells.suffix(4), [.ready, .executing, .executing, .failed])
        XCTAssertEqual(
            diagram.description,
            """
            fetch         .r=|
            parse a page  ....r==!
            drop          .x
            """)
    }

    func testEverySignIsReadBack() throws {
        for cell in ScheduleDiagram.Cell.allCases {
            let diagram = try ScheduleDiagram(parsing: "job \(cell.rawValue)")
            XCTAssertEqual(diagram.rows[0].cells, [cell])
            XCTAssertEqual(try ScheduleDiagram(parsing: diagram.description), diagram)
        }
    }

    func testNothingIsAnEmptyDiagram() throws {
        XCTAssertEqual(try ScheduleDiagram(parsing: "").rows, [])
        XCTAssertEqual(try ScheduleDiagram(parsing: " \n\n").description, "")
    }

    func testNamesMayBeMadeOfSigns() throws {
        let diagram = try ScheduleDiagram(parsing: "r =|\n. x ..=|\n=| r")
        XCTAssertEqual(diagram.rows.map(\.name), ["r", ". x", "=|"])
    }

    func testEqualityIsColumnByColumn() throws {
        let diagram = try ScheduleDiagram(parsing: "a  .r=|")
        XCTAssertEqual(diagram, try ScheduleDiagram(parsing: "  a .r=|   "))
        XCTAssertNotEqual(diagram, try ScheduleDiagram(parsing: "a .r==|"))
        XCTAssertNotEqual(diagram, try ScheduleDiagram(parsing: "b .r=|"))
        XCTAssertNotEqual(try ScheduleDiagram(parsing: "a .."), try ScheduleDiagram(parsing: "a ..."))
    }

    func testMistakesAreFoundByLineAndColumn() {
        let cases = [
            ("a =|\n\n  b ..y=|", "line 3, column 7: \"y\" is no sign of a schedule; the signs are . r = | x and !"),
            ("lonely", "line 1, column 1: a row is a name, blanks, and the signs of the job; here is only \"lonely\"."),
            ("\n  ..=|", "line 2, column 3: a row is a name, blanks, and the signs of the job; here is only \"..=|\"."),
            ("a ..=|.", "line 1, column 7: nothing follows the end of a job, \"|\"."),
            ("a xx", "line 1, column 4: nothing follows the end of a job, \"x\"."),
            ("a =|\n b =|\n  a  =|", "line 3, column 3: there is a row \"a\" already."),
            ("two  words =|\ntwo words =|", "line 2, column 1: there is a row \"two words\" already."),
            ("é ..é", "line 1, column 5: \"é\" is no sign of a schedule; the signs are . r = | x and !"),
        ]
        for (text, message) in cases {
            XCTAssertEqual(thrown { _ = try ScheduleDiagram(parsing: text) }, message)
        }
    }

    func testAnErrorKnowsItsPlace() {
        XCTAssertThrowsError(try ScheduleDiagram(parsing: "a =|\nb =?")) { error in
            let error = error as? ScheduleDiagram.ParsingError
            XCTAssertEqual(error?.line, 2)
            XCTAssertEqual(error?.column, 4)
        }
    }
}
