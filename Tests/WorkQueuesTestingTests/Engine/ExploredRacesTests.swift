// Further races of the engine, in every order that steps can have.
import WorkQueues
import WorkQueuesTesting
import XCTest

final class ExploredRacesTests: XCTestCase {
    func testFinishAndFinish_L3_TheFirstOneCounts() {
        assertInEveryOrder(bound: 3, alsoUnobserved: true) { harness in
            let job = HandEndedJob(), completions = Shared(0), first = Shared<String?>(nil)
            job.addCompletion { _ in completions.value += 1 }
            try harness.queue.addJob(job)
            let next = BlockJob {}
            try next.addDependency(job)
            try harness.queue.addJob(next)
            harness.concurrently({
                first.value = first.value ?? "returns"
                job.finish()
            })
            harness.concurrently({
                first.value = first.value ?? "throws"
                job.finish(throwing: Broken(description: "on purpose"))
            })
            try harness.requireEnd(of: job, next)
            try require(completions.value == 1, "\(completions.value) completions")
            try require(job.hasSucceeded == (first.value == "returns"), "\(String(describing: job.outcome)), first: \(first.value ?? "")")
        }
    }

    func testFinishAndCancel_L3_OneEnd() {
        assertInEveryOrder(bound: 3, alsoUnobserved: true) { harness in
            let job = HandEndedJob(), completions = Shared(0)
            job.addCompletion { _ in completions.value += 1 }
            try harness.queue.addJob(job)
            harness.concurrently({ job.finish() })
            harness.concurrently({ job.cancel(reason: .custom("storm")) })
            try harness.requireEnd(of: job)
            try require(completions.value == 1, "\(completions.value) completions")
            try require(job.isCancelled ? job.wasCancelled(for: .custom("storm")) : job.hasSucceeded, "\(String(describing: job.outcome))")
        }
    }

    func testCancelAndCancelAll_C1_TheFirstReasonWins() {
        assertInEveryOrder(width: 1, alsoUnobserved: true) { harness in
            let queue = harness.queue
            let jobs = [BlockJob {}, BlockJob {}], handlers = Shared<[Job.CancellationReason]>([])
            jobs[0].onCancel { handlers.value.append($0) }
            try queue.addJobs(jobs)
            harness.concurrently({ jobs[0].cancel(reason: .custom("one")) })
            harness.concurrently({ queue.cancelAllJobs(reason: .custom("all")) })
            try harness.requireEnd(of: jobs[0], jobs[1])
            try require(handlers.value.count == (jobs[0].isCancelled ? 1 : 0), "\(handlers.value)")
            if let reason = handlers.value.first {
                try require(jobs[0].wasCancelled(for: reason), "\(String(describing: jobs[0].outcome))")
            }
            for job in jobs where !job.isCancelled { try require(job.hasSucceeded, "\(String(describing: job.outcome))") }
        }
    }

    /// The handler runs after the mark and before the job is handed over, and lets others take steps meanwhile.
    func testCancelAndClaim_C2_AHandlerThatWaitsLetsNothingStart() {
        for width in 1...2 {
            assertInEveryOrder(width: width, alsoUnobserved: true) { harness in
                let runs = Shared(0), job = BlockJob { runs.value += 1 }, other = BlockJob {}
                other.queuePriority = .high
                job.onCancel { [unowned job] _ in
                    if job.phase == .ready { runs.value -= 100 }
                    other.waitUntilFinished()
                }
                try harness.queue.addJobs([job, other])
                harness.concurrently({ job.cancel() })
                try harness.requireEnd(of: job, other)
                // Ready when the handler began: then it never runs.
                try require([0, 1, -100].contains(runs.value), "the body of a cancelled job ran: \(runs.value)")
                try require(job.wasCancelled(for: .requested) || job.hasSucceeded, "\(String(describing: job.outcome))")
            }
        }
    }

