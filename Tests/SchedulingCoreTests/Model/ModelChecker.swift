// Walks through every state of the model, breadth first, so that the path to what is wrong is a shortest one.

/// Something that must not happen.
struct ModelViolation: Error {
    let what: String
}

struct ModelReport {
    var states = 0
    var steps = 0
    /// States in which every thread may stay for ever, which is where a forgotten job shows.
    var restingStates = 0
    var violation: String?
    /// The steps to the violation, in words.
    var path: [String] = []
}

extension LostWakeUpModel {
    /// One move: a thread takes its next step, or the oldest store in its buffer reaches the memory.
    struct Move {
        var thread: UInt8
        var drains: Bool
    }

    func explore(limit: Int = 500_000) -> ModelReport {
        var report = ModelReport()
        var seen: Set<UInt64> = [initial.fingerprint]
        var parents: [Int32] = [-1]
        var moves: [Move] = [Move(thread: 0, drains: false)]
        var frontier: [(state: ModelState, index: Int32)] = [(initial, 0)]
        var silence: [String]?

        func describe(_ violation: ModelViolation, after index: Int32, _ last: Move?) {
            report.states = seen.count
            report.violation = violation.what
            var way = last.map { [$0] } ?? []
            var index = index
            while index > 0 {
                way.append(moves[Int(index)])
                index = parents[Int(index)]
            }
            report.path = replay(way.reversed())
        }

        while !frontier.isEmpty {
            var next: [(state: ModelState, index: Int32)] = []
            for (state, index) in frontier {
                var mayStayForEver = true, canMove = false
                for thread in state.threads.indices {
                    if !isAtRest(state.threads[thread]) { mayStayForEver = false }
                    for drains in [false, true] where drains ? state.threads[thread].buffer != 0 : isEnabled(thread, state) {
                        canMove = true
                        let move = Move(thread: UInt8(thread), drains: drains)
                        var successor = state
                        do throws(ModelViolation) { try perform(move, on: &successor, &silence) } catch {
                            describe(error, after: index, move)
                            return report
                        }
                        report.steps += 1
                        guard seen.insert(successor.fingerprint).inserted else { continue }
                        next.append((successor, Int32(parents.count)))
                        parents.append(index)
                        moves.append(move)
                    }
                }
                do throws(ModelViolation) {
                    if mayStayForEver {
                        report.restingStates += 1
                        try checkAtRest(state)
                    } else if !canMove {
                        throw ModelViolation(what: "threads block each other")
                    }
                    if seen.count > limit { throw ModelViolation(what: "more than \(limit) states") }
                } catch {
                    describe(error, after: index, nil)
                    return report
                }
            }
            frontier = next
        }
        report.states = seen.count
        return report
    }

    /// The moves in words.
    private func replay(_ moves: [Move]) -> [String] {
        var state = initial
        var words: [String]? = []
        for move in moves {
            do throws(ModelViolation) { try perform(move, on: &state, &words) } catch { break }
        }
        return words ?? []
    }
}
