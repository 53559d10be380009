// V1: what two threads have to tell of one job at the same moment is told one after the other, in the order of its numbers.
import WorkQueues
import XCTest

final class NewsRaceTests: XCTestCase {
    func testV1_ACancelAgainstTheStart() {
        assertTold(in: "a cancel against the start") { queue, job in
            add(job, to: queue)
        } _: { _, job in
            job.cancel()
        }
    }

    func testV1_ACancelAgainstAddingInABatch() {
        assertTold(in: "a cancel against adding in a batch") { queue, job in
            try? queue.addJobs([job])
        } _: { _, job in
            job.cancel()
        }
    }

    func testV1_AnEdgeAgainstTheStart() {
        assertTold(in: "an edge against the start") { queue, job in
            add(job, to: queue)
        } _: { _, job in
            let other = Job()
            try? job.addDependency(other)
            job.removeDependency(other)
        }
    }

    func testV1_AnObserverOfTheJobAgainstItsEnd() {
        assertTold(in: "an observer of the job against its end") { queue, job in
            add(job, to: queue)
        } _: { _, job in
            let seen = Meter()
            let observation = job.observe(\.isFinished, options: [.initial, .new]) { _, change in
                if change.newValue == true { seen.enter() }
            }
            job.waitUntilFinished()
            eventually("the end is seen") { seen.total == 1 }
            observation.invalidate()
        }
    }

    private func assertTold(
        in what: String, line: UInt = #line, _ adding: @escaping @Sendable (WorkQueue, Job) -> Void,
        _ other: @escaping @Sendable (WorkQueue, Job) -> Void
    ) {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        race(
            rounds: Rounds.scaled(10_000), what, line: line,
            prepare: { _ in
                let log = EventLog()
                queue.addObserver(log)
                return (log: log, job: BlockJob {} as Job)
            },
            { round in adding(queue, round.job) },
            { round in other(queue, round.job) },
            check: { number, round in
                round.job.waitUntilFinished()
                queue.removeObserver(round.log)
                let events = round.log.events(of: round.job.id), names = events.map(EventLog.name(of:))
                let numbers = events.map(\.sequence)
                XCTAssertEqual(numbers, numbers.sorted(), "\(number): \(names)", line: line)
                XCTAssertEqual(names.first, .added, "\(number): \(names)", line: line)
                XCTAssertEqual(names.last, .finished, "\(number): \(names)", line: line)
                let phases = names.filter { [.added, .started, .finished].contains($0) }
                XCTAssertEqual(phases, names.contains(.started) ? [.added, .started, .finished] : [.added, .finished], line: line)
            })
        assertDrained(queue)
    }
}
