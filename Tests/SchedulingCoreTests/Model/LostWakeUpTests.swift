// The argument that no wake-up is lost, walked through state by state: the protocol as it stands, in all its small worlds.

import SchedulingCore
import XCTest

final class LostWakeUpTests: XCTestCase {
    private func assertHolds(
        _ setting: ModelSetting, _ what: String, leavingOut omission: Omission? = nil, file: StaticString = #filePath, line: UInt = #line
    ) {
        let report = LostWakeUpModel(setting, leavingOut: omission).explore()
        print("\(what), width \(setting.width): \(report.states) states, \(report.steps) steps, \(report.restingStates) states at rest")
        if let violation = report.violation {
            XCTFail("\(what), width \(setting.width): \(violation)\n  \(report.path.joined(separator: "\n  "))", file: file, line: line)
        }
    }

    func testTwoProducersWithTwoJobsEach() {
        for width: Int8 in 0...2 { assertHolds(ModelSetting(width: width, producers: [[1, 1], [1, 1]]), "two jobs one by one") }
    }

    func testBatches() {
        for width: Int8 in 0...2 { assertHolds(ModelSetting(width: width, producers: [[2], [1]]), "a batch and a job") }
    }

    func testSuspendingAndResumingMeanwhile() {
        for width: Int8 in 0...2 {
            assertHolds(ModelSetting(width: width, controls: [.suspend, .resume]), "suspend, resume")
            assertHolds(ModelSetting(width: width, isSuspended: true, controls: [.resume]), "resume")
        }
        assertHolds(ModelSetting(width: 2, producers: [[2], [1]], controls: [.suspend, .resume]), "suspend, resume, three jobs")
    }

    func testChangingTheWidthMeanwhile() {
        for width: Int8 in 0...2 {
            assertHolds(ModelSetting(width: width, controls: [.width(0), .width(2)]), "width to 0, to 2")
            assertHolds(ModelSetting(width: width, controls: [.width(1)]), "width to 1")
        }
    }

    func testAsynchronousJobsThatAreEndedFromElsewhere() {
        for width: Int8 in 0...2 { assertHolds(ModelSetting(width: width, isAsynchronous: true), "asynchronous jobs") }
        assertHolds(
            ModelSetting(width: 2, producers: [[2]], controls: [.suspend, .resume], isAsynchronous: true),
            "suspend, resume, asynchronous jobs")
    }

    func testAFullQueueOfAutomaticWidthGoesOnLooking() {
        for width: Int8 in 1...2 {
            assertHolds(ModelSetting(width: width, producers: [[1, 1], [1]], isAutomatic: true), "automatic width")
            assertHolds(ModelSetting(width: width, controls: [.suspend, .resume], isAutomatic: true), "suspend, resume, automatic width")
        }
    }

    func testAPoolThatIsShortOfWorkers() {
        for width: Int8 in 0...2 {
            assertHolds(ModelSetting(width: width, producers: [[2], [1]], budget: 0), "no worker but the first")
            assertHolds(ModelSetting(width: width, producers: [[2], [1]], budget: 1), "one worker besides the first")
            assertHolds(ModelSetting(width: width, budget: 0, hasGuest: true), "a worker comes back, goes, comes back")
        }
        assertHolds(ModelSetting(width: 3, producers: [[3], [1]], budget: 1), "one worker besides the first, four jobs")
    }

    func testAJobCancelledWhileItIsAdded() {
        for width: Int8 in 0...2 { assertHolds(ModelSetting(width: width, hasCanceller: true), "a cancel") }
        assertHolds(ModelSetting(width: 2, isSuspended: true, controls: [.resume], hasCanceller: true), "a cancel, resume")
        assertHolds(ModelSetting(width: 1, producers: [[2], [1]], hasCanceller: true), "a cancel in a batch")
    }

    func testAJobWhoseEdgeIsMetWhileItIsAdded() {
        for width: Int8 in 0...2 { assertHolds(ModelSetting(width: width, producers: [[1, 1], [1]], hasEdge: true), "an edge") }
        assertHolds(ModelSetting(width: 2, controls: [.suspend, .resume], hasEdge: true), "an edge, suspend, resume")
        assertHolds(ModelSetting(width: 2, producers: [[1], [1]], budget: 0, hasEdge: true), "an edge, no worker but the first")
        assertHolds(ModelSetting(width: 1, producers: [[2], [1]], hasEdge: true), "an edge in a batch")
    }

    func testWorkersThatGiveWayAfterEachJob() {
        for width: Int8 in 0...2 { assertHolds(ModelSetting(width: width, givesWayAfterEachJob: true), "an underlying queue") }
    }

    /// A section takes in at its begin for the order of jobs, and for who asks what the queue holds. For wake-ups alone the look after
    /// the bell would do, since it sees whatever the begin would have seen.
    func testForWakeUpsTheSecondLookIsEnough() {
        for width: Int8 in 0...2 {
            assertHolds(
                ModelSetting(width: width, controls: [.suspend, .resume]), "no taking in at the begin", leavingOut: .noTakingInAtBegin)
        }
    }

    /// The model's two decisions are those of the machine that the engine asks.
    func testTheModelDecidesAsTheMachineDoes() {
        for number in 0..<3 * 2 * 3 * 3 * 3 * 3 {
            var rest = number
            func next(_ count: Int) -> Int {
                defer { rest /= count }
                return rest % count
            }
            let width = next(3), isSuspended = next(2) == 1, executing = next(3), ready = next(3), coming = next(3), ends = next(3)
            var machine = QueueMachine(width: 2, isSuspended: false)
            for _ in 0..<executing + ready { _ = machine.register(lane: 0, isBarrier: false, standing: .ready) }
            for _ in 0..<executing { _ = machine.claim() }
            machine.setWidth(width)
            machine.setSuspended(isSuspended)
            machine.staffing.siteOnTheirWay = coming
            machine.staffing.ends = ends

            let model = LostWakeUpModel(ModelSetting())
            var state = model.initial
            state.width = Int8(width)
            state.isSuspended = isSuspended
            state.executing = Int8(executing)
            state.ready = UInt8(1 << ready - 1)
            state.siteOnTheirWay = Int8(coming)
            state.ends = UInt8(1 << ends - 1)
            let numbers = "width \(width), suspended \(isSuspended), executing \(executing), ready \(ready), coming \(coming), ends \(ends)"
            XCTAssertEqual(Int(model.siteShortage(state)), machine.siteShortage, numbers)
            XCTAssertEqual(model.wantsBell(state), machine.wantsBell, numbers)
            XCTAssertTrue(machine.siteShortage <= 0 || machine.mayBeShort, numbers)
        }
    }
}
