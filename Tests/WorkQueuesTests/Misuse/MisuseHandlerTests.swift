// "Misuse never kills the process": what cannot be refused is reported and otherwise ignored.
import Foundation
import WorkQueues
import XCTest

final class MisuseHandlerTests: XCTestCase {
    func testMisuse_AWidthBelowMinusOne() {
        MisuseLog.capturing { misuse in
            let queue = WorkQueue(maxConcurrentJobCount: 3), log = EventLog()
            queue.addObserver(log)
            for width in [-2, -100, .min] {
                queue.maxConcurrentJobCount = width
                XCTAssertEqual(queue.maxConcurrentJobCount, 3, "ignored")
            }
            XCTAssertEqual(misuse.messages.count, 3)
            queue.addJob {}
            assertDrained(queue)
            XCTAssertEqual(log.count(.widthChanged), 0)
        }
    }

    func testMisuse_AQueueMadeWithSuchAWidthIsReportedAndWorks() {
        MisuseLog.capturing { misuse in
            let queue = WorkQueue(maxConcurrentJobCount: -2)
            XCTAssertEqual(misuse.messages.count, 1)
            XCTAssertGreaterThanOrEqual(queue.maxConcurrentJobCount, -1)
            waitForEnd(of: queue.addJob {})
        }
    }

    func testMisuse_ProperWidthsAreNotReported() {
        MisuseLog.capturing { misuse in
            let queue = WorkQueue(maxConcurrentJobCount: -1)
            for width in [0, 1, 1_000_000, .max, -1] { queue.maxConcurrentJobCount = width }
            waitForEnd(of: queue.addJob {})
            XCTAssertEqual(misuse.messages, [])
        }
    }

    func testMisuse_AStateSetBackwards() throws {
        try MisuseLog.capturing { misuse in
            let queue = WorkQueue(maxConcurrentJobCount: 1), job = HeldJob()
            try queue.addJob(job)
            within { job.begun.wait() }
            job.state = .ready
            XCTAssertEqual(misuse.messages.count, 1)
            XCTAssertTrue(job.state == .executing, "ignored")
            XCTAssertEqual(job.phase, .executing)
            job.finish()
            assertDrained(queue)
            job.state = .executing
            job.state = .ready
            XCTAssertEqual(misuse.messages.count, 3)
            XCTAssertTrue(job.state == .finished)
            XCTAssertTrue(job.isFinished)
            XCTAssertEqual(job.runs.total, 1)
        }
    }

    func testMisuse_AStateSetToWhatItIsAndASecondFinishAreNot() throws {
        try MisuseLog.capturing { misuse in
            let queue = WorkQueue(maxConcurrentJobCount: 1), job = HeldJob()
            XCTAssertTrue(job.state == .ready)
            try queue.addJob(job)
            within { job.begun.wait() }
            job.state = .executing
            job.finish()
            job.finish()
            job.finish(throwing: Trouble())
            job.state = .finished
            assertDrained(queue)
            XCTAssertEqual(misuse.messages, [])
            XCTAssertTrue(hasSucceeded(job.outcome))
        }
    }

    func testMisuse_StartedTwice() {
        MisuseLog.capturing { misuse in
            let job = Probe()
            within {
                job.start()
                job.start()
                job.start()
            }
            XCTAssertEqual(misuse.messages.count, 2)
            XCTAssertEqual(job.runs.total, 1)
        }
    }

    func testMisuse_WhatIsRefusedIsNotReportedToo() {
        MisuseLog.capturing { misuse in
            let queue = WorkQueue(isSuspended: true), job = queue.addJob {}, other = queue.addJob(dependencies: [job]) {}
            assertRefused(.alreadyAdded) { try queue.addJob(job) }
            assertRefused(.alreadyAdded) { try queue.addJobs([BlockJob {}, job]) }
            assertRefused(.dependencyCycle) { try job.addDependency(other) }
            XCTAssertEqual(misuse.messages, [])
            queue.isSuspended = false
            assertDrained(queue)
        }
    }

    func testMisuse_TheHandlerMayBeReplacedAtAnyTime() {
        let previous = WorkQueue.misuseHandler, first = Log<String>(), second = Log<String>()
        defer { WorkQueue.misuseHandler = previous }
        let queue = WorkQueue()
        WorkQueue.misuseHandler = { first.append($0) }
        queue.maxConcurrentJobCount = -2
        WorkQueue.misuseHandler = { second.append($0) }
        queue.maxConcurrentJobCount = -2
        WorkQueue.misuseHandler("called by hand")
        XCTAssertEqual(first.count, 1)
        XCTAssertEqual(second.count, 2)
        XCTAssertEqual(second.values.last, "called by hand")
    }

    func testMisuse_TheHandlerMayReplaceItself() {
        let previous = WorkQueue.misuseHandler, calls = Meter()
        defer { WorkQueue.misuseHandler = previous }
        let queue = WorkQueue()
        WorkQueue.misuseHandler = { _ in
            calls.enter()
            WorkQueue.misuseHandler = { _ in }
        }
        within(20) {
            queue.maxConcurrentJobCount = -2
            queue.maxConcurrentJobCount = -2
        }
        XCTAssertEqual(calls.total, 1)
    }

    func testMisuse_FromManyThreadsAtOnce() {
        MisuseLog.capturing { misuse in
            let queue = WorkQueue(maxConcurrentJobCount: Widths.raced(2)), rounds = Rounds.scaled(2_000)
            race(
                rounds: rounds, "reports from two threads", prepare: { _ in 0 },
                [{ _ in queue.maxConcurrentJobCount = -2 }, { _ in queue.maxConcurrentJobCount = -3 }])
            XCTAssertEqual(misuse.messages.count, 2 * rounds)
        }
    }

    func testMisuse_ByDefaultItIsOneLineOnStandardError() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return XCTFail("no pipe") }
        let kept = dup(STDERR_FILENO)
        fflush(nil)
        dup2(ends[1], STDERR_FILENO)
        WorkQueue().maxConcurrentJobCount = -2
        fflush(nil)
        dup2(kept, STDERR_FILENO)
        close(kept)
        close(ends[1])
        let handle = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let text = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
        XCTAssertTrue(text.hasSuffix("\n"))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        XCTAssertEqual(lines.count, 1, text)
        XCTAssertTrue(text.contains("-2"), "says what: \(text)")
        XCTAssertGreaterThan(text.split(separator: " ").count, 10, "what, likely cause, and remedy: \(text)")
    }

    func testMisuse_FailOutsideTheWorkChangesNoEnd() {
        MisuseLog.capturing { _ in
            let queue = WorkQueue(), job = queue.addJob {}
            assertDrained(queue)
            job.fail(with: Trouble())
            XCTAssertTrue(hasSucceeded(job.outcome))
        }
    }
}
