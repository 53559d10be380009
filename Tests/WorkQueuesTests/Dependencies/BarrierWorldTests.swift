// Edges and barriers of two queues in any order: exactly what would close a ring is refused, compared with a plain search (D2).
import WorkQueues
import XCTest

final class BarrierWorldTests: XCTestCase {
    /// What should be: who is where, who waits for whom, and a search through all of it.
    private struct Model {
        struct Entry {
            let job: Job
            var queue: Int?
            /// How many jobs its queue had been given before it.
            var place = 0
            var isBarrier = false
            var hasEnded = false
            var dependencies: Set<Int> = []
        }

        var entries: [Entry] = []
        var placed = [0, 0]

        mutating func put(_ number: Int, into queue: Int) {
            entries[number].queue = queue
            entries[number].place = placed[queue]
            placed[queue] += 1
        }

        func waits(_ one: Int, for other: Int) -> Bool {
            let (waiter, target) = (entries[one], entries[other])
            if waiter.hasEnded || target.hasEnded { return false }
            if waiter.dependencies.contains(other) { return true }
            guard let queue = waiter.queue, queue == target.queue, target.place < waiter.place else { return false }
            return waiter.isBarrier || target.isBarrier
        }

        /// Whether a way leads from one down to the other.
        func reaches(_ other: Int, from one: Int) -> Bool {
            var seen: Set = [one]
            var stack = [one]
            while let next = stack.popLast() {
                for number in entries.indices where waits(next, for: number) {
                    if number == other { return true }
                    if seen.insert(number).inserted { stack.append(number) }
                }
            }
            return false
        }
    }

    func testD2_AnyEdgesAndBarriersInAnyOrder() {
        let fresh = UInt64.random(in: 1 ... .max)
        print("fresh seed \(fresh)")
        for seed in [1, 2, 3, fresh] {
            var generator = SeededGenerator(seed: seed)
            var refusals = 0
            for _ in 0..<Rounds.scaled(500) { refusals += runWorld("seed \(seed)", using: &generator) }
            XCTAssertGreaterThan(refusals, 0)
        }
    }

    private func runWorld(_ world: String, using generator: inout SeededGenerator) -> Int {
        let queues = (0..<2).map { _ in WorkQueue(maxConcurrentJobCount: 1, isSuspended: true) }
        var model = Model()
        var refusals = 0
        for _ in 0..<60 {
            let queue = Int.random(in: 0..<2, using: &generator)
            let living = model.entries.indices.filter { !model.entries[$0].hasEnded }
            guard living.count > 1 else {
                model.entries.append(Model.Entry(job: Probe()))
                continue
            }
            let one = living.randomElement(using: &generator)!, other = living.randomElement(using: &generator)!
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<4: model.entries.append(Model.Entry(job: Probe()))
            case 4, 5:
                model.entries.append(Model.Entry(job: queues[queue].addBarrierBlock {}, isBarrier: true))
                model.put(model.entries.count - 1, into: queue)
            case 6..<9:
                guard model.entries[one].queue == nil else { continue }
                var after = model
                after.put(one, into: queue)
                if check(after.reaches(one, from: one), world, { try queues[queue].addJob(model.entries[one].job) }) {
                    refusals += 1
                } else {
                    model = after
                }
            case 9:
                model.entries[one].job.removeDependency(model.entries[other].job)
                model.entries[one].dependencies.remove(other)
            case 10:
                // What was cancelled ends at once, though the queue is suspended; in no queue it does not.
                guard model.entries[one].queue != nil else { continue }
                model.entries[one].job.cancel()
                waitForEnd(of: model.entries[one].job)
                model.entries[one].hasEnded = true
            default:
                var after = model
                after.entries[one].dependencies.insert(other)
                let closes = one == other || after.reaches(one, from: one)
                if check(closes, world, { try model.entries[one].job.addDependency(model.entries[other].job) }) {
                    refusals += 1
                } else {
                    model = after
                }
            }
        }
        for queue in queues { queue.cancelAllJobs() }
        for queue in queues { assertDrained(queue) }
        return refusals
    }

    /// Whether it was refused, as it should be or not.
    private func check(_ closesRing: Bool, _ world: String, _ body: () throws -> Void) -> Bool {
        let error = refusal(body)
        XCTAssertEqual(error?.code, closesRing ? .dependencyCycle : nil, world)
        return error != nil
    }
}
