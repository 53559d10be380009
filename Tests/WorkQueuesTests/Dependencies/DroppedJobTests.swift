// A job that is dropped without ever having been added is freed, whatever its dependencies do (S48).
import WorkQueues
import XCTest

final class DroppedJobTests: XCTestCase {
    func testS48_TheDependencyRunsAfterItsDependentWasDropped() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let counters = Link.Counters()
        let job = Probe()
        try drop(counters, dependingOn: job)
        eventually("freed before the dependency has run") { counters.lives.current == 0 }
        try queue.addJob(job)
        assertDrained(queue)
        XCTAssertEqual(job.runs.total, 1)
        XCTAssertEqual(counters.lives.total, 1)
        XCTAssertEqual(counters.runs.total, 0)
    }

    func testS48_TheDependentIsDroppedWhileItsDependencyEnds() {
        for requirement in [Job.DependencyRequirement.finished, .succeeded] {
            for fails in [false, true] {
                let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2))
                let counters = Link.Counters()
                let isDone = race(
                    rounds: Rounds.scaled(10_000), "a drop against an end",
                    prepare: { _ -> (job: Probe, held: Guarded<Link?>) in
                        let job = Probe { if fails { $0.fail(with: Trouble()) } }
                        let dependent = Link(counters)
                        link(dependent, to: job, requiring: requirement)
                        return (job, Guarded(dependent))
                    },
                    { round in add(round.job, to: queue) },
                    { round in round.held.set(nil) },
                    check: { _, round in round.job.waitUntilFinished() })
                guard isDone else { return }
                assertDrained(queue)
                eventually("all dependents are freed") { counters.lives.current == 0 }
                XCTAssertEqual(counters.lives.total, Rounds.scaled(10_000))
                XCTAssertEqual(counters.runs.total, 0)
            }
        }
    }

    /// A search for rings through a barrier comes past the dropped job. One drop falls before the search, another after it: on whichever
    /// side the last reference goes, it must not go under a lock that its end needs.
    func testS48_TheDependentIsDroppedWhileASearchPassesIt() {
        let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(1))
        queue.isSuspended = true
        let barrier = queue.addBarrierBlock {}
        let counters = Link.Counters()
        let isDone = race(
            rounds: Rounds.scaled(10_000), "a drop against a search",
            prepare: { _ -> (job: Probe, dependency: Probe, held: Guarded<Link?>) in
                let job = Probe()
                let dependent = Link(counters)
                link(dependent, to: job)
                return (job, Probe(), Guarded(dependent))
            },
            { round in link(round.job, to: round.dependency) },
            { round in round.held.set(nil) })
        guard isDone else { return }
        eventually("all dependents are freed") { counters.lives.current == 0 }
        XCTAssertEqual(counters.lives.total, Rounds.scaled(10_000))
        XCTAssertFalse(barrier.isFinished)
        queue.isSuspended = false
        assertDrained(queue)
    }

    func testS48_ADroppedDependentOfARunningJob() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let counters = Link.Counters()
        let job = HeldJob()
        try queue.addJob(job)
        job.begun.wait()
        try drop(counters, dependingOn: job)
        eventually("freed while the dependency runs") { counters.lives.current == 0 }
        XCTAssertEqual(job.phase, .executing)
        job.finish()
        assertDrained(queue)
    }

    func testS48_TheDependencyLivesAsLongAsItsDependent() throws {
        let counters = Link.Counters()
        let dependent = Probe()
        try dependent.addDependency(Link(counters))
        XCTAssertEqual(counters.lives.current, 1)
        XCTAssertEqual(dependent.dependencies.count, 1)
        dependent.dependencies.forEach(dependent.removeDependency)
        eventually("freed") { counters.lives.current == 0 }
    }

    private func drop(_ counters: Link.Counters, dependingOn job: Job) throws {
        try Link(counters).addDependency(job)
    }
}
