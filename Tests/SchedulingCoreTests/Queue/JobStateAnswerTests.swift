// What a job's word answers in single situations, each with the rule of the contract that asks for it.

import SchedulingCore
import XCTest

final class JobStateAnswerTests: XCTestCase {
    private func queued(isPlain: Bool = true, edges: Int = 0) -> JobState {
        var word = JobState()
        for _ in 0..<edges { XCTAssertEqual(word.addUnmetEdge(), .added) }
        XCTAssertEqual(word.reserve(), .reserved)
        XCTAssertEqual(word.accept(isPlain: isPlain), isPlain && edges == 0 ? .ready : .accepted)
        return word
    }

    private func executing() -> JobState {
        var word = queued()
        XCTAssertEqual(word.claim(), .begun)
        return word
    }

    func testS76_OneOfTwoQueuesGetsAJob() {
        var word = JobState()
        XCTAssertEqual(word.reserve(), .reserved)
        XCTAssertEqual(word.reserve(), .alreadyAdded)
        XCTAssertEqual(word.accept(isPlain: true), .ready)
        XCTAssertEqual(word.reserve(), .alreadyAdded)
        XCTAssertFalse(word.withdraw())
        XCTAssertEqual(word.reserve(), .reserved, "a batch that was refused leaves its jobs free")
    }

    func testL3_WhoGivesAJobBackOwesTheEndThatCameMeanwhile() {
        var word = queued()
        XCTAssertEqual(word.finish(failed: false), .workerWithoutSlot)
        XCTAssertTrue(word.withdraw())
        XCTAssertFalse(word.withdraw(), "once")
        word = queued()
        XCTAssertEqual(word.cancel(), .owesEnd)
        XCTAssertFalse(word.withdraw(), "a cancelled job in no queue only has the flag")
        XCTAssertTrue(word.isCancelled)
        XCTAssertFalse(word.isEndOwed)
        word = JobState()
        _ = word.reserve()
        XCTAssertEqual(word.finish(failed: false), .caller)
        XCTAssertFalse(word.withdraw(), "reserved, but never the queue's")
    }

    func testL3_WhoDoesTheRestOfAnEnd() {
        var word = JobState()
        XCTAssertEqual(word.finish(failed: false), .caller, "in no queue")
        word = queued()
        XCTAssertEqual(word.finish(failed: false), .workerWithoutSlot, "not begun")
        word = queued()
        XCTAssertEqual(word.cancel(), .owesEnd)
        XCTAssertEqual(word.finish(failed: false), .underway, "cancelled, and handed over by the canceller")
        word = executing()
        XCTAssertEqual(word.finish(failed: false), .starter, "inside start")
        XCTAssertEqual(word.finish(failed: true), .late)
        XCTAssertEqual(word.leaveStart(), .finished)
        word = executing()
        XCTAssertEqual(word.leaveStart(), .continues)
        XCTAssertEqual(word.finish(failed: true), .workerWithSlot, "asynchronous")
        XCTAssertTrue(word.isFailed)
        word = JobState()
        XCTAssertEqual(word.startByHand(isAsynchronous: true), .begun)
        XCTAssertEqual(word.finish(failed: false), .caller, "started by hand")
    }

    func testC1_WhatACancelMeans() {
        var word = JobState()
        XCTAssertEqual(word.cancel(), .flagged, "in no queue")
        XCTAssertEqual(word.cancel(), .ignored)
        XCTAssertEqual(word.reserve(), .reserved)
        XCTAssertEqual(word.accept(isPlain: true), .ready)
        XCTAssertTrue(word.endsOnArrival && word.isEndOwed)
        word = executing()
        XCTAssertEqual(word.cancel(), .executing)
        _ = word.finish(failed: false)
        word = executing()
        _ = word.finish(failed: false)
        XCTAssertEqual(word.cancel(), .ignored, "after the end")
        XCTAssertFalse(word.isCancelled)
    }

