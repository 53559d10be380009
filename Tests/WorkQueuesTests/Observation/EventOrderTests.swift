// V1: in which order events are delivered, and what their sequence numbers and instants say.
import Foundation
import WorkQueues
import XCTest

final class EventOrderTests: XCTestCase {
    func testV1_TheEventsOfOneJobAreDeliveredInPhaseOrder() {
        for width in [1, 4] {
            let queue = WorkQueue(maxConcurrentJobCount: width), log = EventLog()
            queue.addObserver(log)
            var jobs: [Job] = []
            for index in 0..<500 {
                switch index % 3 {
                case 0: jobs.append(queue.addJob {})
                case 1: jobs.append(queue.addJob { () async -> Void in await Task.yield() })
                default: jobs.append(queue.addJob(dependencies: [jobs[index - 1]]) {})
                }
            }
            assertDrained(queue)
            for job in jobs {
                let events = log.events(of: job.id), names = events.map(EventLog.name(of:))
                XCTAssertEqual(names.filter { $0 != .dependencyAdded }, [.added, .ready, .started, .finished])
                XCTAssertEqual(events.map(\.sequence), events.map(\.sequence).sorted(), "delivered in the order of their numbers")
            }
        }
    }

    func testV1_AlsoWhenTheyAreCancelledAllTheTime() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), log = EventLog(),
            order: [EventLog.Name: Int] = [
                .added: 0, .ready: 1, .started: 2, .finished: 3,
            ]
        queue.addObserver(log)
        let jobs = (0..<Rounds.scaled(5_000)).map { index in
            let job = queue.addJob { dawdle(100) }
            if index % 2 == 0 { job.cancel() }
            return job
        }
        assertDrained(queue)
        for job in jobs {
            let names = log.names(of: job.id), phases = names.compactMap { order[$0] }
            XCTAssertEqual(phases, phases.sorted(), "\(names)")
            XCTAssertEqual(names.first, .added)
            XCTAssertEqual(names.last, .finished, "the end is the last of its events")
            XCTAssertEqual(Set(names).count, names.count, "each at most once: \(names)")
        }
    }

    func testV1_OneJobsObserverDoesNotHoldUpAnotherJob() {
        let queue = WorkQueue(maxConcurrentJobCount: 2, isSuspended: true), begun = Gate(), leave = Gate()
        let first = queue.addJob {}, second = queue.addJob {}
        let observation = queue.observe { event in
            if event.jobID == first.id, EventLog.name(of: event) == .started {
                begun.open()
                leave.wait()
            }
        }
        queue.isSuspended = false
        within { begun.wait() }
        waitForEnd(of: second)
        XCTAssertFalse(first.isFinished)
        leave.open()
        assertDrained(queue)
        observation.invalidate()
    }

    func testV1_TheSequenceIsATotalOrderOfTheQueuesEvents() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), log = EventLog()
        queue.addObserver(log)
        for index in 0..<500 {
            queue.addJob {}
            if index % 50 == 0 {
                queue.maxConcurrentJobCount = 2 + index / 50
                queue.isSuspended = true
                queue.isSuspended = false
            }
        }
        assertDrained(queue)
        eventually("the queue's own events") { log.count(.resumed) == 10 && log.count(.suspended) == 10 }
        let numbers = log.events.map(\.sequence)
        XCTAssertEqual(Set(numbers).count, numbers.count, "no number twice")
        XCTAssertGreaterThanOrEqual(numbers.count, 2_000)
    }

    func testV1_TheSequenceAgreesWithHappensBefore() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), log = EventLog()
        queue.addObserver(log)
        var chain = [queue.addJob {}]
        for index in 0..<300 { chain.append(queue.addJob(dependencies: [chain[index]]) {}) }
        assertDrained(queue)
        func number(_ name: EventLog.Name, _ job: Job) -> UInt64 {
            log.events(of: job.id).first { EventLog.name(of: $0) == name }?.sequence ?? 0
        }
        for (dependency, dependent) in zip(chain, chain.dropFirst()) {
            XCTAssertLessThan(number(.finished, dependency), number(.started, dependent))
            XCTAssertLessThan(number(.added, dependency), number(.added, dependent), "added one after the other by one thread")
        }
    }

    func testV1_WhatAnEventCausesComesAfterItInTheSequence() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), log = EventLog(), pairs = Log<[UInt64]>()
        queue.addObserver(log)
        let observation = queue.observe { event in
            guard EventLog.name(of: event) == .started, event.jobName == "parent" else { return }
            let child = queue.addJob(name: "child") {}
            child.addCompletion { _ in
                if let added = log.events(of: child.id).first { pairs.append([event.sequence, added.sequence]) }
            }
        }
        for _ in 0..<200 { queue.addJob(name: "parent") {} }
        assertDrained(queue)
        XCTAssertEqual(pairs.count, 200)
        for pair in pairs.values { XCTAssertLessThan(pair[0], pair[1]) }
        observation.invalidate()
    }

    func testV1_TheInstantIsMonotonicAlongTheSequence() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), log = EventLog(), before = ContinuousClock.now
        queue.addObserver(log)
        for _ in 0..<1_000 { queue.addJob { dawdle(50) } }
        assertDrained(queue)
        let instants = log.sequenced.map(\.instant)
        for (earlier, later) in zip(instants, instants.dropFirst()) { XCTAssertLessThanOrEqual(earlier, later) }
        XCTAssertLessThanOrEqual(before, instants.first ?? before)
        XCTAssertLessThanOrEqual(instants.last ?? .now, .now)
    }

    func testV1_AddedIsDeliveredBeforeTheJobCanBeClaimed() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), bodies = Meter(), seen = Log<Bool>()
        let job = BlockJob { bodies.enter() }
        let observation = queue.observe { event in
            guard event.jobID == job.id, EventLog.name(of: event) == .added else { return }
            // Others may pass meanwhile; this one must not begin while the adding thread stands here.
            seen.append(job.waitUntilFinished(timeout: .milliseconds(50)))
            seen.append(job.phase == .executing)
            seen.append(bodies.total > 0)
        }
        within { try queue.addJob(job) }
        assertDrained(queue)
        XCTAssertEqual(seen.values, [false, false, false])
        XCTAssertEqual(bodies.total, 1)
        observation.invalidate()
    }

    func testV1_AddedIsDeliveredForEachMemberOfABatchBeforeAnyIsClaimed() {
        let queue = WorkQueue(maxConcurrentJobCount: 4), seen = Log<Bool>(), jobs = (0..<10).map { _ in BlockJob {} }
        let observation = queue.observe { event in
            if EventLog.name(of: event) == .added { seen.append(jobs.contains { $0.phase == .executing || $0.isFinished }) }
        }
        within { try queue.addJobs(jobs) }
        assertDrained(queue)
        XCTAssertEqual(seen.values, Array(repeating: false, count: 10))
        observation.invalidate()
    }

    func testV1_IdleComesAfterTheLastEndAndBeforeTheWaitersAreReleased() {
        let queue = WorkQueue(maxConcurrentJobCount: 2), log = EventLog()
        queue.addObserver(log)
        for round in 1...50 {
            let job = queue.addJob {}
            guard within(30, "in time", { queue.waitUntilAllJobsAreFinished() }) else { return }
            XCTAssertEqual(log.count(.idle), round)
            let idle = log.events(.idle).last
            XCTAssertNil(idle?.jobID)
            XCTAssertGreaterThan(idle?.sequence ?? 0, log.events(of: job.id).last?.sequence ?? .max)
        }
    }
}
