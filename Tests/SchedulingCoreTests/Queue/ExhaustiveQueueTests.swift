// Every small world, in every state it can come to.

import SchedulingCore
import XCTest

final class ExhaustiveQueueTests: XCTestCase {
    /// D4, C2, W1, W3, W4, O2: every graph of up to four jobs in every order of adding (543 of four jobs), and every choice of barriers
    /// among them. Priorities: three in every distribution for up to three jobs; for four, all equal or one above the others, and rising
    /// where there are barriers.
    ///
    /// In each state that such a world can come to, whichever job ends first: a worker looks, each executing job ends, each waiting one is
    /// cancelled, each cancelled one ends, each edge is removed, and jobs and barriers are added; and at each width from 0 to 3, and
    /// suspended, the next start is compared.
    func testD4W1W3W4_EveryGraphOfUpToFourJobs() throws {
        var exploration = Exploration(widths: 0...3) { world in
            if world.reference.jobs.count > 2 { return world.ordinaryEvents }
            let arrivals = [Plan(priority: 1), Plan(priority: 3), Plan(priority: 3, isBarrier: true)]
            return world.ordinaryEvents + arrivals.map { .arrive($0) }
        }
        XCTAssertEqual((1...4).map { SmallGraph.all(size: $0).count }, [1, 3, 25, 543])
        for size in (1...4).reversed() {
            for barriers in SmallGraph.barrierSets(size: size) {
                for graph in SmallGraph.all(size: size, barriers: barriers) {
                    for priorities in priorities(size: size, barriers: barriers) {
                        try exploration.explore(from: graph.world(width: 3) { Plan(priority: priorities[$0], isAsynchronous: $0 % 2 == 1) })
                    }
                }
            }
        }
        exploration.report()
    }

    /// W1, W3, O4, L4: every graph of up to three jobs, barriers among them, while the width is set to each value from 0 to 2, the queue is
    /// suspended and resumed, executing jobs lend their slots and want them back, alone or together in the step in which the job they wait
    /// for leaves, unstarted ones end themselves, and cancelled ones work all the same.
    func testO4W1W3_EveryPointOfLendingWidthAndSuspension() throws {
        var exploration = Exploration(widths: nil) { world in
            world.ordinaryEvents + world.settings(widths: 0...2) + world.lendingEvents
        }
        for size in (1...3).reversed() {
            for barriers in SmallGraph.barrierSets(size: size) {
                for graph in SmallGraph.all(size: size, barriers: barriers) {
                    try exploration.explore(from: graph.world(width: 1) { Plan(isAsynchronous: $0 % 2 == 0) })
                }
            }
        }
        exploration.report()
    }

    /// O4, C5: executing jobs try to run the others themselves, while slots are lent, cancels come in two halves, and all are doomed.
    func testO4C5_EveryPointOfRunningAnotherJobOneself() throws {
        var exploration = Exploration(widths: nil) { world in
            world.ordinaryEvents + world.settings(widths: 0...1) + world.lendingEvents + world.swaps + world.flags + [.doomAll]
        }
        for barriers in SmallGraph.barrierSets(size: 3) where barriers.count < 2 {
            let graph = SmallGraph(size: 3, dependencies: [[], [], []], barriers: barriers)
            try exploration.explore(from: graph.world(width: 1) { Plan(isPlain: $0 != 1, isAsynchronous: $0 % 2 == 0) })
        }
        exploration.report()
    }

    /// O2: up to three jobs without edges, with and without barriers, whose priorities are changed to each of three at any point.
    func testO2_EveryPointOfPriorityChanges() throws {
        var exploration = Exploration(widths: 1...2) { world in world.ordinaryEvents + world.priorityChanges }
        for barriers in SmallGraph.barrierSets(size: 3) {
            let graph = SmallGraph(size: 3, dependencies: [[], [], []], barriers: barriers)
            try exploration.explore(from: graph.world(width: 2) { _ in Plan() })
        }
        exploration.report()
    }

    /// L2, O2, D1, C5: up to two jobs with and without overridden `isReady`, edges and barriers, while they are asked by site and errand
    /// workers, answer and post, edges come and go, all are doomed, and cancels come in two halves.
    func testL2D1C5_EveryPointOfAskingAndOfLateEdges() throws {
        var exploration = Exploration(widths: nil) { world in
            world.ordinaryEvents + world.settings(widths: 1...1) + world.askingEvents(addingEdges: true)
        }
        for size in (1...2).reversed() {
            for plain in SmallGraph.barrierSets(size: size) {
                for barriers in SmallGraph.barrierSets(size: size) {
                    for graph in SmallGraph.all(size: size, barriers: barriers) {
                        try exploration.explore(from: graph.world(width: 1) { Plan(isPlain: plain.contains($0)) })
                    }
                }
            }
        }
        exploration.report()
    }

    /// L2, O2: the same for three jobs without edges of which any may have `isReady` overridden.
    func testL2O2_EveryPointOfAskingSomeOfThree() throws {
        var exploration = Exploration(widths: 1...2) { world in world.ordinaryEvents + world.askingEvents(addingEdges: false) }
        for asked in SmallGraph.barrierSets(size: 3) {
            let graph = SmallGraph(size: 3, dependencies: [[], [], []], barriers: [])
            try exploration.explore(from: graph.world(width: 2) { Plan(isPlain: !asked.contains($0)) })
        }
        exploration.report()
    }

    /// Two jobs, one of them with overridden `isReady` and one of them a barrier or none, to which all of the above may happen at any
    /// point.
    func testEveryPointOfEverythingForTwoJobs() throws {
        var exploration = Exploration(widths: nil) { world in
            world.ordinaryEvents + world.settings(widths: 0...1) + world.lendingEvents + world.swaps + world.askingEvents(addingEdges: true)
        }
        for barriers in SmallGraph.barrierSets(size: 2) where barriers.count < 2 {
            let graph = SmallGraph(size: 2, dependencies: [[], []], barriers: barriers)
            try exploration.explore(from: graph.world(width: 1) { Plan(isPlain: $0 == 0, isAsynchronous: true) })
        }
        exploration.report()
    }

    private func priorities(size: Int, barriers: Set<Int>) -> [[Int]] {
        if size < 4 { return SmallGraph.assignments(of: [1, 2, 3], size: size) }
        // What stands behind a barrier has every reason to overtake it.
        if !barriers.isEmpty { return [[1, 2, 3, 3]] }
        // The first job above the others starts first, as it does among equals.
        return [[1, 1, 1, 1]] + (1..<size).map { raised in (0..<size).map { $0 == raised ? 3 : 1 } }
    }
}