    func testCancelAndAdd_C2_AnObserverCancelsWhatIsBeingAdded() {
        for isSuspended in [false, true] {
            assertInEveryOrder(width: 1, atLeast: 3) { harness in
                let queue = harness.queue, runs = Shared(0), job = BlockJob { runs.value += 1 }
                let observation = queue.observe { [unowned job] event in
                    if case .added = event.kind, event.jobID == job.id { job.cancel() }
                }
                queue.isSuspended = isSuspended
                let other = queue.addJob {}
                harness.concurrently({ try? queue.addJobs([job]) })
                harness.drain()
                queue.isSuspended = false
                try harness.requireEnd(of: job, other)
                try require(runs.value == 0 && job.wasCancelled(for: .requested), "\(String(describing: job.outcome))")
                observation.invalidate()
            }
        }
    }

    func testAddEdgeAndEnd_D1_HonouredInFullOrRefused() {
        assertInEveryOrder { harness in
            let (first, second) = (BlockJob {}, BlockJob {}), refusal = Shared<JobError.Code?>(nil)
            try harness.queue.addJobs([first, second])
            harness.concurrently({
                do throws(JobError) { try second.addDependency(first) } catch { refusal.value = error.code }
            })
            try harness.requireEnd(of: first, second)
            if refusal.value == nil { return try harness.recorder.expectOrder(first, second) }
            try require(refusal.value == .alreadyStarted || refusal.value == .alreadyFinished, "\(String(describing: refusal.value))")
        }
    }

    func testAddEdgeAndRemoveItAndClaim_D4_ItRuns() {
        assertInEveryOrder(bound: 3, width: 1, alsoUnobserved: true) { harness in
            let (job, never, other) = (BlockJob {}, BlockJob {}, BlockJob {})
            try harness.queue.addJobs([job, other])
            harness.concurrently({ try? job.addDependency(never) }, { job.removeDependency(never) })
            try harness.requireEnd(of: job, other)
            try require(job.hasSucceeded && other.hasSucceeded, "\(String(describing: job.outcome))")
        }
    }

    func testTwoEdges_D2_OneOfThoseThatCloseARingIsRefused() {
        assertInEveryOrder(atLeast: 2) { harness in
            let (one, other) = (BlockJob {}, BlockJob {}), refusals = Shared(0)
            harness.concurrently({ do { try one.addDependency(other) } catch { refusals.value += 1 } })
            harness.concurrently({ do { try other.addDependency(one) } catch { refusals.value += 1 } })
            harness.drain()
            try require(refusals.value == 1, "\(refusals.value) were refused")
            try harness.queue.addJobs([one, other])
            try harness.requireEnd(of: one, other)
        }
    }

    func testBarrierCancelAndAdd_W4_NothingIsLost() {
        for width in 1...2 {
            assertInEveryOrder(bound: 3 - width, width: width) { harness in
                let queue = harness.queue
                let (before, behind, added) = (BlockJob {}, BlockJob {}, BlockJob {})
                try queue.addJob(before)
                let barrier = queue.addBarrierBlock {}
                try queue.addJob(behind)
                harness.concurrently({ barrier.cancel() })
                harness.concurrently({ try? queue.addJob(added) })
                try harness.requireEnd(of: before, barrier, behind, added)
                try require([before, behind, added].allSatisfy(\.hasSucceeded), "a job was lost")
                guard barrier.hasSucceeded else { return }
                for job in [behind, added] { try harness.recorder.expectOrder(before, barrier, job) }
            }
        }
    }

    func testPostAndAsk_L2_NoPostIsMissed() {
        for width in 0...1 {
            assertInEveryOrder(width: width, alsoUnobserved: true) { harness in
                let queue = harness.queue, job = UnwillingJob(), other = BlockJob {}
                try queue.addJobs([job, other])
                harness.concurrently(
                    { job.isWilling = true }, { job.didChangeValue(forKey: "isReady") }, { queue.maxConcurrentJobCount = 1 })
                try harness.requireEnd(of: job, other)
                try require(job.runs == 1, "it ran \(job.runs) times")
            }
        }
    }

