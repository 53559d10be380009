// Removing the last unmet edge makes a job ready, at any time (D4, S8).
import WorkQueues
import XCTest

final class EdgeRemovalTests: XCTestCase {
    func testS8_TheOnlyEdgeOfAQueuedJob() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let never = Probe(), job = Probe()
        try job.addDependency(never)
        try queue.addJob(job)
        XCTAssertEqual(job.phase, .waiting)
        job.removeDependency(never)
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
        XCTAssertFalse(job.dependencies.contains(never))
        XCTAssertEqual(never.phase, .created)
    }

    func testS8_OneEdgeRemovedAndTheOtherMet() throws {
        for removedFirst in [true, false] {
            let queue = WorkQueue(maxConcurrentJobCount: 1)
            let met = Probe(), removed = Probe(), job = Probe()
            try job.addDependency(met)
            try job.addDependency(removed)
            try queue.addJob(job)
            if removedFirst {
                job.removeDependency(removed)
                XCTAssertEqual(job.dependencies, [met])
                XCTAssertEqual(job.phase, .waiting)
                try queue.addJob(met)
            } else {
                try queue.addJob(met)
                waitForEnd(of: met)
                XCTAssertEqual(job.phase, .waiting)
                job.removeDependency(removed)
            }
            assertDrained(queue)
            XCTAssertEqual(job.runs.total, 1)
            XCTAssertEqual(removed.runs.total, 0)
        }
    }

    func testS8_ARemovalThatRacesTheDependencysEnd() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(50_000), "a removal against the end",
            prepare: { _ -> (dependency: Probe, job: Probe) in
                let dependency = Probe(), job = Probe()
                link(job, to: dependency)
                add(job, to: queue)
                return (dependency, job)
            },
            { round in add(round.dependency, to: queue) },
            { round in round.job.removeDependency(round.dependency) },
            check: { _, round in
                round.job.waitUntilFinished()
                round.dependency.waitUntilFinished()
                XCTAssertEqual([round.dependency, round.job].map(\.runs.total), [1, 1])
                XCTAssertEqual(round.job.dependencies, [])
            })
        assertDrained(queue)
    }

    func testD4_ARemovalThatRacesAFailingEndRunsOrEndsTheDependent() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(20_000), "a removal against a failing end",
            prepare: { _ -> (dependency: Probe, job: Probe, completions: Meter) in
                let dependency = Probe { $0.fail(with: Trouble()) }, job = Probe()
                let completions = Meter()
                job.addCompletion { _ in completions.enter() }
                link(job, to: dependency, requiring: .succeeded)
                add(job, to: queue)
                return (dependency, job, completions)
            },
            { round in add(round.dependency, to: queue) },
            { round in round.job.removeDependency(round.dependency) },
            check: { _, round in
                round.job.waitUntilFinished()
                XCTAssertEqual(round.completions.total, 1)
                if hasSucceeded(round.job.outcome) {
                    XCTAssertEqual(round.job.runs.total, 1)
                    XCTAssertFalse(round.job.isCancelled)
                } else {
                    XCTAssertEqual((failure(round.job.outcome) as? JobError)?.code, .dependencyFailed)
                    XCTAssertEqual(round.job.runs.total, 0)
                    XCTAssertTrue(round.job.isCancelled)
                }
            })
        assertDrained(queue)
    }

    func testD4_ARemovalThatRacesTheAdding() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        race(
            rounds: Rounds.scaled(40_000), "a removal against the adding",
            prepare: { _ -> (never: Probe, job: Probe) in
                let never = Probe(), job = Probe()
                link(job, to: never)
                return (never, job)
            },
            { round in add(round.job, to: queue) },
            { round in round.job.removeDependency(round.never) },
            check: { _, round in
                round.job.waitUntilFinished()
                XCTAssertEqual(round.job.runs.total, 1)
            })
        assertDrained(queue)
    }

    func testD4_TwoThreadsThatRemoveTheTwoLastEdges() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        race(
            rounds: Rounds.scaled(40_000), "two removals",
            prepare: { _ -> (first: Probe, second: Probe, job: Probe) in
                let first = Probe(), second = Probe(), job = Probe()
                link(job, to: first)
                link(job, to: second)
                add(job, to: queue)
                return (first, second, job)
            },
            { round in round.job.removeDependency(round.first) },
            { round in round.job.removeDependency(round.second) },
            check: { _, round in
                round.job.waitUntilFinished()
                XCTAssertEqual(round.job.runs.total, 1)
            })
        assertDrained(queue)
    }

    func testD4_WhileTheDependencyRunsTheDependentStarts() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2)
        let dependency = HeldJob(), job = Probe()
        try job.addDependency(dependency)
        try queue.addJobs([job, dependency])
        dependency.begun.wait()
        job.removeDependency(dependency)
        waitForEnd(of: job)
        XCTAssertEqual(dependency.phase, .executing)
        XCTAssertEqual(job.runs.total, 1)
        dependency.finish()
        assertDrained(queue)
    }

    func testD4_InNoQueueAndOnASuspendedOne() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let never = Probe(), early = Probe(), late = Probe()
        try early.addDependency(never)
        try late.addDependency(never)
        XCTAssertFalse(early.isReady)
        early.removeDependency(never)
        XCTAssertTrue(early.isReady)
        try queue.addJobs([early, late])
        late.removeDependency(never)
        eventually("ready") { late.phase == .ready }
        XCTAssertEqual([early, late].map(\.runs.total), [0, 0])
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual([early, late].map(\.runs.total), [1, 1])
    }

    func testD4_ARemovedEdgeOfTheSucceededKindIsForgotten() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let dependency = Probe { $0.fail(with: Trouble()) }, other = HeldJob(), job = Probe()
        try job.addDependency(dependency, requiring: .succeeded)
        try job.addDependency(other)
        try queue.addJob(job)
        job.removeDependency(dependency)
        try queue.addJob(dependency)
        waitForEnd(of: dependency)
        XCTAssertFalse(job.isCancelled)
        try queue.addJob(other)
        other.begun.wait()
        other.finish()
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
        XCTAssertTrue(hasSucceeded(job.outcome))
    }

    func testD4_ARemovedEdgeMayBeAddedAgain() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let dependency = Probe(), job = Probe { _ in XCTAssertTrue(dependency.isFinished) }, other = Probe()
        try job.addDependency(dependency)
        try job.addDependency(other)
        try queue.addJob(job)
        job.removeDependency(dependency)
        try job.addDependency(dependency)
        job.removeDependency(other)
        waitForEnd(of: queue.addJob {})
        XCTAssertEqual(job.phase, .waiting)
        try queue.addJob(dependency)
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testD4_ARemovalOfWhatIsNoEdgeChangesNothing() throws {
        let misuse = MisuseLog()
        defer { misuse.restore() }
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let dependency = HeldJob(), job = Probe(), stranger = Probe()
        try job.addDependency(dependency)
        job.removeDependency(stranger)
        job.removeDependency(job)
        dependency.removeDependency(job)
        XCTAssertEqual(job.dependencies, [dependency])
        try queue.addJobs([job, dependency])
        dependency.begun.wait()
        dependency.removeDependency(job)
        XCTAssertEqual(job.phase, .waiting)
        dependency.finish()
        assertDrained(queue)
        job.removeDependency(dependency)
        XCTAssertEqual(job.runs.total, 1)
        XCTAssertEqual(misuse.messages, [])
    }

    func testD4_ARemovalOfAMetEdgeLeavesTheOthersUnmet() throws {
        for addedFirst in [true, false] {
            let queue = WorkQueue(maxConcurrentJobCount: 1)
            let met = Probe(), unmet = Probe(), job = Probe()
            try job.addDependency(met)
            try job.addDependency(unmet)
            if addedFirst { try queue.addJob(job) }
            try queue.addJob(met)
            waitForEnd(of: met)
            XCTAssertEqual(job.dependencies, [met, unmet])
            job.removeDependency(met)
            XCTAssertEqual(job.dependencies, [unmet])
            if !addedFirst { try queue.addJob(job) }
            XCTAssertEqual(job.phase, .waiting)
            try queue.addJob(unmet)
            assertDrained(queue)
            XCTAssertEqual(job.runs.total, 1)
        }
    }

    func testD4_ARemovalOfTheOnlyEdgeOnceItIsMetChangesNothing() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let met = Probe(), job = Probe()
        try job.addDependency(met)
        try queue.addJob(met)
        waitForEnd(of: met)
        job.removeDependency(met)
        XCTAssertEqual(job.dependencies, [])
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
    }

    func testD4_ARemovalHoldsNoLongerWhatWasRemoved() throws {
        let job = Probe()
        let isFreed = try removed(from: job)
        eventually("freed") { isFreed() }
        XCTAssertEqual(job.dependencies, [])
    }

    private func removed(from job: Job) throws -> () -> Bool {
        let dependency = Probe()
        try job.addDependency(dependency)
        job.removeDependency(dependency)
        return { [weak dependency] in dependency == nil }
    }
}
