// What an edge does when its dependency ends: the table of D3, cell by cell (S6, S46).
import WorkQueues
import XCTest

final class RequirementTests: XCTestCase {
    func testD3_AnEdgeOfTheFinishedKindIsMetByEveryEnd() throws {
        for ending in Ending.allCases {
            for timing in Timing.allCases {
                let world = try World(ending, .finished, timing)
                XCTAssertEqual(world.dependent.runs.total, 1, "\(ending) \(timing)")
                XCTAssertTrue(hasSucceeded(world.dependent.outcome), "\(ending) \(timing)")
                XCTAssertFalse(world.dependent.isCancelled, "\(ending) \(timing)")
                XCTAssertEqual(world.cancels.total, 0, "\(ending) \(timing)")
            }
        }
    }

    func testD3_AnEdgeOfTheSucceededKindIsMetBySuccess() throws {
        for timing in Timing.allCases {
            let world = try World(.success, .succeeded, timing)
            XCTAssertEqual(world.dependent.runs.total, 1, "\(timing)")
            XCTAssertTrue(hasSucceeded(world.dependent.outcome), "\(timing)")
            XCTAssertEqual(world.cancels.total, 0, "\(timing)")
        }
    }

    func testS46_ADependencyThatFailsFailsItsDependent() throws {
        for timing in Timing.allCases {
            let world = try World(.failure, .succeeded, timing)
            XCTAssertEqual(world.dependent.runs.total, 0, "\(timing)")
            let error = failure(world.dependent.outcome) as? JobError
            XCTAssertEqual(error?.code, .dependencyFailed, "\(timing)")
            XCTAssertEqual(error?.jobID, world.dependency.id, "\(timing)")
            XCTAssertEqual(error?.underlying as? Trouble, Trouble(46), "\(timing)")
            XCTAssertEqual(error?.cyclePath, [], "\(timing)")
            XCTAssertFalse(error?.message.isEmpty == true, "\(timing)")
            assertCancelled(world, "\(timing)")
        }
    }

    func testS46_ADependencyCancelledBeforeItsStartCancelsItsDependent() throws {
        for timing in Timing.allCases {
            let world = try World(.cancelledBeforeStart, .succeeded, timing)
            XCTAssertEqual(world.dependent.runs.total, 0, "\(timing)")
            XCTAssertEqual(cancellation(world.dependent.outcome), .dependency(world.dependency.id), "\(timing)")
            assertCancelled(world, "\(timing)")
        }
    }

    func testS46_ADependencyCancelledWhileRunningCancelsItsDependent() throws {
        for timing in Timing.allCases {
            let world = try World(.cancelledWhileRunning, .succeeded, timing)
            XCTAssertEqual(world.dependency.runs.total, 1, "\(timing)")
            XCTAssertEqual(world.dependent.runs.total, 0, "\(timing)")
            XCTAssertEqual(cancellation(world.dependent.outcome), .dependency(world.dependency.id), "\(timing)")
            assertCancelled(world, "\(timing)")
        }
    }

    func testS6_ACancelledDependencyThatIsAddedLater() throws {
        for requirement in [Job.DependencyRequirement.finished, .succeeded] {
            let queue = WorkQueue(maxConcurrentJobCount: 1)
            let first = Probe(), second = Probe()
            try second.addDependency(first, requiring: requirement)
            first.cancel()
            try queue.addJobs([first, second])
            assertDrained(queue)
            XCTAssertEqual(first.runs.total, 0)
            XCTAssertTrue(first.isFinished)
            XCTAssertTrue(first.isCancelled)
            if requirement == .finished {
                XCTAssertEqual(second.runs.total, 1)
                XCTAssertTrue(hasSucceeded(second.outcome))
            } else {
                XCTAssertEqual(second.runs.total, 0)
                XCTAssertEqual(cancellation(second.outcome), .dependency(first.id))
            }
        }
    }

