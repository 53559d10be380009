// Lets threads of their own do the same round at the same moment, many times over.
import Foundation
import Synchronization
import XCTest

/// In each round one thread calls `prepare`, then every side runs on its own thread at once, then, when all are through, `check` is called.
/// Nothing of a round is held when `check` has returned. True when all rounds were done in time.
@discardableResult
func race<State: Sendable>(
    rounds: Int, within seconds: Double = 2 * patience, _ what: String = "", file: StaticString = #filePath, line: UInt = #line,
    prepare: @escaping @Sendable (Int) -> State, _ sides: (@Sendable (State) -> Void)...,
    check: @escaping @Sendable (Int, State) -> Void = { _, _ in }
) -> Bool {
    race(rounds: rounds, within: seconds, what, file: file, line: line, prepare: prepare, sides, check: check)
}

@discardableResult
func race<State: Sendable>(
    rounds: Int, within seconds: Double = 2 * patience, _ what: String = "", file: StaticString = #filePath, line: UInt = #line,
    prepare: @escaping @Sendable (Int) -> State, _ sides: [@Sendable (State) -> Void],
    check: @escaping @Sendable (Int, State) -> Void = { _, _ in }
) -> Bool {
    let startingLine = StartingLine(parties: sides.count)
    let shared = Guarded<State?>(nil)
    // In functions of their own, so that no thread holds the round's state beyond them.
    @Sendable func set(_ round: Int) { shared.set(prepare(round)) }
    @Sendable func run(_ side: @Sendable (State) -> Void) { if let state = shared.current { side(state) } }
    @Sendable func close(_ round: Int) {
        if let state = shared.with({ (state: inout State?) in state.take() }) { check(round, state) }
    }

    let finish = Finish(count: sides.count)
    for (index, side) in sides.enumerated() {
        let thread = Thread {
            for round in 0..<rounds {
                if index == 0 { set(round) }
                guard startingLine.meet() else { break }
                run(side)
                guard startingLine.meet() else { break }
                if index == 0 { close(round) }
            }
            finish.leave()
        }
        thread.stackSize = largeStack
        thread.start()
    }
    guard finish.wait(seconds), !startingLine.isBroken else {
        startingLine.giveUp()
        Watchdog.bark()
        XCTFail("a race did not end within \(seconds) s: \(what)", file: file, line: line)
        return false
    }
    return true
}

/// A spinning barrier: those who wait for each other leave it within nanoseconds of one another.
private final class StartingLine: Sendable {
    private let parties: Int
    private let present = Atomic<Int>(0)
    private let round = Atomic<Int>(0)
    private let broken = Atomic<Bool>(false)

    init(parties: Int) {
        self.parties = parties
    }

    var isBroken: Bool { broken.load(ordering: .acquiring) }

    func giveUp() {
        broken.store(true, ordering: .releasing)
    }

    func meet() -> Bool {
        let mine = round.load(ordering: .acquiring)
        if present.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == parties {
            present.store(0, ordering: .relaxed)
            round.store(mine + 1, ordering: .releasing)
            return true
        }
        var turns = 0
        while round.load(ordering: .acquiring) == mine {
            if isBroken { return false }
            turns += 1
            // More parties than cores: hand the core on, or the last one never comes.
            if turns % 64 == 0 { sched_yield() }
        }
        return true
    }
}

private final class Finish: @unchecked Sendable {
    // Unchecked: the count is touched under the condition's lock alone.
    private let condition = NSCondition()
    private var left: Int

    init(count: Int) {
        left = count
    }

    func leave() {
        condition.lock()
        left -= 1
        condition.broadcast()
        condition.unlock()
    }

    func wait(_ seconds: Double) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while left > 0 {
            if !condition.wait(until: deadline), left > 0 { return false }
        }
        return true
    }
}
