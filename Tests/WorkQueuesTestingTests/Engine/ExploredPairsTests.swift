// The dangerous pairs: two things that happen to a queue at the same time, in every order that steps can have.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class ExploredPairsTests: XCTestCase {
    func testAddAndFinish_O2_NothingIsForgotten() {
        for width in 1...2 {
            assertInEveryOrder(bound: 3, width: width) { harness in
                let queue = harness.queue
                let (first, second) = (BlockJob {}, BlockJob {})
                try queue.addJob(first)
                harness.concurrently({ try? queue.addJob(second) })
                try harness.requireEnd(of: first, second)
                try require(first.hasSucceeded && second.hasSucceeded, "\(first), \(second)")
                try require(harness.recorder.peakConcurrency <= width, "W1: \(harness.recorder.peakConcurrency) at width \(width)")
                if width == 1 { try harness.recorder.expectOrder(first, second) }
            }
        }
    }

    func testAddADependentAndFinish_D3_ItFollows() {
        assertInEveryOrder { harness in
            let queue = harness.queue
            let (first, second) = (BlockJob {}, BlockJob {})
            try queue.addJob(first)
            harness.concurrently({ try? second.addDependency(first) }, { try? queue.addJob(second) })
            try harness.requireEnd(of: first, second)
            try harness.recorder.expectOrder(first, second)
        }
    }

    func testCancelAndAdd_C2_ItEndsWithoutItsBody() {
        assertInEveryOrder(alsoUnobserved: true) { harness in
            let queue = harness.queue
            let runs = Shared(0)
            let job = BlockJob { runs.value += 1 }
            harness.concurrently({ try? queue.addJob(job) })
            harness.concurrently({ job.cancel() })
            try harness.requireEnd(of: job)
            try require(runs.value <= 1, "the body ran \(runs.value) times")
            try require(job.isCancelled == !job.hasSucceeded, "\(String(describing: job.outcome))")
        }
    }

    func testCancelAndStart_C2_C4_OneEndWithTheReason() {
        for width in 1...2 {
            assertInEveryOrder(width: width) { harness in
                let runs = Shared(0), completions = Shared(0), handlers = Shared(0)
                let job = BlockJob { runs.value += 1 }
                job.addCompletion { _ in completions.value += 1 }
                job.onCancel { _ in handlers.value += 1 }
                try harness.queue.addJob(job)
                let other = BlockJob {}
                try harness.queue.addJob(other)
                harness.concurrently({ job.cancel(reason: .custom("storm")) })
                try harness.requireEnd(of: job, other)
                try require(completions.value == 1, "\(completions.value) completions")
                try require(handlers.value == (job.isCancelled ? 1 : 0), "\(handlers.value) handlers, cancelled: \(job.isCancelled)")
                if job.isCancelled {
                    try require(job.wasCancelled(for: .custom("storm")), "\(String(describing: job.outcome))")
                } else {
                    try require(job.hasSucceeded && runs.value == 1, "\(String(describing: job.outcome)), \(runs.value) runs")
                }
                if harness.recorder.names(of: .started).count == 1 { try require(runs.value == 0, "the body ran without a start") }
            }
        }
    }

    func testRemoveAndFinish_D4_TheDependentRuns() {
        assertInEveryOrder(alsoUnobserved: true) { harness in
            let (first, second) = (BlockJob {}, BlockJob {})
            try second.addDependency(first)
            try harness.queue.addJobs([first, second])
            harness.concurrently({ second.removeDependency(first) })
            try harness.requireEnd(of: first, second)
            try require(second.hasSucceeded, "\(String(describing: second.outcome))")
        }
    }

    func testRemoveAndFinish_D3_AFailureCountsOnceOrNotAtAll() {
        assertInEveryOrder(alsoUnobserved: true) { harness in
            let first = ResultJob { () throws -> Int in throw Broken(description: "on purpose") }
            let second = BlockJob {}
            try second.addDependency(first, requiring: .succeeded)
            try harness.queue.addJobs([first, second])
            harness.concurrently({ second.removeDependency(first) })
            try harness.requireEnd(of: first, second)
            guard !second.hasSucceeded else { return }
            guard case .failed(let error as JobError)? = second.outcome else {
                throw Broken(description: "\(String(describing: second.outcome))")
            }
            try require(error.code == .dependencyFailed && error.jobID == first.id, "\(error)")
            try require(second.isCancelled, "D3: it was not cancelled")
        }
    }

    func testSuspendAndClaim_W3_NothingBeginsOnceTheSetterReturned() {
        for width in 1...2 {
            assertInEveryOrder(width: width, alsoUnobserved: true) { harness in
                let queue = harness.queue
                let jobs = (0..<3).map { _ in BlockJob {} }
                try queue.addJobs(jobs)
                let begun = Shared<[Bool]>([]), isRight = Shared(true)
                harness.concurrently(
                    {
                        queue.isSuspended = true
                        begun.value = jobs.map(\.hasBegun)
                    }, { isRight.value = jobs.map(\.hasBegun) == begun.value },
                    {
                        isRight.value = isRight.value && jobs.map(\.hasBegun) == begun.value
                        queue.isSuspended = false
                    })
                try harness.requireEnd(of: jobs[0], jobs[1], jobs[2])
                try require(isRight.value, "a job began while the queue was suspended")
                try require(jobs.allSatisfy(\.hasSucceeded), "a job was lost")
            }
        }
    }

    func testWidthChangeAndFinish_W1_NeverMoreThanTheWidth() {
        assertInEveryOrder(width: 2) { harness in
            let queue = harness.queue
            let jobs = (0..<3).map { _ in BlockJob {} }
            try queue.addJobs(jobs)
            let begun = Shared<[Bool]>([]), isRight = Shared(true)
            harness.concurrently(
                {
                    queue.maxConcurrentJobCount = 0
                    begun.value = jobs.map(\.hasBegun)
                },
                {
                    isRight.value = jobs.map(\.hasBegun) == begun.value
                    queue.maxConcurrentJobCount = 1
                }, { queue.maxConcurrentJobCount = 2 })
            try harness.requireEnd(of: jobs[0], jobs[1], jobs[2])
            try require(isRight.value, "a job began at width 0")
            try require(harness.recorder.peakConcurrency <= 2, "\(harness.recorder.peakConcurrency) at once")
        }
    }

    func testLastReferenceAndLastJob_W5_NothingIsLost() {
        assertInEveryOrder(bound: 3) { harness in
            let queue = Shared<WorkQueue?>(harness.makeQueue(maxConcurrentJobCount: 1))
            let (first, second) = (BlockJob {}, BlockJob {})
            first.addCompletion { _ in queue.value = nil }
            try queue.value?.addJobs([first, second])
            weak let alive = queue.value
            harness.concurrently({ queue.value = nil })
            try harness.requireEnd(of: first, second)
            try require(first.hasSucceeded && second.hasSucceeded, "\(first), \(second)")
            try require(alive == nil, "the queue lives on")
            try require(second.queue == nil, "the job still names its queue")
        }
    }

    func testLastReferenceAndLastJob_W5_ASuspendedQueueCancelsWhatWaits() {
        assertInEveryOrder(bound: 3, alsoUnobserved: true) { harness in
            let queue = Shared<WorkQueue?>(harness.makeQueue(maxConcurrentJobCount: 1))
            let (first, second) = (BlockJob {}, BlockJob {})
            try queue.value?.addJobs([first, second])
            harness.concurrently({ queue.value?.isSuspended = true }, { queue.value = nil })
            try harness.requireEnd(of: first, second)
            for job in [first, second] {
                try require(job.hasSucceeded || job.wasCancelled(for: .queueReleased), "\(String(describing: job.outcome))")
            }
            try require(!second.hasSucceeded || first.hasSucceeded, "the second one ran alone")
        }
    }

    func testAwaitAndCancel_R2_ACancelledWaiterHarmsNobody() {
        assertInEveryOrder(bound: 1, width: 1) { harness in
            let job = harness.queue.addJob { 42 }
            let values = try harness.run {
                await withTaskGroup(of: Int?.self) { group in
                    let cancelled = group.addTaskUnlessCancelled { try? await job.value }
                    await Task.yield()
                    group.cancelAll()
                    var values: [Int?] = []
                    for await value in group { values.append(value) }
                    return cancelled ? values : []
                }
            }
            try harness.requireEnd(of: job)
            try require(values == [42] || values == [nil], "\(values)")
            try require(job.hasSucceeded, "\(String(describing: job.outcome))")
        }
    }

    func testAwaitAndCancel_R2_EveryWaiterOfACancelledJobIsTold() {
        assertInEveryOrder(bound: 1, width: 1) { harness in
            let job = harness.queue.addJob { () async in
                await Task.yield()
                return 42
            }
            harness.concurrently({ job.cancel() })
            let value = try harness.run { () async -> Int? in try? await job.value }
            try harness.requireEnd(of: job)
            try require(value == (job.hasSucceeded ? 42 : nil), "\(String(describing: value)), \(String(describing: job.outcome))")
            try require(job.hasSucceeded == !job.isCancelled, "\(String(describing: job.outcome))")
        }
    }
}
