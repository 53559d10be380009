// The jobs of a world, one kind each.
import WorkQueues

/// A job's own error.
struct OwnError: Error, Equatable { let job: Int }

extension World {
    func makeJob(_ index: Int) -> Job {
        let job: Job
        switch plan.jobs[index].kind {
        case .subclass, .failingSubclass: job = PlainJob(index, self)
        case .held: job = HeldBackJob(index, self)
        case .handMade: job = HandMadeJob(index, self)
        case .selfEnding: job = SelfEndingByCancelJob(index, self)
        case .block:
            job = BlockJob {
                self.bodyBegins(index)
                self.performAll(self.plan.jobs[index].bodyActions)
                self.bodyEnds(index)
            }
        case .closure, .throwingClosure, .barrier: job = ResultJob { try self.runBody(index) }
        case .async, .throwingAsync: job = ResultJob { () async throws -> Int in try await self.runAsyncBody(index) }
        }
        return job
    }

    /// The job is known from here on.
    func admit(_ job: Job, as index: Int) {
        let plan = plan.jobs[index]
        jobs[index] = job
        positions[job.id] = index
        active.append(index)
        if self.plan.queues.contains(where: { $0.isObserved }) { job.name = "\(index)" }
        if plan.priority != .normal { job.queuePriority = plan.priority }
        for number in 0..<plan.completions { addCompletion(number, to: job, index) }
        if plan.completions == 2 {
            handlerRuns[index] = 0
            job.onCancel { [unowned self] reason in
                handlerRuns[index] = (handlerRuns[index] ?? 0) + 1
                reference.expect(reason == self.jobs[index]?.cancellationReason, "C1", "\(index): the handler was told \(reason)")
            }
        }
    }

    func addCompletion(_ number: Int, to job: Job, _ index: Int) {
        reference.jobs[index].completions = number + 1
        job.addCompletion { outcome in
            self.completionRuns(index, number: number)
        }
    }

    func runBody(_ index: Int) throws -> Int {
        bodyBegins(index)
        performAll(plan.jobs[index].bodyActions)
        if plan.jobs[index].kind == .throwingClosure { try fail(index) }
        bodyEnds(index)
        return index
    }

    fileprivate func runAsyncBody(_ index: Int) async throws -> Int {
        let plan = plan.jobs[index]
        bodyBegins(index)
        performAll(plan.bodyActions.prefix(1))
        for _ in 0..<plan.yields { await Task.yield() }
        performAll(plan.bodyActions.dropFirst())
        if plan.kind == .throwingAsync { try fail(index) }
        bodyEnds(index)
        return index
    }

    /// Throws what a job throws: `CancellationError` if it was cancelled.
    private func fail(_ index: Int) throws {
        do { try Job.checkCancellation() } catch {
            bodyEnds(index, cancelled: true)
            throw error
        }
        bodyEnds(index, cancelled: false)
        throw OwnError(job: index)
    }
}

private class PlainJob: Job, @unchecked Sendable {
    fileprivate let index: Int
    fileprivate let world: World

    init(_ index: Int, _ world: World) {
        self.index = index
        self.world = world
    }

    override func main() {
        world.bodyBegins(index)
        world.performAll(world.plan.jobs[index].bodyActions)
        guard world.plan.jobs[index].kind == .failingSubclass else { return world.bodyEnds(index) }
        fail(with: OwnError(job: index))
        world.bodyEnds(index, cancelled: false)
    }
}

/// `isReady` says no until an action lets it say yes.
private final class HeldBackJob: PlainJob, @unchecked Sendable {
    override var isReady: Bool { world.isAskedWhetherReady(index) }
}

/// Goes on after `start()` until an action ends it.
private class HandMadeJob: AsyncJob, @unchecked Sendable {
    private let index: Int
    private let world: World

    init(_ index: Int, _ world: World) {
        self.index = index
        self.world = world
    }

    override func main() {
        world.bodyBegins(index)
        world.performAll(world.plan.jobs[index].bodyActions)
    }
}

private final class SelfEndingByCancelJob: HandMadeJob, @unchecked Sendable {
    override func cancel() {
        super.cancel()
        finish()
    }
}
