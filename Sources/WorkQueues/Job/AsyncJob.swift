// A job whose work goes on after `start()` returned.

import SchedulingCore

/// A job that ends when somebody says so: override `main()`, begin the work there, and call `finish()` when it is done.
///
/// ```swift
/// final class Download: AsyncJob, @unchecked Sendable {
///     override func main() { fetch { self.finish() } }
/// }
/// ```
///
/// It holds its slot from its start to `finish()`. A job that never calls it never ends.
open class AsyncJob: Job, @unchecked Sendable {
    // Unchecked because a subclass of an unchecked class must say so; it stores nothing of its own.

    /// How far the job is.
    public enum State: Sendable, Hashable {
        case ready
        case executing
        case finished
    }

    public override init() { super.init() }

    /// How far the job is. Setting `.finished` ends it; setting a state that the job is past is reported as misuse and ignored.
    ///
    /// `.executing` is set when the queue starts the job, so there is no need to set it.
    public final var state: State {
        get {
            switch phase {
            case .created, .waiting, .ready: .ready
            case .executing: .executing
            case .finished: .finished
            }
        }
        set { move(to: newValue) }
    }

    open override var isAsynchronous: Bool { true }

    open override func start() {
        guard mayBeginAsynchronousWork() else { return }
        main()
    }

    /// Ends the job; from any thread, in any phase. The first end counts.
    public final func finish() { end(error: nil) }

    /// Ends the job with an error; from any thread, in any phase. The first end counts.
    public final func finish(throwing error: any Error) { end(error: error) }

    private func move(to newState: State) {
        switch (state, newState) {
        case (.ready, .ready), (.executing, .executing), (.finished, .finished): break
        case (.ready, .finished), (.executing, .finished): finish()
        case (.ready, .executing):
            Misuse.report(
                "state of \(self) was set to executing; nothing was done.",
                cause: "a job that its queue has not started was declared to be at work.",
                remedy: "add the job to a queue, or call start(), and leave the state to it.")
        case (.executing, .ready), (.finished, .ready), (.finished, .executing):
            Misuse.report(
                "state of \(self) was set back from \(state) to \(newState); nothing was done.",
                cause: "two parts of the program drive one job.",
                remedy: "make a new job for another run, and set finished only.")
        }
    }
}
