// One queue as the contract describes it: small, slow and obviously right, to compare the real machine with.

struct ReferenceScheduler {
    enum State {
        case waiting, executing, lending, returning, ending
    }

    struct Job {
        let number: Int
        let isBarrier: Bool
        /// Nothing overrides `isReady`, so it says yes once the edges are met.
        let isPlain: Bool
        var priority: Int
        /// The unmet edges.
        var dependencies: [Int]
        var state: State
        /// `cancel()` ran.
        var isCancelled = false
        /// `cancelAllJobs` marked it.
        var isDoomed = false
        /// What `isReady` said; nil if it must be asked.
        var saysYes: Bool?
        var isBeingAsked = false
        /// What came by since the question was put.
        var wasPosted = false
        var gotEdge = false

        /// Whether it has a place in the order of starting. While it is asked it keeps the place, whatever comes by.
        var isPlaced: Bool {
            if state != .waiting || isDoomed { return false }
            return isBeingAsked || (!isCancelled && dependencies.isEmpty && saysYes != false)
        }
        var isReady: Bool { state == .waiting && dependencies.isEmpty && saysYes == true }
        var mustBeAsked: Bool { mayBeAsked && !isDoomed }
        /// What a doomed job is asked, and how often, does not matter.
        var mayBeAsked: Bool {
            state == .waiting && !isCancelled && dependencies.isEmpty && saysYes == nil && (!isBeingAsked || isDoomed)
        }
    }

    /// The unfinished jobs in the order of adding, which is the order of their numbers.
    private(set) var jobs: [Job] = []
    /// Jobs that wait for the slot they lent, the longest waiting first.
    private(set) var returners: [Int] = []
    var width: Int
    var isSuspended: Bool

    init(width: Int, isSuspended: Bool) {
        self.width = width
        self.isSuspended = isSuspended
    }

    var executingCount: Int { jobs.count { $0.state == .executing } }

    subscript(number: Int) -> Job? { jobs.first { $0.number == number } }

    private mutating func change(_ number: Int, _ body: (inout Job) -> Void) {
        for index in jobs.indices where jobs[index].number == number { body(&jobs[index]) }
    }
}

// MARK: - Who is next

extension ReferenceScheduler {
    /// W4, O2: the jobs that could start, by priority, then by the time of adding. A barrier waits for all before it, everything else for
    /// the barriers before it.
    var order: [Job] {
        var found: [Job] = []
        for (position, job) in jobs.enumerated() {
            if job.isPlaced && (position == 0 || !job.isBarrier) { found.append(job) }
            if job.isBarrier { break }
        }
        return found.sorted { $0.priority != $1.priority ? $0.priority > $1.priority : $0.number < $1.number }
    }

    enum Claim: Equatable {
        case job(Int), ask(Int)
    }

    /// W1, W3, O4: what a worker that looks gets to do.
    var nextClaim: Claim? {
        guard !isSuspended, returners.isEmpty, executingCount < width, let first = order.first, !first.isBeingAsked else { return nil }
        return first.isReady ? .job(first.number) : .ask(first.number)
    }

    /// O4, W1, W3: whether an executing job that lends its slot may run this job itself, which need not be the first one.
    func maySwap(_ waiter: Int, for number: Int) -> Bool {
        guard self[waiter]?.state == .executing, !isSuspended, returners.isEmpty, executingCount - 1 < width else { return false }
        return order.contains { $0.number == number && $0.isReady }
    }
}

// MARK: - Rings

extension ReferenceScheduler {
    /// D2: whether a job waits for another one, or is it, through edges and barriers.
    func waits(_ number: Int, for other: Int) -> Bool {
        var found = [number]
        var index = 0
        while index < found.count {
            if found[index] == other { return true }
            for next in waitedFor(by: found[index]) where !found.contains(next) { found.append(next) }
            index += 1
        }
        return false
    }

    private func waitedFor(by number: Int) -> [Int] {
        guard let job = self[number] else { return [] }
        return job.dependencies + jobs.filter { $0.number < number && (job.isBarrier || $0.isBarrier) }.map(\.number)
    }
}

// MARK: - What happens

extension ReferenceScheduler {
    mutating func add(_ number: Int, priority: Int, isBarrier: Bool, isPlain: Bool, dependencies: [Int], isCancelled: Bool) {
        jobs.append(
            Job(
                number: number, isBarrier: isBarrier, isPlain: isPlain, priority: priority, dependencies: dependencies,
                state: isCancelled ? .ending : .waiting, isCancelled: isCancelled, saysYes: isPlain ? true : nil))
    }

    mutating func start(_ number: Int) { change(number) { $0.state = .executing } }

    /// The job leaves, and the edges that point at it are met.
    mutating func finish(_ number: Int) {
        jobs.removeAll { $0.number == number }
        for index in jobs.indices { jobs[index].dependencies.removeAll { $0 == number } }
    }

    mutating func addEdge(from number: Int, to dependency: Int) {
        change(number) { job in
            job.dependencies.append(dependency)
            job.saysYes = job.isPlain ? true : nil
            if job.isBeingAsked { job.gotEdge = true }
        }
    }

    mutating func removeEdge(from number: Int, to dependency: Int) {
        change(number) { $0.dependencies.removeAll { $0 == dependency } }
    }

    mutating func cancel(_ number: Int) { change(number) { $0.isCancelled = true } }

    /// C2: the job ends without a slot.
    mutating func end(_ number: Int) { change(number) { $0.state = .ending } }

    /// C5.
    mutating func doomAll() {
        for index in jobs.indices where jobs[index].state == .waiting { jobs[index].isDoomed = true }
    }

    mutating func setPriority(_ number: Int, to priority: Int) { change(number) { $0.priority = priority } }

    // MARK: L2: what isReady says

    mutating func ask(_ number: Int) {
        change(number) { job in
            job.isBeingAsked = true
            job.wasPosted = false
            job.gotEdge = false
        }
    }

    mutating func post(_ number: Int) {
        change(number) { job in
            if job.isBeingAsked { job.wasPosted = true } else if job.saysYes == false { job.saysYes = nil }
        }
    }

    /// The job answered. What was asked before an edge was added does not count after it, and a "no" not after a post.
    mutating func answer(_ number: Int, _ answer: Bool) {
        change(number) { job in
            guard job.isBeingAsked else { return }
            let counts = !job.isCancelled && job.dependencies.isEmpty && job.saysYes == nil
            if counts && (job.gotEdge || (!answer && job.wasPosted)) {
                job.wasPosted = false
                job.gotEdge = false
                return
            }
            job.isBeingAsked = false
            if counts { job.saysYes = answer }
        }
    }

    // MARK: O4: lending

    mutating func lend(_ number: Int) { change(number) { $0.state = .lending } }

    mutating func comeBack(_ number: Int) {
        change(number) { $0.state = .returning }
        returners.append(number)
    }

    /// A returner is next for a slot, whatever the suspension; at width 0 as if it were 1.
    mutating func admitReturners() {
        while let first = returners.first, executingCount < max(1, width) {
            returners.removeFirst()
            change(first) { $0.state = .executing }
        }
    }
}
