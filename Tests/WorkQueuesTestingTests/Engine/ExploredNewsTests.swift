// V1: the news of a job that is told them by the thread that made them, while another thread has news of the same job.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class ExploredNewsTests: XCTestCase {
    func testV1_ACancelComesWhileAnythingIsTold() {
        for (pause, hasExtras) in [
            ("added", false), ("ready", false), ("started", false), ("finished", false), ("started", true), ("", true),
        ] {
            assertInEveryOrder { harness in
                let listener = Listener(), heardInBody = Shared<Int?>(nil), other = BlockJob {}
                let job = BlockJob { heardInBody.value = listener.heard("cancelRequested") - (Job.current?.isCancelled == true ? 1 : 0) }
                listener.listen(to: job, pausingAt: pause, for: other)
                if hasExtras { job.onCancel { _ in } }
                harness.queue.addObserver(listener)
                try harness.queue.addJob(other)
                harness.concurrently({ try? harness.queue.addJob(job) })
                harness.concurrently({ job.cancel() })
                try harness.requireEnd(of: job, other)
                try listener.requireOrder()
                // In no queue, or after the end, a cancel is no event of the queue.
                try require(listener.heard("cancelRequested") <= (job.isCancelled ? 1 : 0), "\(listener)")
                // What was left while the start was told was told before the body.
                try require(heardInBody.value ?? 0 == 0, "a cancel was not told yet when the body ran: \(listener)")
                if listener.heard("started") == 1 && job.isCancelled { try require(listener.heard("cancelRequested") == 1, "\(listener)") }
            }
        }
    }

    func testV1_ACancelOfAClosureComesWhileItIsTold() {
        for pause in ["started", "finished"] {
            assertInEveryOrder { harness in
                let other = BlockJob {}, listener = Listener()
                listener.listen(to: nil, pausingAt: pause, for: other)
                harness.queue.addObserver(listener)
                try harness.queue.addJob(other)
                let job = harness.queue.addJob {}
                harness.concurrently({ job.cancel() })
                try harness.requireEnd(of: job, other)
                try listener.requireOrder()
                try require(listener.heard("cancelRequested") == (job.isCancelled ? 1 : 0), "\(listener)")
            }
        }
    }

    func testV1_AFinishFromElsewhereComesWhileAnythingIsTold() {
        for pause in ["added", "ready", "started"] {
            assertInEveryOrder { harness in
                let job = HandEndedJob(), other = BlockJob {}
                let listener = Listener(to: job, pausingAt: pause, for: other)
                harness.queue.addObserver(listener)
                try harness.queue.addJob(other)
                let isRefused = Shared(false)
                harness.concurrently({ do { try harness.queue.addJob(job) } catch { isRefused.value = true } })
                harness.concurrently({ job.finish() })
                try harness.requireEnd(of: job, other)
                if !isRefused.value { try listener.requireOrder() }
            }
        }
    }

    func testV1_AnEdgeComesAndGoesWhileAnythingIsTold() {
        for pause in ["added", "ready", "started"] {
            assertInEveryOrder { harness in
                let job = BlockJob {}, other = BlockJob {}, never = BlockJob {}
                let listener = Listener(to: job, pausingAt: pause, for: other)
                harness.queue.addObserver(listener)
                try harness.queue.addJob(other)
                harness.concurrently({ try? harness.queue.addJob(job) })
                harness.concurrently({ try? job.addDependency(never) }, { job.removeDependency(never) })
                try harness.requireEnd(of: job, other)
                try listener.requireOrder()
            }
        }
    }

    func testV1_SomethingIsAttachedWhileTheEndIsTold() {
        assertInEveryOrder { harness in
            let job = BlockJob {}, other = BlockJob {}, next = BlockJob {}, steps = Shared<[String]>([])
            let listener = Listener(to: job, pausingAt: "finished", for: other)
            listener.then = { steps.value.append("told") }
            harness.queue.addObserver(listener)
            try harness.queue.addJobs([other, job])
            let observation = Shared<JobObservation?>(nil)
            harness.concurrently(
                { job.addCompletion { _ in steps.value.append("completed") } },
                {
                    try? next.addDependency(job)
                    try? harness.queue.addJob(next)
                },
                {
                    observation.value = job.observe(\.isFinished, options: [.initial, .new]) { _, change in
                        if change.newValue == true { steps.value.append("seen") }
                    }
                })
            try harness.requireEnd(of: job, other, next)
            try listener.requireOrder()
            try require(steps.value.count { $0 == "told" } == 1, "\(steps.value)")
            try require(steps.value.count { $0 == "completed" } == 1, "\(steps.value)")
            try require(steps.value.count { $0 == "seen" } == 1, "\(steps.value)")
            // In the list of completions while the job was not through, one runs after the observers.
            if job.outcome != nil, let completed = steps.value.firstIndex(of: "completed"), let told = steps.value.firstIndex(of: "told") {
                try require(told < completed, "\(steps.value)")
            }
        }
    }

    func testV1_ObserversComeAndGoWhileAJobIsTold() {
        for pause in ["started", "finished"] {
            assertInEveryOrder { harness in
                let job = BlockJob {}, other = BlockJob {}
                let listener = Listener(to: job, pausingAt: pause, for: other), late = Listener(to: job)
                harness.queue.addObserver(listener)
                try harness.queue.addJobs([other, job])
                harness.concurrently(
                    { harness.queue.addObserver(late) }, { job.cancel() }, { harness.queue.removeObserver(listener) })
                try harness.requireEnd(of: job, other)
                try listener.requireNoOverlap()
                try late.requireNoOverlap()
            }
        }
    }
}