    func testC2_WorkDespiteACancelHoldsASlotUntilItsEnd() {
        var word = queued()
        XCTAssertEqual(word.cancel(), .owesEnd)
        XCTAssertEqual(word.claim(), .cancelled)
        XCTAssertTrue(word.enterCancelledStart())
        XCTAssertEqual(word.addUnmetEdge(), .alreadyStarted)
        XCTAssertEqual(word.workDespiteCancellation(), .continues)
        XCTAssertEqual(word.phase, .executing)
        XCTAssertEqual(word.finish(failed: false), .workerWithSlot)
    }

    func testL4_AJobThatEndedItselfIsNotStarted() {
        var word = queued()
        XCTAssertEqual(word.finish(failed: false), .workerWithoutSlot)
        XCTAssertEqual(word.claim(), .over)
        XCTAssertFalse(word.enterCancelledStart())
    }

    func testL2_ANoCountsUntilAPost() {
        var word = queued(isPlain: false)
        XCTAssertTrue(word.awaitsAnswer)
        var posts = word.posts
        XCTAssertEqual(word.answer(false, posts: posts), .stillHeld)
        XCTAssertTrue(word.post(), "the queue must ask again")
        XCTAssertEqual(word.answer(false, posts: posts), .askAgain, "a post came by meanwhile")
        posts = word.posts
        XCTAssertEqual(word.answer(true, posts: posts), .becameReady)
        XCTAssertFalse(word.post(), "it is not asked again")
        XCTAssertEqual(word.answer(false, posts: word.posts), .stale)
    }

    func testL2_AYesThatWasAskedForBeforeAnEdgeDoesNotCountAfterIt() {
        var word = queued(isPlain: false)
        let posts = word.posts
        XCTAssertEqual(word.addUnmetEdge(), .added)
        XCTAssertEqual(word.answer(true, posts: posts), .stale)
        XCTAssertTrue(word.removeUnmetEdge())
        XCTAssertEqual(word.answer(true, posts: posts), .askAgain)
        XCTAssertEqual(word.phase, .waiting)
        XCTAssertEqual(word.answer(true, posts: word.posts), .becameReady)
    }

    func testL2_AYesThatWasAskedForBeforeAPostCounts() {
        var word = queued(isPlain: false)
        let posts = word.posts
        XCTAssertTrue(word.post())
        XCTAssertEqual(word.answer(true, posts: posts), .becameReady, "once it was true it is not asked again")
    }

    func testD1_AnEdgeInTimeHoldsAReadyJobBack() {
        var word = queued()
        XCTAssertEqual(word.addUnmetEdge(), .added)
        XCTAssertEqual(word.phase, .waiting)
        XCTAssertEqual(word.claim(), .notReady)
        XCTAssertEqual(word.meetEdge(isPlain: true), .ready)
        XCTAssertEqual(word.claim(), .begun)
        XCTAssertEqual(word.addUnmetEdge(), .alreadyStarted)
        _ = word.finish(failed: false)
        XCTAssertEqual(word.addUnmetEdge(), .alreadyFinished)
    }

    func testNobodyLeavesBeforeWhatWasAttachedIsSeenTo() {
        var word = executing()
        _ = word.finish(failed: false)
        word.attachExtras()
        XCTAssertFalse(word.close(extrasDone: false, nodeDone: true))
        word.attachNode()
        XCTAssertFalse(word.close(extrasDone: true, nodeDone: false))
        XCTAssertFalse(word.isClosed || word.isResolved)
        word.resolve()
        XCTAssertTrue(word.close(extrasDone: true, nodeDone: true))
        XCTAssertTrue(word.isClosed && word.isResolved && !word.isSettled)
        word.settle()
        XCTAssertTrue(word.isSettled)
    }

    func testTheCountsDoNotSpillOver() {
        var word = queued(isPlain: false)
        for _ in 0..<5_000 {
            _ = word.post()
            XCTAssertEqual(word.withoutPosts, queued(isPlain: false).withoutPosts)
        }
        for _ in 0..<5_000 { XCTAssertEqual(word.addUnmetEdge(), .added) }
        XCTAssertEqual(word.unmetEdges, 5_000)
        for _ in 0..<5_000 { _ = word.removeUnmetEdge() }
        XCTAssertEqual(word.withoutPosts, queued(isPlain: false).withoutPosts)
    }
}
