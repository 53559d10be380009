// V1: what each kind of event carries, and which of them a queue posts for itself.
import Foundation
import WorkQueues
import XCTest

final class EventContentTests: XCTestCase {
    func testV1_AnEventNamesItsJob() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), log = EventLog()
        queue.addObserver(log)
        let named = queue.addJob(name: "named") {}, nameless = queue.addJob {}
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertTrue(log.events(of: named.id).allSatisfy { $0.jobName == "named" })
        XCTAssertTrue(log.events(of: nameless.id).allSatisfy { $0.jobName == nil })
        XCTAssertEqual(log.events(of: named.id).count, 4)
    }

    func testV1_FinishedCarriesTheOutcome() {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), log = EventLog()
        queue.addObserver(log)
        let good = queue.addJob {}, bad = queue.addJob { throw Trouble(1) }, dropped = queue.addJob {}
        dropped.cancel(reason: .custom("why"))
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(log.outcomes(of: good.id).map { hasSucceeded($0) }, [true])
        XCTAssertEqual(log.outcomes(of: bad.id).map { trouble($0) }, [Trouble(1)])
        XCTAssertEqual(log.outcomes(of: dropped.id).map { cancellation($0) }, [.custom("why")])
    }

    func testV1_CancelRequestedCarriesTheReasonAndComesOnce() {
        let queue = WorkQueue(isSuspended: true), log = EventLog(), job = queue.addJob {}
        queue.addObserver(log)
        job.cancel(reason: .custom("first"))
        job.cancel(reason: .custom("second"))
        waitForEnd(of: job)
        job.cancel()
        XCTAssertEqual(log.reasons(of: job.id), [.custom("first")])
    }

    func testV1_EdgesAreEvents() throws {
        let queue = WorkQueue(isSuspended: true), log = EventLog(), first = queue.addJob {}, second = queue.addJob {}
        queue.addObserver(log)
        try second.addDependency(first)
        try second.addDependency(first)
        second.removeDependency(first)
        second.removeDependency(first)
        eventually("both events") { log.count(.dependencyRemoved) == 1 }
        let edges = log.events(of: second.id).filter { [.dependencyAdded, .dependencyRemoved].contains(EventLog.name(of: $0)) }
        XCTAssertEqual(edges.map(EventLog.name(of:)), [.dependencyAdded, .dependencyRemoved], "a repeated edge is one edge")
        for edge in edges {
            switch edge.kind {
            case .dependencyAdded(let id), .dependencyRemoved(let id): XCTAssertEqual(id, first.id)
            default: XCTFail("\(edge)")
            }
        }
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testV1_ARefusedEdgeIsNoEvent() throws {
        let queue = WorkQueue(isSuspended: true), log = EventLog(), first = queue.addJob {}, second = queue.addJob(dependencies: [first]) {}
        queue.addObserver(log)
        assertRefused(.dependencyCycle) { try first.addDependency(second) }
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(log.count(.dependencyAdded), 0)
    }

    func testV1_ReadyComesWhenTheLastEdgeIsMet() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), log = EventLog(), leave = Gate()
        queue.addObserver(log)
        let first = queue.addJob { leave.wait() }, second = queue.addJob(dependencies: [first]) {}
        assertHeld(second)
        XCTAssertEqual(log.count(.ready, of: second.id), 0)
        leave.open()
        assertDrained(queue)
        XCTAssertEqual(log.count(.ready, of: second.id), 1)
    }

    func testV1_RefusedJobsAreNoEvents() {
        let queue = WorkQueue(isSuspended: true), other = WorkQueue(isSuspended: true), log = EventLog(), job = queue.addJob {}
        other.addObserver(log)
        assertRefused(.alreadyAdded) { try other.addJob(job) }
        assertRefused(.alreadyAdded) { try other.addJobs([BlockJob {}, job]) }
        XCTAssertEqual(log.events.count, 0)
        queue.cancelAllJobs()
        assertDrained(queue)
    }

    func testV1_AnObserverSeesOnlyItsQueue() {
        let queue = WorkQueue(), other = WorkQueue(), log = EventLog()
        queue.addObserver(log)
        let mine = queue.addJob {}, foreign = other.addJob {}
        assertDrained(queue)
        assertDrained(other)
        XCTAssertEqual(log.events(of: mine.id).count, 4)
        XCTAssertEqual(log.events(of: foreign.id).count, 0)
    }

    func testV1_TheQueuesOwnEventsNameNoJob() {
        let queue = WorkQueue(maxConcurrentJobCount: 1), log = EventLog()
        queue.addObserver(log)
        queue.isSuspended = true
        queue.maxConcurrentJobCount = 2
        queue.isSuspended = false
        queue.addJob {}
        assertDrained(queue)
        eventually("all four") { log.events.count { $0.jobID == nil } == 4 }
        let own = log.sequenced.filter { $0.jobID == nil }
        XCTAssertEqual(own.map(EventLog.name(of:)), [.suspended, .widthChanged, .resumed, .idle])
        XCTAssertTrue(own.allSatisfy { $0.jobName == nil })
    }
}
