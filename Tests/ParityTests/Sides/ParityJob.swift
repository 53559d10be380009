// What a parity scenario may ask of a job, as Foundation's Operation and our Job answer it.
import Foundation
import WorkQueues
import XCTest

protocol ParityJob: AnyObject, Sendable {
    var name: String? { get set }
    var isReady: Bool { get }
    var isExecuting: Bool { get }
    var isFinished: Bool { get }
    var isCancelled: Bool { get }
    var completionBlock: (@Sendable () -> Void)? { get set }
    func start()
    func cancel()

    var rank: Rank { get set }
    var dependencyCount: Int { get }
    func depend(on other: any ParityJob)
    func stopDepending(on other: any ParityJob)
    func waitForEnd()
}

/// The five priorities, lowest first.
enum Rank: Int, CaseIterable, Sendable {
    case veryLow
    case low
    case normal
    case high
    case veryHigh
}

extension Operation: ParityJob {
    private static let priorities: [Operation.QueuePriority] = [.veryLow, .low, .normal, .high, .veryHigh]

    var rank: Rank {
        get { Self.priorities.firstIndex(of: queuePriority).flatMap(Rank.init) ?? .normal }
        set { queuePriority = Self.priorities[newValue.rawValue] }
    }

    var dependencyCount: Int { dependencies.count }

    func depend(on other: any ParityJob) {
        guard let operation = other as? Operation else { return XCTFail("an operation cannot depend on \(other)") }
        addDependency(operation)
    }

    func stopDepending(on other: any ParityJob) {
        guard let operation = other as? Operation else { return XCTFail("an operation cannot depend on \(other)") }
        removeDependency(operation)
    }

    func waitForEnd() { waitUntilFinished() }
}

extension Job: ParityJob {
    private static let priorities: [Job.QueuePriority] = [.veryLow, .low, .normal, .high, .veryHigh]

    var rank: Rank {
        get { Self.priorities.firstIndex(of: queuePriority).flatMap(Rank.init) ?? .normal }
        set { queuePriority = Self.priorities[newValue.rawValue] }
    }

    var dependencyCount: Int { dependencies.count }

    func depend(on other: any ParityJob) {
        guard let job = other as? Job else { return XCTFail("a job cannot depend on \(other)") }
        XCTAssertNoThrow(try addDependency(job))
    }

    func stopDepending(on other: any ParityJob) {
        guard let job = other as? Job else { return XCTFail("a job cannot depend on \(other)") }
        removeDependency(job)
    }

    func waitForEnd() { waitUntilFinished() }
}
