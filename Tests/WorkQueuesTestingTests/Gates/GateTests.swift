// A gate in synchronous and asynchronous bodies, seen from the job and from the test.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class GateTests: XCTestCase {
    func testAGateHoldsASynchronousBody() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), recorder = JobRecorder(observing: queue), gate = Gate.forTest()
        let job = queue.addJob(name: "held") {
            try gate.wait()
            return 42
        }
        queue.addJob(name: "next") {}
        try gate.waitForArrival()
        XCTAssertEqual(job.phase, .executing)
        XCTAssertEqual(recorder.names(of: .finished), [])
        XCTAssertFalse(gate.isOpen)
        gate.open()
        XCTAssertTrue(gate.isOpen)
        XCTAssertEqual(try job.waitForValue(), 42)
        assertEmptied(queue)
        try recorder.expectOrder("held", "next")
    }

    func testAGateHoldsAnAsynchronousBodyAndItsSlot() async throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1), recorder = JobRecorder(observing: queue), gate = Gate.forTest()
        let job = queue.addJob(name: "held") { () async throws -> Int in
            try await gate.wait()
            return 42
        }
        queue.addJob(name: "next") {}
        try await gate.waitForArrival()
        XCTAssertEqual(job.phase, .executing)
        XCTAssertEqual(recorder.names(of: .started), ["held"])
        gate.open()
        let value = try await job.value
        XCTAssertEqual(value, 42)
        await queue.waitUntilAllJobsAreFinished()
        try recorder.expectOrder("held", "next")
    }

    func testAnOpenGateHoldsNobody() async throws {
        let queue = WorkQueue(), gate = Gate.forTest()
        gate.open()
        gate.open()
        let blocking = queue.addJob { try gate.wait() }, suspending = queue.addJob { () async throws in try await gate.wait() }
        try await blocking.value
        try await suspending.value
        XCTAssertEqual(gate.arrivals, 2)
        try await gate.waitForArrival(count: 2)
    }

    func testATestWaitsForSeveralArrivals() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 5), gate = Gate.forTest()
        for number in 0..<5 {
            if number % 2 == 0 { queue.addJob { try gate.wait() } } else { queue.addJob { () async throws in try await gate.wait() } }
        }
        try gate.waitForArrival(count: 5)
        XCTAssertEqual(gate.arrivals, 5)
        XCTAssertEqual(queue.jobCount, 5)
        gate.open()
        assertEmptied(queue)
        try gate.waitForArrival()
    }

    func testCancellingAJobDoesNotOpenTheGateBeforeIt() async throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), gate = Gate.forTest()
        let blocking = queue.addJob { () throws -> Bool in
            try gate.wait()
            try Job.checkCancellation()
            return true
        }
        let suspending = queue.addJob { () async throws -> Bool in
            try await gate.wait()
            try Job.checkCancellation()
            return true
        }
        try await gate.waitForArrival(count: 2)
        queue.cancelAllJobs()
        XCTAssertEqual([blocking.phase, suspending.phase], [.executing, .executing])
        gate.open()
        await queue.waitUntilAllJobsAreFinished()
        for job in [blocking, suspending] {
            guard case .cancelled? = job.outcome else {
                XCTFail("\(job)")
                continue
            }
        }
    }

    func testAJobAtAGateThatStaysShutFails() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), recorder = JobRecorder(observing: queue)
        let gate = Gate("half way", patience: .milliseconds(20))
        let blocking = queue.addJob(name: "blocking") { try gate.wait() }
        let suspending = queue.addJob(name: "suspending") { () async throws in try await gate.wait() }
        assertEmptied(queue)
        for job in [blocking, suspending] {
            guard case .failed(let error)? = job.outcome else { return XCTFail("\(job)") }
            XCTAssertEqual(
                "\(error)", "The gate \"half way\" (closed, arrivals: 2) was to be opened, but stayed shut for 0.02 seconds.")
        }
        try recorder.expect("blocking =!\nsuspending =!")
        gate.open()
    }

    func testATestThatWaitsForNobodyFails() throws {
        let gate = Gate(patience: .milliseconds(20)), queue = WorkQueue(maxConcurrentJobCount: 2)
        let blocking = queue.addJob { thrown { try gate.waitForArrival() } }
        let suspending = queue.addJob { () async -> String? in
            do { try await gate.waitForArrival(count: 3) } catch { return "\(error)" }
            return nil
        }
        assertEmptied(queue)
        XCTAssertEqual(
            try blocking.result?.get(), "At the gate (closed, arrivals: 0) a job was to arrive, but not within 0.02 seconds.")
        XCTAssertEqual(
            try suspending.result?.get(), "At the gate (closed, arrivals: 0) 3 jobs were to arrive, but not within 0.02 seconds.")
    }

    func testAWaitThatGaveUpIsForgotten() throws {
        let gate = Gate(patience: .milliseconds(1)), queue = WorkQueue()
        let waits = queue.addJob {
            [
                thrown { try gate.waitForArrival() }, thrown { try gate.wait() }, thrown { try gate.waitForArrival() },
                thrown {
                    gate.open()
                    try gate.wait()
                },
            ].map { $0 != nil }
        }
        assertEmptied(queue)
        XCTAssertEqual(try waits.result?.get(), [true, true, false, false])
        XCTAssertEqual(gate.arrivals, 2)
    }

    func testADroppedGateIsFreedOnceNobodyWaitsAtIt() {
        let queue = WorkQueue(maxConcurrentJobCount: 1)
        weak var dropped: Gate?
        do {
            let gate = Gate(patience: .milliseconds(20))
            dropped = gate
            queue.addJob { try gate.wait() }
        }
        assertEmptied(queue)
        assertSoon("the gate is freed") { dropped == nil }
    }

    func testACompletionHeldAtAGateKeepsTheSlotAndNothingElse() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 2), recorder = JobRecorder(observing: queue), gate = Gate.forTest()
        let job = BlockJob {}
        job.name = "held"
        job.addCompletion { _ in XCTAssertNil(thrown { try gate.wait() }) }
        try queue.addJob(job)
        try gate.waitForArrival()
        let other = queue.addJob(name: "other") {}
        XCTAssertTrue(other.waitUntilFinished(timeout: handToolPatience))
        XCTAssertEqual(queue.jobCount, 1)
        gate.open()
        assertEmptied(queue)
        try recorder.expectOrder("held", "other")
    }
}
