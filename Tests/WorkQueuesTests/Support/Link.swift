// A job that is cheap to make by the hundred thousand, and counted while it lives and when it runs.
import WorkQueues

final class Link: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    struct Counters: Sendable {
        let lives = Meter()
        let runs = Meter()
    }

    private let counters: Counters

    init(_ counters: Counters) {
        self.counters = counters
        super.init()
        counters.lives.enter()
    }

    deinit {
        counters.lives.leave()
    }

    override func main() {
        counters.runs.enter()
        counters.runs.leave()
    }
}
