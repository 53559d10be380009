// One side of a comparison: a way to get a piece of work done.

struct Contestant {
    let name: String
    /// By how many jobs the time is divided.
    let jobs: Int
    /// Whether the work was done: every job exactly once, and in order where an order is due. Nil where there are no jobs.
    let check: ((Tally) throws -> Void)?
    /// Does the whole work once, and says how many nanoseconds it took. With a tally the jobs count themselves in; without one they
    /// do nothing.
    let run: (Tally?) throws -> Double

    init(
        _ name: String, jobs: Int, check: ((Tally) throws -> Void)? = { try $0.expectEachOnce() }, run: @escaping (Tally?) throws -> Double
    ) {
        self.name = name
        self.jobs = jobs
        self.check = check
        self.run = run
    }

    /// A limit that nothing can beat, or that must not be passed: always the same time.
    static func limit(_ name: String, jobs: Int, nanoseconds: Double) -> Contestant {
        Contestant(name, jobs: jobs, check: nil) { _ in nanoseconds }
    }

    /// The same work under another name.
    func named(_ name: String) -> Contestant { Contestant(name, jobs: jobs, check: check, run: run) }

    /// Does the work once with a tally, and fails unless all of it was done.
    func prove() throws {
        guard let check else { return }
        let tally = Tally(jobs: jobs)
        _ = try run(tally)
        do { try check(tally) } catch { throw CheckFailure("\(name): \(error)") }
    }
}
