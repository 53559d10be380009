// What a parity scenario may ask of a queue, as Foundation's OperationQueue and our WorkQueue answer it.
import Foundation
import WorkQueues
import XCTest

protocol ParityQueue: AnyObject, Sendable {
    var isSuspended: Bool { get set }
    var width: Int { get set }
    var count: Int { get }
    func add(_ job: any ParityJob)
    func add(_ jobs: [any ParityJob], waiting: Bool)
    func add(_ body: @escaping @Sendable () -> Void)
    func addBarrier(_ body: @escaping @Sendable () -> Void)
    func cancelAll()
    func waitForAll()
}

extension OperationQueue: ParityQueue {
    var width: Int {
        get { maxConcurrentOperationCount }
        set { maxConcurrentOperationCount = newValue }
    }

    var count: Int { operationCount }

    func add(_ job: any ParityJob) {
        guard let operation = job as? Operation else { return XCTFail("not an operation: \(job)") }
        addOperation(operation)
    }

    func add(_ jobs: [any ParityJob], waiting: Bool) {
        addOperations(jobs.compactMap { $0 as? Operation }, waitUntilFinished: waiting)
    }

    func add(_ body: @escaping @Sendable () -> Void) { addOperation(body) }
    func addBarrier(_ body: @escaping @Sendable () -> Void) { addBarrierBlock(body) }
    func cancelAll() { cancelAllOperations() }
    func waitForAll() { waitUntilAllOperationsAreFinished() }
}

extension WorkQueue: ParityQueue {
    var width: Int {
        get { maxConcurrentJobCount }
        set { maxConcurrentJobCount = newValue }
    }

    var count: Int { jobCount }

    func add(_ job: any ParityJob) {
        guard let job = job as? Job else { return XCTFail("not a job: \(job)") }
        XCTAssertNoThrow(try addJob(job))
    }

    func add(_ jobs: [any ParityJob], waiting: Bool) {
        XCTAssertNoThrow(try addJobs(jobs.compactMap { $0 as? Job }, waitUntilFinished: waiting))
    }

    func add(_ body: @escaping @Sendable () -> Void) { addJob(body) }
    func addBarrier(_ body: @escaping @Sendable () -> Void) { addBarrierBlock(body) }
    func cancelAll() { cancelAllJobs() }
    func waitForAll() { waitUntilAllJobsAreFinished() }
}
