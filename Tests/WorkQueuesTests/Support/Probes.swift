// Jobs made for looking at: one that counts its runs, one that is ended by hand, one that ends itself when cancelled.
import WorkQueues

/// Synchronous; counts how often its body ran.
final class Probe: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let runs = Meter()
    private let body: @Sendable (Probe) -> Void

    init(_ name: String? = nil, _ body: @escaping @Sendable (Probe) -> Void = { _ in }) {
        self.body = body
        super.init()
        self.name = name
    }

    override func main() {
        runs.enter()
        body(self)
        runs.leave()
    }
}

/// Asynchronous; opens `begun` in its body and then runs until somebody calls `finish()`.
class HeldJob: AsyncJob, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let runs = Meter()
    let begun = Gate()

    override func main() {
        runs.enter()
        runs.leave()
        begun.open()
    }
}

/// The tutorial's habit: `cancel()` also ends the job, at whatever point it is.
final class SelfEndingJob: HeldJob, @unchecked Sendable {
    // Unchecked, as the superclass: nothing is added.
    override func cancel() {
        super.cancel()
        state = .finished
    }
}
