// What an explanation says of one job: which job it is, and why it does not run, or does not end.

/// Why a job does not run, or what it does, at one moment.
///
/// Made by `Job.explain()` and `WorkQueue.explain()`. A value: it holds no job and does not change. `description` says all of it in
/// plain English, a line for the job and an indented one for each reason.
public struct JobExplanation: Sendable, CustomStringConvertible {
    /// A job as it was at that moment.
    public struct Subject: Sendable, Hashable {
        public let id: Job.ID
        public let name: String?
        /// The job's class.
        public let className: String
        public let phase: Job.Phase
        /// How long the job has executed, or, while it waits or is ready, how long ago it was added. Nil in other phases. Coarse: to about
        /// 10 ms, and without the time that the machine slept.
        public let age: Duration?
        /// Where the job was added, as "Module/File.swift:12"; nil if it never was.
        public let site: String?
        /// The name of its queue, if that has one and exists.
        public let queueName: String?
    }

    /// One thing that keeps a job from starting, or from ending. More may come: write `@unknown default`.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The job was never added to a queue.
        case neverAdded
        /// It waits for this job, which is in a queue, or was started by hand.
        case dependency(Subject, requiring: DependencyRequirement)
        /// It waits for this job, which was never added to a queue, so that nobody is going to run it.
        case dependencyNeverAdded(Subject, requiring: DependencyRequirement)
        /// Its own `isReady` said no, and was not posted since.
        case isReadySaysNo
        /// Its own `isReady` is being asked, or will be next.
        case isReadyIsAsked
        /// It was added behind this barrier, which has not ended. Where there are several, the last one before the job.
        case behindBarrier(Subject)
        /// It is a barrier, and so many jobs that were added before it have not ended; the oldest of them is named.
        case earlierJobs(count: Int, oldest: Subject)
        /// Its queue is suspended.
        case suspended
        /// The width of its queue is 0.
        case widthIsZero
        /// All slots of its queue are taken, by these.
        case noFreeSlot(heldBy: [Subject])
        /// The `isReady` of this job is being asked; it comes first, and nothing overtakes it meanwhile.
        case behindQuestion(Subject)
        /// A slot is free, but the thread budget of the process is used up.
        case noThread
        /// Nothing keeps it: a worker is about to start it.
        case aboutToStart
        /// It will not run: it was cancelled, or ended itself, and a worker is about to see to its end.
        case ending
        /// It executes, and blocks or suspends in a wait for this job. `lendsSlot` says whether another job may have its slot meanwhile.
        case waitsForJob(Subject, lendsSlot: Bool)
        /// It executes, and waits until the queue of this name is idle.
        case waitsForQueue(name: String?, lendsSlot: Bool)
        /// It executes, its wait is over, and it is next for a slot, which these hold.
        case waitsForSlot(heldBy: [Subject])
        /// It executes, and its `start()` has returned: it ends when its asynchronous body returns, `finish()` is called, or `isFinished`
        /// is posted. A job for which none of these happens never ends.
        case startHasReturned
        /// It has ended, and its completions or observers are still at work.
        case completionsRun
        /// It was changing while it was looked at; ask again.
        case changing
    }

    public let job: Subject
    /// How the job ended; nil until it has.
    public let outcome: Job.Outcome?
    /// Why it does not run, or why it does not end; empty if it runs, or has ended for good.
    public let reasons: [Reason]

    public var description: String { ExplanationText.text(of: self) }
}

/// What runs in a queue, what does not, and why, at one moment.
///
/// Made by `WorkQueue.explain()`. `description` names the queue, then the jobs that run, then those that do not, each with its reasons; of
/// long lists it shows the first twenty.
public struct QueueExplanation: Sendable, CustomStringConvertible {
    public let name: String?
    public let isSuspended: Bool
    /// The width as it was set; -1 stands for the automatic one.
    public let maxConcurrentJobCount: Int
    /// How many slots that makes at the moment.
    public let slotCount: Int
    /// How many of them are taken.
    public let takenSlotCount: Int
    /// The unfinished jobs, in the order in which they were added.
    public let jobs: [JobExplanation]

    /// Those that hold a slot.
    public let running: [JobExplanation.Subject]
    /// Those that lent their slot to wait for somebody.
    public let lenders: [JobExplanation.Subject]

    public var description: String { ExplanationText.text(of: self) }
}
