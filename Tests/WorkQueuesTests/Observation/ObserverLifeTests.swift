// V1: observers are held until they are removed and no longer, also while threads deliver to them.
import Synchronization
import WorkQueues
import XCTest

final class ObserverLifeTests: XCTestCase {
    func testV1_ARemovedObserverIsReleasedAtOnce() {
        let queue = WorkQueue(isSuspended: true), lives = Lives(), remaining = EventLog()
        queue.addObserver(remaining)
        do {
            let observer = Living(lives)
            queue.addObserver(observer)
            queue.isSuspended = false
            queue.removeObserver(observer)
        }
        XCTAssertEqual(lives.alive, 0)
        do { queue.addObserver(Living(lives)) }
        XCTAssertEqual(lives.alive, 1)
        queue.isSuspended = true
        XCTAssertEqual(remaining.count(.suspended), 1)
    }

    func testV1_AnObserverThatRemovesItselfIsReleasedAfterItsCall() {
        let queue = WorkQueue(isSuspended: true), lives = Lives()
        do {
            let observer = Living(lives) { observer in
                queue.removeObserver(observer)
                XCTAssertEqual(lives.alive, 1)
            }
            queue.addObserver(observer)
        }
        XCTAssertEqual(lives.alive, 1)
        queue.isSuspended = false
        XCTAssertEqual(lives.alive, 0)
    }

    func testV1_ObserversThatComeAndGoDuringDeliveriesAreReleasedInTheEnd() {
        let lives = Lives()
        race(
            rounds: Rounds.scaled(3_000), "observers that come and go against deliveries",
            prepare: { _ in WorkQueue(isSuspended: true) },
            { queue in for _ in 0..<8 { queue.isSuspended = true } },
            { queue in
                for _ in 0..<4 {
                    let observer = Living(lives)
                    queue.addObserver(observer)
                    queue.removeObserver(observer)
                }
            },
            { queue in
                for _ in 0..<4 {
                    let token = lives.token()
                    queue.observe { _ in withExtendedLifetime(token) {} }.invalidate()
                    queue.isSuspended = true
                }
            },
            check: { round, _ in XCTAssertEqual(lives.alive, 0, "after round \(round)") })
    }

    func testV1_TheQueueReleasesItsObserversWhenItEnds() {
        let lives = Lives()
        do {
            let queue = WorkQueue(isSuspended: true)
            queue.addObserver(Living(lives))
            queue.isSuspended = false
            XCTAssertEqual(lives.alive, 1)
        }
        eventually("the queue is gone") { lives.alive == 0 }
    }
}

/// An observer whose life is counted.
private final class Living: JobObserver {
    private let token: Lives.Token
    private let action: @Sendable (Living) -> Void

    init(_ lives: Lives, _ action: @escaping @Sendable (Living) -> Void = { _ in }) {
        token = lives.token()
        self.action = action
    }

    func record(_ event: JobEvent) { action(self) }
}
