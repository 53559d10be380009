// The fields of `JobError`: the code, what is involved, and a message for people.
import Foundation
import WorkQueues
import XCTest

final class JobErrorTests: XCTestCase {
    private static let codes: [JobError.Code] = [
        .dependencyCycle, .alreadyAdded, .alreadyStarted, .alreadyFinished, .dependencyFailed, .completionDropped, .wouldDeadlock,
    ]

    func testJobError_TheCodesDiffer() {
        for (index, code) in Self.codes.enumerated() {
            for (other, otherCode) in Self.codes.enumerated() { XCTAssertEqual(code == otherCode, index == other) }
        }
    }

    func testJobError_EachCodeHasAMessageAndOnlyACycleHasAPath() throws {
        let errors = try [cycle(), added(), started(), finished(), dependencyFailed(), dropped(), deadlock()]
        XCTAssertEqual(errors.compactMap { $0 }.count, 7)
        for (error, code) in zip(errors.compactMap { $0 }, Self.codes) {
            XCTAssertEqual(error.code, code)
            XCTAssertFalse(error.message.isEmpty)
            XCTAssertFalse(error.description.isEmpty)
            XCTAssertEqual("\(error)", error.description)
            XCTAssertEqual(error.cyclePath.isEmpty, code != .dependencyCycle)
        }
    }

    func testJobError_ACyclesPathBeginsAndEndsWithTheJobThatWasToGetTheEdge() throws {
        let first = BlockJob {}, second = BlockJob {}, third = BlockJob {}
        try first.addDependency(second)
        try second.addDependency(third)
        let error = assertRefused(.dependencyCycle) { try third.addDependency(first) }
        XCTAssertEqual(error?.cyclePath, [third, first, second, third], "each depends on the next")
        XCTAssertTrue(error?.cyclePath.first === error?.cyclePath.last)
        XCTAssertNil(error?.underlying)
    }

    func testJobError_DependencyFailedNamesTheRootAndCarriesItsError() throws {
        let error = try XCTUnwrap(dependencyFailed())
        XCTAssertEqual(error.underlying as? Trouble, Trouble(1))
        XCTAssertNotNil(error.jobID)
    }

    func testJobError_ItIsTypedSoThatCatchNeedsNoCast() {
        let job = BlockJob {}
        do { try job.addDependency(job) } catch {
            let typed: JobError = error
            XCTAssertEqual(typed.code, .dependencyCycle)
        }
        do { try WorkQueue(isSuspended: true).addJobs([job, job]) } catch {
            let typed: JobError = error
            XCTAssertEqual(typed.code, .alreadyAdded)
        }
    }

    private func cycle() -> JobError? {
        let job = BlockJob {}
        return assertRefused(.dependencyCycle) { try job.addDependency(job) }
    }

    private func added() -> JobError? {
        let queue = WorkQueue(isSuspended: true), job = queue.addJob {}
        return assertRefused(.alreadyAdded) { try queue.addJob(job) }
    }

    private func started() throws -> JobError? {
        let job = HeldJob(), queue = WorkQueue()
        try queue.addJob(job)
        within { job.begun.wait() }
        defer { job.finish() }
        return assertRefused(.alreadyStarted) { try job.addDependency(BlockJob {}) }
    }

    private func finished() -> JobError? {
        let queue = WorkQueue(), job = queue.addJob {}
        assertDrained(queue)
        return assertRefused(.alreadyFinished) { try queue.addJob(job) }
    }

    private func dependencyFailed() -> JobError? {
        let queue = WorkQueue(), root = queue.addJob { () -> Int in throw Trouble(1) }, consumer = queue.addJob(after: root) { $0 }
        assertDrained(queue)
        let error = failure(consumer.outcome) as? JobError
        XCTAssertEqual(error?.jobID, root.id)
        return error
    }

    private func dropped() -> JobError? {
        let queue = WorkQueue(), job: ResultJob<Int> = queue.addJob { (_: JobCompletion<Int>) in }
        assertDrained(queue)
        return failure(job.outcome) as? JobError
    }

    private func deadlock() -> JobError? {
        let queue = WorkQueue(),
            job = queue.addJob { () throws -> Int in
                guard let me = Job.current as? ResultJob<Int> else { return 0 }
                return try me.waitForValue()
            }
        assertDrained(queue)
        return failure(job.outcome) as? JobError
    }
}
