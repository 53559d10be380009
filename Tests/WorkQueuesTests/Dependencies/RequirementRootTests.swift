// A failure or a cancellation that goes through many jobs always names its root (D3).
import WorkQueues
import XCTest

final class RequirementRootTests: XCTestCase {
    func testD3_AFailureGoesThroughAChainAndNamesItsRoot() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let root = Probe { $0.fail(with: Trouble(1)) }
        let chain = try chain(of: 50, from: root)
        try queue.addJobs([root] + chain)
        assertDrained(queue)
        for job in chain {
            let error = failure(job.outcome) as? JobError
            XCTAssertEqual(error?.code, .dependencyFailed)
            XCTAssertEqual(error?.jobID, root.id)
            XCTAssertEqual(error?.underlying as? Trouble, Trouble(1), "never one inside another")
            XCTAssertTrue(job.isCancelled)
            XCTAssertEqual(job.cancellationReason, .dependency(root.id))
            XCTAssertEqual(job.runs.total, 0)
        }
    }

    func testD3_ACancellationGoesThroughAChainAndNamesItsRoot() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let root = Probe()
        let chain = try chain(of: 50, from: root)
        root.cancel(reason: .custom("own"))
        try queue.addJobs([root] + chain)
        assertDrained(queue)
        XCTAssertEqual(cancellation(root.outcome), .custom("own"))
        for job in chain {
            XCTAssertEqual(cancellation(job.outcome), .dependency(root.id))
            XCTAssertTrue(job.isCancelled)
            XCTAssertEqual(job.runs.total, 0)
        }
    }

    func testD3_AJobCancelledInTheMiddleIsTheRootOfWhatFollows() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true)
        let root = Probe()
        let chain = try chain(of: 10, from: root)
        try queue.addJobs([root] + chain)
        chain[4].cancel()
        waitForEnd(of: Array(chain[4...]))
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(chain.map(\.runs.total), [1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
        XCTAssertEqual(cancellation(chain[4].outcome), .requested)
        XCTAssertTrue(chain[5...].allSatisfy { cancellation($0.outcome) == .dependency(chain[4].id) })
    }

    func testD3_AnEdgeOfTheFinishedKindStopsThePassingOn() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let root = Probe { $0.fail(with: Trouble(1)) }, ended = Probe(), tolerant = Probe(), last = Probe()
        try ended.addDependency(root, requiring: .succeeded)
        try tolerant.addDependency(ended)
        try last.addDependency(tolerant, requiring: .succeeded)
        try queue.addJobs([last, tolerant, ended, root])
        assertDrained(queue)
        XCTAssertEqual([ended, tolerant, last].map(\.runs.total), [0, 1, 1])
        XCTAssertTrue(hasSucceeded(last.outcome))
    }

    func testD3_APassedOnErrorThatABodyThrowsIsNotWrappedAgain() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let root = Probe { $0.fail(with: Trouble(1)) }, ended = Probe()
        try ended.addDependency(root, requiring: .succeeded)
        try queue.addJobs([root, ended])
        assertDrained(queue)
        let passed = try XCTUnwrap(failure(ended.outcome))
        let rethrowing = ResultJob<Int> { throw passed }, last = Probe()
        try last.addDependency(rethrowing, requiring: .succeeded)
        try queue.addJobs([rethrowing, last])
        assertDrained(queue)
        let error = failure(last.outcome) as? JobError
        XCTAssertEqual(error?.code, .dependencyFailed)
        XCTAssertNotEqual((error?.underlying as? JobError)?.code, .dependencyFailed)
        XCTAssertEqual(error?.underlying as? Trouble, Trouble(1))
    }

    func testD3_OfTwoThatFailTheFirstEndIsTheRoot() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let first = Probe { $0.fail(with: Trouble(1)) }, second = Probe { $0.fail(with: Trouble(2)) }, dependent = Probe()
        try dependent.addDependency(second, requiring: .succeeded)
        try dependent.addDependency(first, requiring: .succeeded)
        try queue.addJobs([first, dependent])
        queue.isSuspended = false
        waitForEnd(of: dependent)
        try queue.addJob(second)
        assertDrained(queue)
        let error = failure(dependent.outcome) as? JobError
        XCTAssertEqual(error?.jobID, first.id)
        XCTAssertEqual(error?.underlying as? Trouble, Trouble(1))
    }

    func testD3_ThroughSeveralQueuesAndThroughAFan() throws {
        let queues = (0..<3).map { _ in WorkQueue(maxConcurrentJobCount: 1) }
        let root = Probe { $0.fail(with: Trouble(1)) }, end = Probe()
        let fan = (0..<9).map { _ in Probe() }
        for (number, job) in fan.enumerated() {
            try job.addDependency(root, requiring: .succeeded)
            try end.addDependency(job, requiring: .succeeded)
            try queues[number % 3].addJob(job)
        }
        try queues[1].addJob(end)
        try queues[2].addJob(root)
        for queue in queues { assertDrained(queue) }
        for job in fan + [end] {
            XCTAssertEqual((failure(job.outcome) as? JobError)?.jobID, root.id)
            XCTAssertEqual((failure(job.outcome) as? JobError)?.underlying as? Trouble, Trouble(1))
            XCTAssertEqual(job.runs.total, 0)
        }
    }

    func testD3_AnEndThatPassesThroughAJobInNoQueueWaitsThereForItsAdding() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let root = Probe { $0.fail(with: Trouble(1)) }, nowhere = Probe(), last = Probe()
        try nowhere.addDependency(root, requiring: .succeeded)
        try last.addDependency(nowhere, requiring: .succeeded)
        try queue.addJobs([root, last])
        waitForEnd(of: root)
        eventually("told") { nowhere.isCancelled }
        XCTAssertEqual(nowhere.cancellationReason, .dependency(root.id))
        XCTAssertEqual(last.phase, .waiting)
        try queue.addJob(nowhere)
        assertDrained(queue)
        for job in [nowhere, last] {
            XCTAssertEqual((failure(job.outcome) as? JobError)?.jobID, root.id)
            XCTAssertEqual(job.runs.total, 0)
        }
    }

    func testD3_EdgesThatRaceAFailingEnd() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(20_000), "an edge against a failing end",
            prepare: { _ in (root: Probe { $0.fail(with: Trouble(1)) }, dependent: Probe()) },
            { round in add(round.root, to: queue) },
            { round in
                link(round.dependent, to: round.root, requiring: .succeeded)
                add(round.dependent, to: queue)
            },
            check: { _, round in
                round.dependent.waitUntilFinished()
                let error = failure(round.dependent.outcome) as? JobError
                XCTAssertEqual(error?.code, .dependencyFailed)
                XCTAssertEqual(error?.jobID, round.root.id)
                XCTAssertEqual(error?.underlying as? Trouble, Trouble(1))
                XCTAssertEqual(round.dependent.runs.total, 0)
            })
        assertDrained(queue)
    }

    private func chain(of count: Int, from root: Job) throws -> [Probe] {
        let jobs = (0..<count).map { _ in Probe() }
        for (number, job) in jobs.enumerated() {
            try job.addDependency(number == 0 ? root : jobs[number - 1], requiring: .succeeded)
        }
        return jobs
    }
}