    func testD3_ADependencyThatIsCancelledButNotAddedHasNotEnded() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let first = Probe(), second = Probe()
        try second.addDependency(first, requiring: .succeeded)
        try queue.addJob(second)
        first.cancel()
        waitForEnd(of: queue.addJob {})
        XCTAssertEqual(second.phase, .waiting)
        XCTAssertFalse(second.isCancelled)
        try queue.addJob(first)
        assertDrained(queue)
        XCTAssertEqual(cancellation(second.outcome), .dependency(first.id))
    }

    func testD3_TheEndComesAtOnceWhateverHoldsTheDependent() throws {
        for hold in ["suspended", "width 0", "another edge", "a barrier"] {
            let queue = WorkQueue(maxConcurrentJobCount: 1), other = WorkQueue(maxConcurrentJobCount: 1)
            let dependency = Probe { $0.fail(with: Trouble(46)) }, dependent = Probe(), never = Probe()
            try dependent.addDependency(dependency, requiring: .succeeded)
            switch hold {
            case "suspended": queue.isSuspended = true
            case "width 0": queue.maxConcurrentJobCount = 0
            case "another edge": try dependent.addDependency(never)
            default:
                queue.isSuspended = true
                queue.addBarrierBlock {}
            }
            try queue.addJob(dependent)
            try other.addJob(dependency)
            waitForEnd(of: dependent)
            XCTAssertEqual((failure(dependent.outcome) as? JobError)?.jobID, dependency.id, hold)
            XCTAssertEqual(dependent.runs.total, 0, hold)
            queue.cancelAllJobs()
            assertDrained(queue)
            assertDrained(other)
        }
    }

    func testD3_ItsOwnEndCountsBeforeThatOfADependency() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let dependency = Probe { $0.fail(with: Trouble()) }, dependent = Probe()
        try dependent.addDependency(dependency, requiring: .succeeded)
        try queue.addJobs([dependent, dependency])
        dependent.cancel(reason: .custom("own"))
        waitForEnd(of: dependent)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(cancellation(dependent.outcome), .custom("own"))
        XCTAssertEqual(dependent.cancellationReason, .custom("own"))
    }

    func testD3_TheValueOfACancelledDependentThrowsACancellationError() async throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let producer = queue.addJob { () throws -> Int in
            Job.current?.cancel()
            return 1
        }
        let consumer = queue.addJob(after: producer) { $0 + 1 }
        do {
            _ = try await consumer.value
            XCTFail("no value")
        } catch {
            XCTAssertTrue(error is CancellationError)
        }
        XCTAssertEqual(cancellation(consumer.outcome), .dependency(producer.id))
    }

    func testD3_TypedEdgesAreOfTheSucceededKind() async throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let producer = queue.addJob { () throws -> Int in throw Trouble(46) }
        let bodies = Meter()
        let consumer = queue.addJob(after: producer) { value in
            bodies.enter()
            return value + 1
        }
        do {
            _ = try await consumer.value
            XCTFail("no value")
        } catch {
            XCTAssertEqual((error as? JobError)?.code, .dependencyFailed)
            XCTAssertEqual((error as? JobError)?.jobID, producer.id)
            XCTAssertEqual((error as? JobError)?.underlying as? Trouble, Trouble(46))
        }
        XCTAssertTrue(consumer.isCancelled)
        XCTAssertEqual(bodies.total, 0)
    }

    private func assertCancelled(_ world: World, _ what: String, line: UInt = #line) {
        XCTAssertTrue(world.dependent.isCancelled, what, line: line)
        XCTAssertEqual(world.dependent.cancellationReason, .dependency(world.dependency.id), what, line: line)
        XCTAssertEqual(world.reasons.values, [.dependency(world.dependency.id)], what, line: line)
        XCTAssertEqual(world.cancels.total, 1, "through its cancel(), \(what)", line: line)
        XCTAssertEqual(world.completions.total, 1, what, line: line)
    }
}

private enum Ending: CaseIterable {
    case success, failure, cancelledBeforeStart, cancelledWhileRunning
}

private enum Timing: CaseIterable {
    case edgeFirst, edgeFirstInAnotherQueue, edgeToAFinishedJob, edgeOfAQueuedJobToAFinishedJob
}

/// A dependency that has ended in one way, and its dependent that has ended in consequence.
private struct World {
    final class Dependent: Job, @unchecked Sendable {
        // Unchecked, as the superclass: all stored properties are constants.
        let runs = Meter()
        let cancels: Meter

        init(_ cancels: Meter) {
            self.cancels = cancels
            super.init()
        }

        override func main() {
            runs.enter()
        }

        override func cancel() {
            cancels.enter()
            super.cancel()
        }
    }

    let dependency: Probe
    let dependent: Dependent
    let cancels = Meter()
    let completions = Meter()
    let reasons = Log<Job.CancellationReason>()

    init(_ ending: Ending, _ requirement: Job.DependencyRequirement, _ timing: Timing) throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true), other = WorkQueue(maxConcurrentJobCount: 1)
        dependency = Probe { job in
            switch ending {
            case .success: break
            case .failure: job.fail(with: Trouble(46))
            case .cancelledBeforeStart: XCTFail("the body of a cancelled job ran")
            case .cancelledWhileRunning: job.cancel(reason: .custom("its own"))
            }
        }
        dependent = Dependent(cancels)
        dependent.addCompletion { [completions] _ in completions.enter() }
        dependent.onCancel { [reasons] in reasons.append($0) }
        if ending == .cancelledBeforeStart { dependency.cancel(reason: .custom("its own")) }

        switch timing {
        case .edgeFirst:
            try dependent.addDependency(dependency, requiring: requirement)
            try queue.addJobs([dependent, dependency])
        case .edgeFirstInAnotherQueue:
            try dependent.addDependency(dependency, requiring: requirement)
            try other.addJob(dependent)
            try queue.addJob(dependency)
        case .edgeToAFinishedJob:
            try other.addJob(dependency)
            assertDrained(other)
            try dependent.addDependency(dependency, requiring: requirement)
            try queue.addJob(dependent)
        case .edgeOfAQueuedJobToAFinishedJob:
            try other.addJob(dependency)
            assertDrained(other)
            try queue.addJob(dependent)
            try dependent.addDependency(dependency, requiring: requirement)
        }
        queue.isSuspended = false
        assertDrained(queue)
        assertDrained(other)
    }
}
