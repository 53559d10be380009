// The seed programs: what the tutorials show with OperationQueue, WorkQueue shows too.
import WorkQueues
import XCTest

final class SeedProgramTests: XCTestCase {
    private static let oneAfterTheOther = ["first starts", "first ends", "second starts", "second ends"]

    func testSection5_DownloadsAtWidthOneRunOneAfterTheOther() {
        onBothSides { side in
            let log = Log<String>()
            let queue = side.queue(width: 1)
            queue.add(side.download("first", seconds: 0.1, report: log.append))
            queue.add(side.download("second", seconds: 0.1, report: log.append))
            queue.waitForAll()
            XCTAssertEqual(log.values, Self.oneAfterTheOther, "\(side)")
        }
    }

    func testSection5_DownloadsAtTheDefaultWidthRunBothAtOnce() {
        onBothSides { side in
            let log = Log<String>()
            let queue = side.queue()
            queue.add(side.download("first", seconds: 0.5, report: log.append))
            queue.add(side.download("second", seconds: 0.5, report: log.append))
            queue.waitForAll()
            XCTAssertEqual(Set(log.values.prefix(2)), ["first starts", "second starts"], "\(side)")
        }
    }

    func testSection5_ADependencyTurnsTheOrderRound() {
        onBothSides { side in
            let log = Log<String>()
            let queue = side.queue()
            let first = side.download("first", seconds: 0.1, report: log.append)
            let second = side.download("second", seconds: 0.1, report: log.append)
            first.depend(on: second)
            queue.add(first)
            queue.add(second)
            queue.waitForAll()
            XCTAssertEqual(log.values, ["second starts", "second ends", "first starts", "first ends"], "\(side)")
        }
    }

    /// On Linux Foundation never runs an operation that lost an edge: see `testD4_ARemovedEdgeHoldsNobody`.
    func testSection5_WithTheDependencyRemovedBothRunAtOnce() {
        within {
            let log = Log<String>()
            let queue = WorkQueue()
            let first = WorkQueuesSeeds.DownloadImage("first", seconds: 0.5, report: log.append)
            let second = WorkQueuesSeeds.DownloadImage("second", seconds: 0.5, report: log.append)
            try first.addDependency(second)
            first.removeDependency(second)
            try queue.addJob(first)
            try queue.addJob(second)
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(Set(log.values.prefix(2)), ["first starts", "second starts"])
        }
    }

    /// Foundation admits the second edge and hangs: see `testD2_ARingIsRefusedInsteadOfHanging`.
    func testSection5_TwoThatDependOnEachOtherTheSecondEdgeThrowsAndBothRun() {
        within {
            let log = Log<String>()
            let queue = WorkQueue()
            let first = WorkQueuesSeeds.DownloadImage("first", seconds: 0.01, report: log.append)
            let second = WorkQueuesSeeds.DownloadImage("second", seconds: 0.01, report: log.append)
            try first.addDependency(second)
            assertRefused(.dependencyCycle) { try second.addDependency(first) }
            try queue.addJob(first)
            try queue.addJob(second)
            queue.waitUntilAllJobsAreFinished()
            XCTAssertEqual(log.values, ["second starts", "second ends", "first starts", "first ends"])
        }
    }

    func testSection5_DisplayReadsTheSumOfItsDependency() {
        onBothSides { side in
            let log = Log<String>()
            let calculate = side.calculate(first: 5, second: 10)
            let display = side.display(show: log.append)
            display.depend(on: calculate)
            side.queue().add([display, calculate], waiting: true)
            XCTAssertEqual(log.values, ["Sum = 15"], "\(side)")
        }
    }

    /// Foundation has no typed form; this is the whole of ours.
    func testSection5_TheTypedFormOfCalculateAndDisplay() {
        within {
            let queue = WorkQueue()
            let calculate = queue.addJob { 5 + 10 }
            let display = queue.addJob(after: calculate) { sum in "Sum = \(sum)" }
            XCTAssertEqual(try display.waitForValue(), "Sum = 15")
        }
    }

    func testSection5_CancelledDownloadsDoNotBegin() {
        onBothSides { side in
            let log = Log<String>()
            let queue = side.queue(width: 1, isSuspended: true)
            let downloads = ["first", "second", "third"].map { side.download($0, seconds: 0.01, report: log.append) }
            for download in downloads { queue.add(download) }
            downloads[1].cancel()
            queue.isSuspended = false
            queue.waitForAll()
            XCTAssertEqual(log.values, ["first starts", "first ends", "third starts", "third ends"], "\(side)")
        }
    }

    func testSection5_CancellingTheQueueLeavesNothingToBegin() {
        onBothSides { side in
            let log = Log<String>()
            let queue = side.queue(width: 1, isSuspended: true)
            for title in ["first", "second", "third"] { queue.add(side.download(title, seconds: 0.01, report: log.append)) }
            queue.cancelAll()
            queue.isSuspended = false
            queue.waitForAll()
            XCTAssertEqual(log.values, [], "\(side)")
            XCTAssertEqual(queue.count, 0, "\(side)")
        }
    }

    func testSection5_ProgressShowsReceivedAgainstExpectedAsItChanges() {
        onBothSides { side in
            let log = Log<String>()
            let download = side.download(expected: 1000) { received, expected in log.append("\(received) of \(expected)") }
            side.queue().add([download], waiting: true)
            XCTAssertEqual(log.values, ["256 of 1000", "512 of 1000", "768 of 1000", "1000 of 1000"], "\(side)")
        }
    }
}

extension Side {
    fileprivate func download(_ title: String, seconds: Double, report: @escaping @Sendable (String) -> Void) -> any ParityJob {
        switch self {
        case .foundation: FoundationSeeds.DownloadImage(title, seconds: seconds, report: report)
        case .workQueues: WorkQueuesSeeds.DownloadImage(title, seconds: seconds, report: report)
        }
    }

    fileprivate func calculate(first: Int, second: Int) -> any ParityJob {
        switch self {
        case .foundation: FoundationSeeds.Calculate(first: first, second: second)
        case .workQueues: WorkQueuesSeeds.Calculate(first: first, second: second)
        }
    }

    fileprivate func display(show: @escaping @Sendable (String) -> Void) -> any ParityJob {
        switch self {
        case .foundation: FoundationSeeds.Display(show: show)
        case .workQueues: WorkQueuesSeeds.Display(show: show)
        }
    }

    fileprivate func download(expected: Int, progress: @escaping @Sendable (Int, Int) -> Void) -> any ParityJob {
        switch self {
        case .foundation: FoundationSeeds.Download(expected: expected, progress: progress)
        case .workQueues: WorkQueuesSeeds.Download(expected: expected, progress: progress)
        }
    }
}
