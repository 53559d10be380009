// Every job that can run does run, whoever races whom (S1, S4, S5, S12, S22).
import WorkQueues
import XCTest

final class NothingForgottenTests: XCTestCase {
    func testS1_ADependencyAndItsDependentAddedAtTheSameMoment() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
        let bodies = Meter()
        let rounds = Rounds.scaled(100_000)
        race(
            rounds: rounds, "two adds",
            prepare: { _ -> (dependency: BlockJob, job: BlockJob) in
                let dependency = BlockJob {}
                let job = BlockJob { [weak dependency] in
                    XCTAssertNotEqual(dependency?.isFinished, false)
                    bodies.enter()
                }
                link(job, to: dependency)
                return (dependency, job)
            },
            { add($0.dependency, to: queue) },
            { add($0.job, to: queue) })
        assertDrained(queue)
        XCTAssertEqual(bodies.total, rounds)
    }

    func testS4_TheDependentAddedFirst() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let log = Log<String>()
        let first = Probe { _ in log.append("a") }, second = Probe { _ in log.append("b") }
        try second.addDependency(first)
        try queue.addJob(second)
        XCTAssertEqual(second.phase, .waiting)
        // The only slot is free: another job gets through while `second` waits.
        let between = queue.addJob { log.append("between") }
        waitForEnd(of: between)
        XCTAssertEqual(second.phase, .waiting)
        try queue.addJob(first)
        assertDrained(queue)
        XCTAssertEqual(log.values, ["between", "a", "b"])
    }

    func testS5_RandomGraphsAddedBackwards() throws {
        for seed in 0..<Rounds.scaled(1_000) {
            try runGraph(seed: UInt64(seed), width: [1, 2, 8][seed % 3])
        }
    }

    func testS12_ManyDependentsOfOneRoot() throws {
        assertScales("dependents of one root", from: Rounds.scaled(10_000)) { count in
            let queue = WorkQueue(maxConcurrentJobCount: 4)
            let root = HeldJob()
            let bodies = Meter()
            return ContinuousClock().measure {
                add(root, to: queue)
                for _ in 0..<count {
                    queue.addJob(dependencies: [root]) { bodies.enter() }
                }
                root.begun.wait()
                XCTAssertEqual(bodies.total, 0)
                XCTAssertEqual(queue.jobCount, count + 1)
                root.finish()
                assertDrained(queue)
                XCTAssertEqual(bodies.total, count)
            }
        }
    }

    func testS22_TheWaitEndsWhenTheQueueIsTrulyEmpty() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        for _ in 0..<Rounds.scaled(2_000) {
            let bodies = Meter()
            queue.addJob {
                bodies.enter()
                queue.addJob {
                    bodies.enter()
                    queue.addJob { bodies.enter() }
                }
            }
            assertDrained(queue)
            XCTAssertEqual(bodies.total, 3)
        }
    }

    func testS22_AJobAddedByACompletionIsWaitedForToo() throws {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        for _ in 0..<Rounds.scaled(2_000) {
            let job = Probe(), next = Probe()
            job.addCompletion { _ in add(next, to: queue) }
            try queue.addJob(job)
            assertDrained(queue)
            XCTAssertEqual(next.runs.total, 1)
        }
    }

    func testS22_AWaitDoesNotSpin() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let job = HeldJob()
        try queue.addJob(job)
        job.begun.wait()
        let used = processorTime {
            within {
                XCTAssertFalse(queue.waitUntilAllJobsAreFinished(timeout: .milliseconds(200)))
                XCTAssertFalse(job.waitUntilFinished(timeout: .milliseconds(200)))
            }
        }
        // One spinning thread alone would have used 0.4 s.
        XCTAssertLessThan(used, 0.2)
        job.finish()
        assertDrained(queue)
    }

    func testS22_AnEmptyQueueIsNotWaitedFor() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let suspended = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        within(10) {
            queue.waitUntilAllJobsAreFinished()
            suspended.waitUntilAllJobsAreFinished()
            XCTAssertTrue(queue.waitUntilAllJobsAreFinished(timeout: .zero))
        }
    }

    func testS22_AnEmptyQueueIsNotAwaited() async {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let suspended = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        await queue.waitUntilAllJobsAreFinished()
        await suspended.waitUntilAllJobsAreFinished()
        let isEmpty = await queue.waitUntilAllJobsAreFinished(timeout: .zero)
        XCTAssertTrue(isEmpty)
    }

    private func runGraph(seed: UInt64, width: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let priorities: [Job.QueuePriority] = [.veryLow, .low, .normal, .high, .veryHigh]
        let queue = WorkQueue(maxConcurrentJobCount: width)
        let late = Meter()
        let jobs = (0..<200).map { _ in
            Probe { job in
                if !job.dependencies.allSatisfy(\.isFinished) { late.enter() }
            }
        }
        for (number, job) in jobs.enumerated() {
            job.queuePriority = priorities.randomElement(using: &generator) ?? .normal
            guard number > 0 else { continue }
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                try job.addDependency(jobs[Int.random(in: 0..<number, using: &generator)])
            }
        }
        for job in jobs.reversed() { try queue.addJob(job) }
        assertDrained(queue)
        XCTAssertTrue(jobs.allSatisfy { $0.runs.total == 1 }, "each once, seed \(seed), width \(width)")
        XCTAssertEqual(late.total, 0, "every edge respected, seed \(seed), width \(width)")
    }
}
