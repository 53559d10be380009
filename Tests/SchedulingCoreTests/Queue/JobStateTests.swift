// The rules of a job's word, each checked at every step that any word can take.

import SchedulingCore
import XCTest

final class JobStateTests: XCTestCase {
    /// Steps after which something does not hold, a few of them.
    private func walk(_ rule: (WordStep) -> Bool, _ text: String, line: UInt = #line) {
        var broken: [String] = []
        let words = WordStep.forEach { step in
            if broken.count < 5 && !rule(step) { broken.append("\(step)") }
        }
        XCTAssertGreaterThan(words, 300, "the walk does not get far", line: line)
        XCTAssertEqual(broken, [], text, line: line)
    }

    func testL1_EveryMoveIsInTheTable() {
        walk(
            { step in
                let (from, to) = (step.before.phase, step.after.phase)
                // A batch that was refused gives its jobs back as they were.
                if step.change.name == "withdraw" { return to == .created || from == .finished && to == .finished }
                return from == to || from.canMove(to: to)
            }, "a phase moved as no phase may")
    }

    func testL1_TheTableGoesForwardOnlyButForOneMove() {
        for from in JobPhase.allCases {
            for to in JobPhase.allCases {
                let isForward = to.rawValue > from.rawValue
                XCTAssertEqual(from.canMove(to: to), isForward || (from == .ready && to == .waiting), "\(from) to \(to)")
            }
        }
    }

    func testARefusalChangesNothing() {
        walk({ $0.refusal == nil || $0.before == $0.after }, "a call was refused and left a trace")
    }

    func testL3C1_TheEndIsFixedOnce() {
        walk(
            { step in
                guard step.before.isFinished else { return true }
                let (before, after) = (step.before, step.after)
                return after.isFinished && after.isCancelled == before.isCancelled && after.isFailed == before.isFailed
            }, "an outcome changed after the end")
    }

    func testC1_NobodyTakesACancelBack() {
        walk({ !$0.before.isCancelled || $0.after.isCancelled }, "a cancelled job is cancelled no longer")
    }

    func testC2D1_OnlyAReadyJobIsClaimed() {
        walk(
            { step in
                guard step.change.name == "claim", step.refusal == nil else { return true }
                return step.before.phase == .ready && !step.before.isCancelled && step.before.unmetEdges == 0 && step.after.isInStart
            }, "a job was claimed that may not start")
    }

    func testC2_ACancelledJobThatHasNotBegunIsOnItsWayOut() {
        walk(
            { step in
                let word = step.after
                return !word.isQueued || !word.isCancelled || (word.phase != .waiting && word.phase != .ready) || word.isEndOwed
            }, "nobody is going to end a cancelled job")
    }

    func testD1_AReadyJobHasNoUnmetEdge() {
        walk(
            { step in
                let word = step.after
                return word.phase != .ready || (word.unmetEdges == 0 && word.isQueued && !word.isHeld)
            }, "a job is ready too early")
    }

    func testD1_EdgesAreCountedOneByOne() {
        walk(
            { step in
                let difference = step.after.unmetEdges - step.before.unmetEdges
                switch step.change.name {
                case "addUnmetEdge": return difference == (step.refusal == nil ? 1 : 0)
                case "removeUnmetEdge": return difference == -1
                case let name where name.hasPrefix("meetEdge"): return difference == -1
                default: return difference == 0
                }
            }, "the number of unmet edges is wrong")
    }

    func testBitsOfTheGraphAndOfExtrasTouchNothingElse() {
        walk(
            { step in
                var word = step.after
                word.attachExtras()
                word.attachNode()
                let isAttached = word.hasExtras && word.hasNode && word.phase == step.after.phase
                word.detachNode()
                return isAttached && !word.hasNode && word.hasExtras
            }, "attaching changed something")
    }
}
