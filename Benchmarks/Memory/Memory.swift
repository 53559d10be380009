// What a job that waits holds of the memory, and what is left of it when all have run. Each reading is taken in a process of its own.

enum MemoryUse {
    static var scenarios: [Scenario] {
        [
            Scenario("memory") { plan in
                let jobs = jobs(plan)
                var ours: [Reading] = [], theirs: [Reading] = []
                for _ in 0..<plan.runs {
                    ours.append(try Reading(workQueue.measureInChild(plan)))
                    theirs.append(try Reading(operationQueue.measureInChild(plan)))
                }
                func row(_ name: String, _ figure: (Reading) -> Double, target: Double?) -> Row {
                    Row(
                        scenario: name, n: jobs, width: Machine.cores, figure: median(ours.map(figure)), rival: "OperationQueue",
                        rivalFigure: median(theirs.map(figure)), target: target, unit: .bytes)
                }
                return [
                    row("memory", { ($0.waiting - $0.start) / Double(jobs) }, target: 0.33),
                    row("memory/peak", { ($0.peak - $0.start) / Double(jobs) }, target: nil),
                    Row(
                        scenario: "memory/after", n: jobs, width: Machine.cores, figure: median(ours.map(\.end)), rival: "at the start",
                        rivalFigure: median(ours.map(\.start)), target: 1.10, unit: .bytes),
                ]
            }
        ]
    }

    static var tasks: [ChildTask] { [workQueue, operationQueue] }

    static func jobs(_ plan: Plan) -> Int { plan.size(100_000, quick: 20_000) }

    /// Resident bytes of one process.
    struct Reading {
        /// Before the jobs are made, and after a few have run, so that the pools and their threads are there.
        let start: Double
        /// While all of them wait.
        let waiting: Double
        /// The most there ever was.
        let peak: Double
        /// After all of them ran, and the queue is gone.
        let end: Double

        init(start: Double, waiting: Double, peak: Double, end: Double) {
            self.start = start
            self.waiting = waiting
            self.peak = peak
            self.end = end
        }

        init(_ numbers: [Double]) throws {
            guard numbers.count == 4 else { throw CheckFailure("a child process printed \(numbers.count) numbers instead of 4") }
            self.init(start: numbers[0], waiting: numbers[1], peak: numbers[2], end: numbers[3])
        }

        var numbers: [Double] { [start, waiting, peak, end] }
    }

    /// Takes the readings around the work of one kind of queue.
    ///
    /// - Parameter use: Makes a queue, adds that many jobs that wait, calls the closure, and has the jobs run. No job and no queue is
    ///   left when it returns.
    static func read(_ jobs: Int, use: (_ jobs: Int, _ whileTheyWait: () -> Void) throws -> Void) rethrows -> Reading {
        try use(1_000) {}
        let start = residentBytes()
        var waiting = 0.0
        try use(jobs) { waiting = residentBytes() }
        return Reading(start: start, waiting: waiting, peak: Memory.peak, end: residentBytes())
    }

    /// The allocator's habit of keeping what was freed is not measured: it gives back what it can first. The pause lets workers finish
    /// what they do after the last job.
    private static func residentBytes() -> Double {
        pause(milliseconds: 50)
        Memory.giveBack()
        return Memory.resident
    }
}
