// The stream of a queue's events: complete, in order, and not what keeps the queue alive.
import Foundation
import WorkQueues
import XCTest

final class EventStreamTests: XCTestCase {
    func testEvents_EveryEventSinceTheCallInTheOrderOfOneJob() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), events = queue.events()
        let jobs = (0..<50).map { _ in queue.addJob {} }
        assertDrained(queue)
        inTime {
            var seen: [Job.ID: [EventLog.Name]] = [:]
            var ended = 0
            for await event in events {
                guard let id = event.jobID else { continue }
                seen[id, default: []].append(EventLog.name(of: event))
                if EventLog.name(of: event) == .finished { ended += 1 }
                if ended == 50 { break }
            }
            for job in jobs { XCTAssertEqual(seen[job.id], [.added, .ready, .started, .finished]) }
        }
    }

    func testEvents_TheStreamEndsWithTheQueue() {
        inTime(30) {
            let stream: any AsyncSequence<JobEvent, Never> & Sendable
            do {
                let queue = WorkQueue(maxConcurrentJobCount: 1)
                stream = queue.events()
                queue.addJob {}
            }
            let names = await collect(stream)
            XCTAssertEqual(names, [.added, .ready, .started, .finished, .idle])
        }
    }

    func testEvents_TheStreamDoesNotKeepTheQueueAlive() {
        weak var queue: WorkQueue?
        let streams = Guarded<[any Sendable]>([])
        do {
            let strong = WorkQueue(isSuspended: true)
            queue = strong
            let events = strong.events(), idle = strong.events()
            streams.with { $0.append(idle) }
            Task.detached { for await _ in events {} }
            strong.addJob {}
        }
        eventually("freed, though one task iterates and another stream is held") { queue == nil }
    }

    func testEvents_ATaskThatIteratesEndsWhenTheQueueDoes() {
        let ended = Gate(), started = Gate()
        do {
            let queue = WorkQueue(isSuspended: true), events = queue.events()
            let job = queue.addJob {}
            Task.detached {
                var outcomes: [Job.CancellationReason] = []
                for await event in events {
                    started.open()
                    if case .finished(let outcome) = event.kind, let reason = cancellation(outcome) { outcomes.append(reason) }
                }
                XCTAssertEqual(outcomes, [.queueReleased])
                ended.open()
            }
            within { started.wait() }
            assertHeld(job)
        }
        within(30) { ended.wait() }
    }

    func testEvents_BufferingTheNewest() {
        inTime(30) {
            let stream: any AsyncSequence<JobEvent, Never> & Sendable
            do {
                let queue = WorkQueue(maxConcurrentJobCount: 1)
                stream = queue.events(bufferingPolicy: .bufferingNewest(2))
                queue.addJob {}
                await queue.waitUntilAllJobsAreFinished()
            }
            let names = await collect(stream)
            XCTAssertEqual(names, [.finished, .idle])
        }
    }

    func testEvents_BufferingTheOldest() {
        inTime(30) {
            let stream: any AsyncSequence<JobEvent, Never> & Sendable
            do {
                let queue = WorkQueue(maxConcurrentJobCount: 1)
                stream = queue.events(bufferingPolicy: .bufferingOldest(2))
                queue.addJob {}
                await queue.waitUntilAllJobsAreFinished()
            }
            let names = await collect(stream)
            XCTAssertEqual(names, [.added, .ready])
        }
    }

    func testEvents_StreamsAreIndependent() {
        inTime(30) {
            let first: any AsyncSequence<JobEvent, Never> & Sendable, second: any AsyncSequence<JobEvent, Never> & Sendable
            do {
                let queue = WorkQueue(maxConcurrentJobCount: 1)
                first = queue.events()
                queue.addJob {}
                await queue.waitUntilAllJobsAreFinished()
                second = queue.events()
                queue.addJob {}
                await queue.waitUntilAllJobsAreFinished()
            }
            let names = (await collect(first), await collect(second))
            XCTAssertEqual(names.0.count, 10)
            XCTAssertEqual(names.1, [.added, .ready, .started, .finished, .idle])
        }
    }

    func testEvents_ACancelledTaskLeavesItsStream() {
        let queue = WorkQueue(), events = queue.events(), asleep = Gate()
        let task = Task.detached {
            asleep.open()
            for await _ in events {}
        }
        within { asleep.wait() }
        task.cancel()
        inTime(30) { await task.value }
        queue.addJob {}
        assertDrained(queue)
    }

    func testEvents_AStreamThatIsLeftCostsTheQueueNothing() {
        let lives = Lives(), queue = WorkQueue(maxConcurrentJobCount: 1)
        inTime(30) {
            for _ in 0..<100 {
                let events = queue.events()
                queue.addJob {}
                for await _ in events { break }
            }
        }
        queue.addJob { throw Heavy(token: lives.token()) }
        assertDrained(queue)
        XCTAssertEqual(lives.total, 1)
        eventually("no left stream holds what its events carried") { lives.alive == 0 }
    }
}

private struct Heavy: Error {
    let token: Lives.Token
}

private func collect(_ stream: any AsyncSequence<JobEvent, Never> & Sendable) async -> [EventLog.Name] {
    await names(in: stream)
}

private func names(in stream: some AsyncSequence<JobEvent, Never> & Sendable) async -> [EventLog.Name] {
    var names: [EventLog.Name] = []
    for await event in stream { names.append(EventLog.name(of: event)) }
    return names
}
