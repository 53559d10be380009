// Deliberate differences in the graph: rings, removed edges, late edges, long chains.
import Foundation
import WorkQueues
import XCTest

final class GraphDifferenceTests: XCTestCase {
    func testD2_ARingIsRefusedInsteadOfHanging() {
        assertFoundationHangs("cycle")
        within {
            let bodies = Meter()
            let a = BlockJob { bodies.enter() }
            let b = BlockJob { bodies.enter() }
            try a.addDependency(b)
            let refusal = assertRefused(.dependencyCycle) { try b.addDependency(a) }
            XCTAssertEqual(refusal?.cyclePath, [b, a, b])
            XCTAssertEqual(b.dependencies, [])
            let queue = WorkQueue()
            try queue.addJobs([a, b], waitUntilFinished: true)
            XCTAssertEqual(bodies.total, 2)
        }
    }

    func testD4_ARemovedEdgeHoldsNobody() {
        assertFoundationHangs("removed-dependency")
        within {
            let bodies = Meter()
            let queue = WorkQueue()
            let never = BlockJob {}
            let dependent = BlockJob { bodies.enter() }
            try dependent.addDependency(never)
            try queue.addJob(dependent)
            XCTAssertFalse(dependent.isReady)
            dependent.removeDependency(never)
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(bodies.total, 1)
            XCTAssertEqual(never.phase, .created)
        }
    }

    func testD4_AnEdgeRemovedBeforeAddingHoldsNobody() {
        within {
            let dependency = BlockJob {}
            let dependent = BlockJob {}
            try dependent.addDependency(dependency)
            dependent.removeDependency(dependency)
            XCTAssertTrue(dependent.isReady)
            try WorkQueue().addJobs([dependent], waitUntilFinished: true)
            XCTAssertTrue(dependent.isFinished)
        }
        guard isFoundationOfLinux else { return }
        let dependency = BlockOperation {}
        let dependent = BlockOperation {}
        dependent.addDependency(dependency)
        dependent.removeDependency(dependency)
        XCTAssertFalse(dependent.isReady, "Foundation makes it ready again: update the documentation")
    }

    func testS44_AnEdgeToARunningJobIsRefusedWhereFoundationRecordsAndIgnoresIt() {
        onBothSides { side in
            let begun = Gate()
            let gate = Gate()
            let running = side.job {
                begun.open()
                gate.wait()
            }
            side.queue().add(running)
            begun.wait()
            switch (side, running) {
            case (.foundation, let operation as Operation):
                operation.addDependency(BlockOperation {})
                XCTAssertEqual(running.dependencyCount, 1)
            case (.workQueues, let job as Job):
                assertRefused(.alreadyStarted) { try job.addDependency(BlockJob {}) }
                XCTAssertEqual(running.dependencyCount, 0)
            default: XCTFail("a scenario got a job of the other side")
            }
            gate.open()
            running.waitForEnd()
        }
    }

    func testS37_ALongChainIsFreedOnASmallStackWhereFoundationOverflows() {
        assertFoundationDies("long-chain")
        let lives = Lives()
        within(60, "dropping a chain", stackSize: smallStack) {
            func build() throws {
                var last = ChainLink(lives)
                for _ in 0..<100_000 {
                    let next = ChainLink(lives)
                    try next.addDependency(last)
                    last = next
                }
            }
            try build()
        }
        eventually("the chain is freed") { lives.alive == 0 }
        XCTAssertEqual(lives.total, 100_001)
    }

    func testD5_AFinishedJobLetsGoOfItsDependenciesWhereFoundationKeepsThem() {
        onBothSides { side in
            let a = side.job()
            let b = side.job()
            b.depend(on: a)
            side.queue().add([a, b], waiting: true)
            switch side {
            case .foundation: XCTAssertEqual(b.dependencyCount, 1, "\(side)")
            case .workQueues: XCTAssertEqual(b.dependencyCount, 0, "\(side)")
            }
        }
    }
}

private final class ChainLink: Job, @unchecked Sendable {
    // Unchecked, as the superclass: the only stored property is a constant.
    private let life: Lives.Token

    init(_ lives: Lives) {
        life = lives.token()
        super.init()
    }
}
