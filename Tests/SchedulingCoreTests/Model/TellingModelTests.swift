// V1: in every order of steps, the news of a job are told one at a time, in their order, and none is left; and each step is needed for it.
import SchedulingCore
import XCTest

final class TellingModelTests: XCTestCase {
    func testV1_EveryOrderOfSteps() {
        for hasExtras in [false, true] {
            for writers in 0...3 {
                let (fault, states) = explore(writers: writers, hasExtras: hasExtras)
                XCTAssertNil(fault, "with \(writers) writers, extras: \(hasExtras)")
                if writers == 3 { XCTAssertGreaterThan(states, 1_000) }
            }
        }
    }

    func testV1_WithoutALookForExtrasALetterIsLeft() {
        XCTAssertNotNil(explore(writers: 1, hasExtras: false, without: .lookForExtras).fault)
    }

    func testV1_WithoutALookAtTheBitTwoThreadsTell() {
        XCTAssertEqual(explore(writers: 1, hasExtras: false, without: .lookAtTheBit).fault, "two threads tell at once")
    }

    func testV1_WithoutTheMarkOfAnUntoldStartItIsOvertaken() {
        XCTAssertEqual(explore(writers: 1, hasExtras: true, without: .untoldStart).fault?.hasPrefix("told in the order"), true)
    }

    func testV1_WithoutALastLookAtTheLettersOneIsLeft() {
        XCTAssertNotNil(explore(writers: 2, hasExtras: true, without: .lastLookAtTheLetters).fault)
    }

    func testV1_WithoutAStampBeforeTheChangeALaterOneIsSmaller() {
        XCTAssertEqual(explore(writers: 1, hasExtras: false, without: .stampBeforeTheChange).fault?.hasPrefix("told in the order"), true)
    }

    /// Goes through all states; returns what is wrong in one of them, and how many there are.
    private func explore(
        writers: Int, hasExtras: Bool, without omission: TellingModel.Omission = .nothing
    ) -> (fault: String?, states: Int) {
        let start = TellingModel(writers: writers, hasExtras: hasExtras)
        var known: Set<TellingModel> = [start]
        var open = [start]
        while let state = open.popLast() {
            if let fault = state.fault { return (fault, known.count) }
            for thread in state.threads.indices {
                guard let next = state.next(of: thread, without: omission), known.insert(next).inserted else { continue }
                open.append(next)
            }
        }
        return (nil, known.count)
    }
}
