// Counts how many of a kind of object are alive, now and at most.
final class Lives: Sendable {
    private let meter = Meter()

    init() {}

    var alive: Int { meter.current }
    var peak: Int { meter.peak }
    var total: Int { meter.total }

    /// Stored in a job, or captured by a closure, it stands for that object's life.
    func token() -> Token { Token(meter) }

    final class Token: Sendable {
        private let meter: Meter

        fileprivate init(_ meter: Meter) {
            self.meter = meter
            meter.enter()
        }

        deinit {
            meter.leave()
        }
    }
}