    /// The answer is a value from the past when it is given: a post came meanwhile.
    func testPostAndAsk_L2_APostDuringTheQuestionIsNotMissed() {
        for width in 1...2 {
            assertInEveryOrder(bound: 1, width: width) { harness in
                let queue = harness.queue, other = HandEndedJob(), job = SlowlyAskedJob(waitingFor: other)
                other.queuePriority = .high
                try queue.addJobs([job, other])
                harness.concurrently(
                    { job.isWilling = true }, { job.didChangeValue(forKey: "isReady") }, { other.finish() })
                try harness.requireEnd(of: job, other)
                try require(job.runs == 1, "it ran \(job.runs) times")
            }
        }
    }

    func testPostAndAdd_L2_NoPostIsMissed() {
        assertInEveryOrder(bound: 3) { harness in
            let queue = harness.queue, job = UnwillingJob()
            harness.concurrently({ try? queue.addJob(job) })
            harness.concurrently({ job.isWilling = true }, { job.didChangeValue(forKey: "isReady") })
            try harness.requireEnd(of: job)
            try require(job.runs == 1, "it ran \(job.runs) times")
        }
    }

    func testSuspendAndResumeAndFinish_W3_NothingIsForgotten() {
        assertInEveryOrder { harness in
            let queue = harness.queue
            let (first, second) = (BlockJob {}, BlockJob {})
            try second.addDependency(first)
            try queue.addJobs([first, second])
            harness.concurrently({ queue.isSuspended = true })
            harness.concurrently({ queue.isSuspended = false }, { queue.isSuspended = false })
            harness.drain()
            queue.isSuspended = false
            try harness.requireEnd(of: first, second)
            try harness.recorder.expectOrder(first, second)
        }
    }

    func testAddCompletionAndEnd_L3_ItRunsOnce() {
        for isObserved in [true, false] {
            assertInEveryOrder(bound: 3, alsoUnobserved: true) { harness in
                let runs = Shared(0), job = BlockJob {}, dependent = BlockJob {}
                if isObserved { try dependent.addDependency(job) }
                try harness.queue.addJobs([job, dependent])
                harness.concurrently({ job.addCompletion { _ in runs.value += 1 } }, { job.completionBlock = { runs.value += 10 } })
                try harness.requireEnd(of: job, dependent)
                try require(runs.value == 11, "the completions came to \(runs.value)")
            }
        }
    }

    func testAddCompletionAndAddEdgeAndEnd_O1_TheDependentComesAfterTheCompletion() {
        for hasNode in [true, false] {
            assertInEveryOrder(alsoUnobserved: true) { harness in
                let queue = harness.queue, log = Shared<[String]>([])
                let (job, other, dependent) = (BlockJob {}, BlockJob {}, BlockJob { log.value.append("dependent") })
                if hasNode { try other.addDependency(job) }
                try queue.addJobs([job, other])
                harness.concurrently(
                    { job.addCompletion { _ in log.value.append("completion") } }, { try? dependent.addDependency(job) },
                    { try? queue.addJob(dependent) })
                try harness.requireEnd(of: job, other, dependent)
                try require(log.value == ["completion", "dependent"], "\(log.value)")
            }
        }
    }

    func testPriorityAndClaim_O2_ItIsNext() {
        assertInEveryOrder(width: 1) { harness in
            let queue = harness.queue
            let jobs = (0..<3).map { _ in BlockJob {} }
            try queue.addJobs(jobs)
            let waiting = Shared(false)
            harness.concurrently({
                jobs[2].queuePriority = .veryHigh
                waiting.value = !jobs[1].hasBegun && !jobs[2].hasBegun
            })
            try harness.requireEnd(of: jobs[0], jobs[1], jobs[2])
            if waiting.value { try harness.recorder.expectOrder(jobs[2], jobs[1]) }
        }
    }
}
