// A job keeps its place by the time of being added, however late it became ready (O2).
import WorkQueues
import XCTest

final class KeptPlaceTests: XCTestCase {
    func testO2_TheTimeOfAddingCountsAndNotThatOfBecomingReady() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = Log<String>()
        let root = Probe { _ in log.append("root") }
        let late = Probe { _ in log.append("late") }
        let early = Probe { _ in log.append("early") }
        try late.addDependency(root)
        // `early` is ready all along, `late` only once the root has ended; but `late` was added before it.
        try queue.addJobs([root, late, early])
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(log.values, ["root", "late", "early"])
    }

    func testO2_ADependencyAddedLaterDoesNotTakeThePlaceAway() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = Log<Int>()
        let jobs = (0..<6).map { number in Probe { _ in log.append(number) } }
        try jobs[0].addDependency(jobs[3])
        try queue.addJobs(jobs)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(log.values, [1, 2, 3, 0, 4, 5])
    }

    func testO2_ARemovedEdgeGivesThePlaceBack() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = Log<Int>()
        let never = Probe()
        let jobs = (0..<5).map { number in Probe { _ in log.append(number) } }
        try jobs[1].addDependency(never)
        try queue.addJobs(jobs)
        eventually("ready") { jobs[2].phase == .ready }
        try jobs[2].addDependency(never)
        jobs[2].removeDependency(never)
        jobs[1].removeDependency(never)
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(log.values, [0, 1, 2, 3, 4])
    }

    func testO2_RemovalsInTheMiddleLeaveTheOrder() throws {
        for seed in 0..<20 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
            let log = Log<Int>()
            var jobs: [Probe] = []
            for number in 0..<100 {
                let job = Probe { _ in log.append(number) }
                jobs.append(job)
                try queue.addJob(job)
                // Out of the middle, now and then while more are still being added.
                if let victim = (0..<jobs.count).randomElement(using: &generator), number % 3 == 0 { jobs[victim].cancel() }
            }
            let expected = jobs.indices.filter { !jobs[$0].isCancelled }
            queue.isSuspended = false
            assertDrained(queue)
            XCTAssertEqual(log.values, expected, "seed \(seed)")
        }
    }

    func testO2_NobodyOvertakesAJobWhileItsReadinessIsAsked() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = Log<String>()
        let gate = Gate()
        let slow = AskedJob(gate) { log.append("slow") }
        try queue.addJob(slow)
        for number in 0..<5 { queue.addJob { log.append("later \(number)") } }
        queue.isSuspended = false
        slow.asked.wait()
        gate.open()
        assertDrained(queue)
        XCTAssertEqual(log.values, ["slow"] + (0..<5).map { "later \($0)" })
    }

    func testO2_AJobHeldBackByItsReadinessComesBackToItsPlace() throws {
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = Log<Int>()
        let held = AskedJob(nil) { log.append(-1) }
        try queue.addJob(held)
        let first = HeldJob()
        try queue.addJob(first)
        for number in 0..<5 { queue.addJob { log.append(number) } }
        queue.isSuspended = false
        first.begun.wait()
        // Held back while the next one ran, it goes before all others once it consents.
        held.consent()
        first.finish()
        assertDrained(queue)
        XCTAssertEqual(log.values, [-1, 0, 1, 2, 3, 4])
    }

    func testO2_ATreeOfJobsRunsAsAModelPredicts() throws {
        for seed in 0..<Rounds.scaled(200) {
            try runAgainstModel(seed: UInt64(seed))
        }
    }

    /// At width 1 the order is decided: of the ready jobs the one of the highest priority, of these the one added first.
    private func runAgainstModel(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let priorities: [Job.QueuePriority] = [.veryLow, .low, .normal, .high, .veryHigh]
        let queue = WorkQueue(maxConcurrentJobCount: 1, isSuspended: true)
        let log = Log<Int>()
        let count = 60
        let jobs = (0..<count).map { number in Probe { _ in log.append(number) } }
        // Edges go along a random order, so that they never close a ring but point both ways in the order of adding.
        let order = Array(0..<count).shuffled(using: &generator)
        var edges = [Set<Int>](repeating: [], count: count)
        for position in 1..<count where Bool.random(using: &generator) {
            let dependency = order[Int.random(in: 0..<position, using: &generator)]
            edges[order[position]].insert(dependency)
            try jobs[order[position]].addDependency(jobs[dependency])
        }
        for job in jobs {
            job.queuePriority = priorities.randomElement(using: &generator) ?? .normal
            try queue.addJob(job)
        }
        for _ in 0..<10 {
            let raised = Int.random(in: 0..<count, using: &generator)
            jobs[raised].queuePriority = priorities.randomElement(using: &generator) ?? .normal
        }
        var gone = Set((0..<8).map { _ in Int.random(in: 0..<count, using: &generator) })
        for number in gone { jobs[number].cancel() }
        waitForEnd(of: gone.map { jobs[$0] })

        var expected: [Int] = []
        while gone.count < count {
            let ready = (0..<count).filter { !gone.contains($0) && edges[$0].isSubset(of: gone) }
            guard let highest = ready.map({ jobs[$0].queuePriority }).max(),
                let next = ready.first(where: { jobs[$0].queuePriority == highest })
            else { return XCTFail("the model has a ring, seed \(seed)") }
            expected.append(next)
            gone.insert(next)
        }
        queue.isSuspended = false
        assertDrained(queue)
        XCTAssertEqual(log.values, expected, "seed \(seed)")
    }
}

/// Says when its readiness is asked, and answers after a gate, or when it has consented.
private final class AskedJob: Job, @unchecked Sendable {
    // Unchecked, as the superclass: what varies is guarded.
    let asked = Gate()
    private let gate: Gate?
    private let consents: Guarded<Bool>
    private let body: @Sendable () -> Void

    init(_ gate: Gate?, _ body: @escaping @Sendable () -> Void) {
        self.gate = gate
        self.body = body
        consents = Guarded(gate != nil)
        super.init()
    }

    override var isReady: Bool {
        guard super.isReady else { return false }
        asked.open()
        gate?.wait()
        return consents.current
    }

    override func main() {
        body()
    }

    func consent() {
        willChangeValue(forKey: "isReady")
        consents.set(true)
        didChangeValue(forKey: "isReady")
    }
}
