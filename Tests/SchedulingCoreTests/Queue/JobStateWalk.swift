// Every change that may be made to a job's word, and a walk through all the words they lead to.

import SchedulingCore

/// One way to change a word.
struct WordChange: Sendable {
    let name: String
    /// Whether the engine could make the change now.
    let isPossible: @Sendable (JobState) -> Bool
    /// Makes the change; returns the name of a refusal, which must change nothing, or nil.
    let make: @Sendable (inout JobState) -> String?

    init(
        _ name: String, if isPossible: @escaping @Sendable (JobState) -> Bool = { _ in true },
        _ make: @escaping @Sendable (inout JobState) -> String?
    ) {
        self.name = name
        self.isPossible = isPossible
        self.make = make
    }

    /// All of them, those of the graph and the extras apart, which touch one bit each.
    static let all: [WordChange] = entering + edges + asking + starting + ending

    private static let entering = [
        WordChange("reserve") { word in
            switch word.reserve() {
            case .reserved: nil
            case let refusal: "\(refusal)"
            }
        },
        accept(isPlain: true), accept(isPlain: false),
        WordChange("withdraw", if: { $0.isQueued && $0.phase != .executing && !$0.isInStart && !$0.isClosed }) { word in
            _ = word.withdraw()
            return nil
        },
        WordChange("mark the end on arrival", if: { $0.isQueued && $0.isEndOwed }) { word in
            word.rawValue |= JobState.markEndOnArrival
            return nil
        },
    ]

    private static func accept(isPlain: Bool) -> WordChange {
        // Between being reserved and accepted a job may be cancelled, finished, or started by hand.
        WordChange("accept(isPlain: \(isPlain))", if: { $0.isReserved && !$0.isQueued }) { word in
            switch word.accept(isPlain: isPlain) {
            case .accepted, .ready: nil
            case let refusal: "\(refusal)"
            }
        }
    }

    private static let edges = [
        WordChange("addUnmetEdge", if: { $0.unmetEdges < 2 }) { word in
            switch word.addUnmetEdge() {
            case .added: nil
            case let refusal: "\(refusal)"
            }
        },
        WordChange("removeUnmetEdge", if: { $0.unmetEdges > 0 }) { word in
            _ = word.removeUnmetEdge()
            return nil
        },
        meetEdge(isPlain: true), meetEdge(isPlain: false),
    ]

    private static func meetEdge(isPlain: Bool) -> WordChange {
        WordChange("meetEdge(isPlain: \(isPlain))", if: { $0.isQueued && $0.unmetEdges > 0 }) { word in
            _ = word.meetEdge(isPlain: isPlain)
            return nil
        }
    }

    private static let asking = [
        answer(true), answer(false),
        WordChange("answer(false), late") { word in
            let posts = word.posts
            _ = word.post()
            let before = word
            _ = word.answer(false, posts: posts)
            return word == before ? nil : "a late answer counted"
        },
        WordChange("post") { word in
            _ = word.post()
            return nil
        },
    ]

    private static func answer(_ isReady: Bool) -> WordChange {
        WordChange("answer(\(isReady))") { word in
            switch word.answer(isReady, posts: word.posts) {
            case .becameReady: nil
            case let refusal: "\(refusal)"
            }
        }
    }

    private static let starting = [
        WordChange("claim", if: { $0.isQueued }) { word in
            switch word.claim() {
            case .begun: nil
            case let refusal: "\(refusal)"
            }
        },
        startByHand(isAsynchronous: false), startByHand(isAsynchronous: true),
        WordChange("enterCancelledStart", if: { $0.isQueued && $0.isEndOwed && !$0.isInStart && $0.phase != .executing }) { word in
            word.enterCancelledStart() ? nil : "finished"
        },
        WordChange("leaveStart", if: { $0.isInStart && ($0.phase == .executing || $0.isFinished) }) { word in
            _ = word.leaveStart()
            return nil
        },
        WordChange("workDespiteCancellation", if: { $0.isInStart && $0.isQueued && $0.isEndOwed && $0.phase != .executing }) { word in
            _ = word.workDespiteCancellation()
            return nil
        },
    ]

    private static func startByHand(isAsynchronous: Bool) -> WordChange {
        WordChange("startByHand(isAsynchronous: \(isAsynchronous))") { word in
            switch word.startByHand(isAsynchronous: isAsynchronous) {
            case .begun, .cancelled: nil
            case let refusal: "\(refusal)"
            }
        }
    }

    private static let ending = [
        WordChange("cancel") { word in word.cancel() == .ignored ? "ignored" : nil },
        finish(failed: false), finish(failed: true),
        WordChange("noteFailure") { word in word.noteFailure() ? nil : "finished" },
        WordChange("resolve", if: { $0.isFinished }) { word in
            word.resolve()
            return nil
        },
        WordChange("close", if: { $0.isFinished }) { word in
            word.close(extrasDone: false, nodeDone: false) ? nil : "something is attached"
        },
        WordChange("finishAlone") { word in word.finishAlone() ? nil : "somebody has a part in it" },
        WordChange("finishUnstartedAlone") { word in word.finishUnstartedAlone() ? nil : "somebody has a part in it" },
        WordChange("settle", if: { $0.isClosed }) { word in
            word.settle()
            return nil
        },
    ]

    private static func finish(failed: Bool) -> WordChange {
        WordChange("finish(failed: \(failed))") { word in word.finish(failed: failed) == .late ? "late" : nil }
    }
}

extension JobState {
    /// Told without changing anything: a second queue would be refused though no queue has it yet.
    var isReserved: Bool {
        var copy = JobState()
        _ = copy.reserve()
        return rawValue & (copy.rawValue ^ JobState().rawValue) != 0
    }

    /// Its phase, its edges, and the names of its flags.
    var text: String {
        let flags = [
            isQueued ? "queued" : isReserved ? "reserved" : nil, isCancelled ? "cancelled" : nil, isFailed ? "failed" : nil,
            isInStart ? "in start" : nil, isHeld ? "held" : nil, isEndOwed ? "end owed" : nil, endsOnArrival ? "ends on arrival" : nil,
            isResolved ? "resolved" : nil, isClosed ? "closed" : nil, isSettled ? "settled" : nil,
        ]
        return "\(phase) [\(flags.compactMap(\.self).joined(separator: ", "))], \(unmetEdges) edges"
    }

    /// The word without its count of posts, which only grows.
    var withoutPosts: JobState { JobState(rawValue: rawValue & ~(0xFFF << 20)) }
}

/// A change and the words before and after it.
struct WordStep: CustomStringConvertible {
    let change: WordChange
    let before: JobState
    let after: JobState
    let refusal: String?

    var description: String { "\(before.text) -> \(change.name)\(refusal.map { " refused (\($0))" } ?? "") -> \(after.text)" }

    /// Every step from every word that a new job's can become, posts apart, with at most two unmet edges.
    static func forEach(_ body: (WordStep) -> Void) -> Int {
        var seen: Set<UInt64> = [JobState().rawValue]
        var open = [JobState()]
        while let word = open.popLast() {
            for change in WordChange.all where change.isPossible(word) {
                var next = word
                let refusal = change.make(&next)
                body(WordStep(change: change, before: word, after: next, refusal: refusal))
                if seen.insert(next.withoutPosts.rawValue).inserted { open.append(next.withoutPosts) }
            }
        }
        return seen.count
    }
}