/// Hears the events of one job in the order in which they are told, and lets others take steps while it is told one of them.
private final class Listener: JobObserver, CustomStringConvertible, @unchecked Sendable {
    // Unchecked because one thread takes all steps.
    /// Called when the pause is over.
    var then: () -> Void = {}
    private var job: Job?
    private var pause = ""
    private var other: Job?
    private var events: [(job: Job.ID, name: String, sequence: UInt64)] = []
    private var isBeingTold = false
    private var overlaps = false

    init() {}

    convenience init(to job: Job, pausingAt pause: String = "", for other: Job? = nil) {
        self.init()
        listen(to: job, pausingAt: pause, for: other)
    }

    func listen(to job: Job?, pausingAt pause: String, for other: Job?) {
        self.job = job
        self.pause = pause
        self.other = other
    }

    func record(_ event: JobEvent) {
        guard let id = event.jobID, id != other?.id, job == nil || job?.id == id else { return }
        if isBeingTold { overlaps = true }
        isBeingTold = true
        let name = String("\(event.kind)".prefix { $0 != "(" })
        events.append((id, name, event.sequence))
        if name == pause {
            other?.waitUntilFinished()
            then()
        }
        isBeingTold = false
    }

    var description: String { events.map { "\($0.name) \($0.sequence)" }.joined(separator: ", ") }

    func heard(_ name: String) -> Int { events.count { $0.name == name } }

    /// One event at a time, in the order of their numbers.
    func requireNoOverlap() throws {
        try require(!overlaps, "two events of a job were told at once: \(self)")
        let numbers = events.map(\.sequence)
        try require(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "told in another order than that of the numbers: \(self)")
    }

    /// As `requireNoOverlap`, for who was there all the time: nothing is missing, nothing comes twice, and the phases come in their order.
    func requireOrder() throws {
        try requireNoOverlap()
        let names = events.map(\.name)
        try require(names.first == "added" && names.count { $0 == "added" } == 1, "\(self)")
        try require(names.last == "finished" && names.count { $0 == "finished" } == 1, "\(self)")
        if let started = names.firstIndex(of: "started") {
            try require(names.count { $0 == "started" } == 1 && names[..<started].contains("ready"), "\(self)")
            try require(!names[started...].contains("ready"), "\(self)")
        }
    }
}
