// A job or a post that comes at the moment at which nobody is going to look any more: the windows that a second look closes (S1, L2).
import Synchronization
import WorkQueues
import XCTest

final class LastLookRaceTests: XCTestCase {
    /// Tells one thread how far another one is.
    private final class Mark: Sendable {
        private let value = Atomic<Int>(-1)

        func set(_ round: Int) { value.store(round, ordering: .releasing) }

        /// Spins until the mark is there, and a little longer from round to round.
        func follow(_ round: Int) {
            while value.load(ordering: .acquiring) != round {}
            for _ in 0..<(round % 64) { _ = value.load(ordering: .acquiring) }
        }
    }

    /// The worker finds nothing and goes home; the producer, which saw that a worker was there, calls nobody. Nothing else may be asked of
    /// the queue meanwhile, for every question looks into its intake.
    func testS1_RaceOfAPushAndAWorkerThatGoesHome() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let ending = Mark()
        within(4 * patience, "the rounds") {
            for round in 0..<Rounds.scaled(50_000) {
                let first = queue.addJob { ending.set(round) }
                ending.follow(round)
                let second = queue.addJob {}
                guard second.waitUntilFinished(timeout: .seconds(patience)) else { return XCTFail("forgotten in round \(round)") }
                first.waitUntilFinished()
            }
        }
        assertDrained(queue)
    }

    private final class Doubtful: Job, @unchecked Sendable {
        // Unchecked, as the superclass: all stored properties are constants.
        private let mayRun = Atomic(false)
        private let asked: Mark
        private let round: Int

        init(_ asked: Mark, _ round: Int) {
            self.asked = asked
            self.round = round
            super.init()
        }

        override var isReady: Bool {
            guard super.isReady else { return false }
            defer { asked.set(round) }
            return mayRun.load(ordering: .acquiring)
        }

        func allow() {
            mayRun.store(true, ordering: .releasing)
            didChangeValue(forKey: "isReady")
        }
    }

    /// The answer was no, and the worker is about to put the job aside; the post finds it still being asked.
    func testL2_RaceOfAPostAndTheBookingOfAnAnswer() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        let asked = Mark()
        within(4 * patience, "the rounds") {
            for round in 0..<Rounds.scaled(50_000) {
                let job = Doubtful(asked, round)
                try queue.addJob(job)
                asked.follow(round)
                job.allow()
                guard job.waitUntilFinished(timeout: .seconds(patience)) else { return XCTFail("forgotten in round \(round)") }
            }
        }
        assertDrained(queue)
    }
}
