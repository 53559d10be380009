// Section 5 of the contract: the programs of the tutorials, with the names changed.
import Foundation
import WorkQueues
import XCTest

private final class DownloadImage: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let number: Int
    private let log: Log<String>

    init(_ number: Int, _ log: Log<String>) {
        self.number = number
        self.log = log
        super.init()
    }

    override func main() {
        log.append("\(number) begins")
        Thread.sleep(forTimeInterval: 0.3)
        log.append("\(number) ends")
    }
}

private final class Calculate: Job, @unchecked Sendable {
    // Unchecked: `sum` is written by the job and read by those that depend on it, later.
    let first: Int
    let second: Int
    var sum: Int?

    init(first: Int, second: Int) {
        self.first = first
        self.second = second
        super.init()
    }

    override func main() { sum = first + second }
}

private final class Display: Job, @unchecked Sendable {
    // Unchecked, as the superclass: all stored properties are constants.
    let lines: Log<String>

    init(_ lines: Log<String>) {
        self.lines = lines
        super.init()
    }

    override func main() {
        guard let sum = dependencies.compactMap({ ($0 as? Calculate)?.sum }).first else { return }
        lines.append("Sum = \(sum)")
    }
}

final class SeedProgramTests: XCTestCase {
    func testSection5_WidthOneRunsTheDownloadsStrictlyOneAfterTheOther() throws {
        let queue = WorkQueue(), log = Log<String>()
        queue.maxConcurrentJobCount = 1
        try queue.addJob(DownloadImage(1, log))
        try queue.addJob(DownloadImage(2, log))
        assertDrained(queue)
        XCTAssertEqual(log.values, ["1 begins", "1 ends", "2 begins", "2 ends"])
    }

    func testSection5_TheDefaultWidthRunsBothAtOnce() throws {
        let queue = WorkQueue(), log = Log<String>()
        try queue.addJob(DownloadImage(1, log))
        try queue.addJob(DownloadImage(2, log))
        assertDrained(queue)
        XCTAssertEqual(Set(log.values.prefix(2)), ["1 begins", "2 begins"])
    }

    func testSection5_WithADependencyTheSecondComesBeforeTheFirst() throws {
        let queue = WorkQueue(), log = Log<String>(), first = DownloadImage(1, log), second = DownloadImage(2, log)
        try first.addDependency(second)
        try queue.addJob(first)
        try queue.addJob(second)
        assertDrained(queue)
        XCTAssertEqual(log.values, ["2 begins", "2 ends", "1 begins", "1 ends"])
    }

    func testSection5_WithTheDependencyRemovedAgainBothRunAtOnce() throws {
        let queue = WorkQueue(), log = Log<String>(), first = DownloadImage(1, log), second = DownloadImage(2, log)
        try first.addDependency(second)
        first.removeDependency(second)
        try queue.addJob(first)
        try queue.addJob(second)
        assertDrained(queue)
        XCTAssertEqual(Set(log.values.prefix(2)), ["1 begins", "2 begins"])
    }

    func testSection5_AMutualDependencyIsRefusedAndBothStillRun() throws {
        let queue = WorkQueue(), log = Log<String>(), first = DownloadImage(1, log), second = DownloadImage(2, log)
        try first.addDependency(second)
        XCTAssertThrowsError(try second.addDependency(first)) { XCTAssertEqual(($0 as? JobError)?.code, .dependencyCycle) }
        try queue.addJobs([first, second], waitUntilFinished: false)
        assertDrained(queue)
        XCTAssertEqual(log.values, ["2 begins", "2 ends", "1 begins", "1 ends"])
    }

    func testSection5_CalculateThenDisplay() throws {
        let queue = WorkQueue(), lines = Log<String>()
        let calculate = Calculate(first: 5, second: 10), display = Display(lines)
        try display.addDependency(calculate)
        try queue.addJobs([calculate, display])
        assertDrained(queue)
        XCTAssertEqual(lines.values, ["Sum = 15"])
    }

    func testSection5_CalculateThenDisplayWaitingForTheBatch() {
        let lines = Log<String>()
        within {
            let queue = WorkQueue(), calculate = Calculate(first: 20, second: 22), display = Display(lines)
            try display.addDependency(calculate)
            try queue.addJobs([display, calculate], waitUntilFinished: true)
            XCTAssertEqual(lines.values, ["Sum = 42"])
        }
    }

    func testSection5_TheTypedFormInTwoLines() {
        let queue = WorkQueue(), lines = Log<String>()
        let sum = queue.addJob { 5 + 10 }
        queue.addJob(after: sum) { lines.append("Sum = \($0)") }
        assertDrained(queue)
        XCTAssertEqual(lines.values, ["Sum = 15"])
    }

    func testSection5_CancellingOneDownload() throws {
        let queue = WorkQueue(), log = Log<String>(), first = DownloadImage(1, log), second = DownloadImage(2, log)
        queue.maxConcurrentJobCount = 1
        try queue.addJobs([first, second])
        second.cancel()
        assertDrained(queue)
        XCTAssertEqual(log.values, ["1 begins", "1 ends"])
        XCTAssertTrue(second.isCancelled && second.isFinished)
        XCTAssertFalse(first.isCancelled)
    }

    func testSection5_CancellingAllDownloads() throws {
        let queue = WorkQueue(), log = Log<String>(), downloads = (1...5).map { DownloadImage($0, log) }
        queue.maxConcurrentJobCount = 1
        try queue.addJobs(downloads)
        eventually("the first begins") { log.count > 0 }
        queue.cancelAllJobs()
        assertDrained(queue)
        XCTAssertEqual(log.values, ["1 begins", "1 ends"], "what runs is not interrupted")
        XCTAssertTrue(downloads.allSatisfy { $0.isCancelled && $0.isFinished })
    }

    func testSection5_ProgressIsShownAsItChanges() throws {
        let queue = WorkQueue(), download = ProgressingDownload(expected: 1_000), shown = Log<String>()
        let watching = download.observe(\.received, options: [.initial, .new]) { download, change in
            shown.append("\(change.newValue ?? -1) of \(download.expected)")
        }
        let ended = download.observe(\.isFinished) { download, _ in shown.append("done \(download.isFinished)") }
        try queue.addJob(download)
        assertDrained(queue)
        XCTAssertEqual(shown.values, ["0 of 1000", "250 of 1000", "500 of 1000", "750 of 1000", "1000 of 1000", "done true"])
        watching.invalidate()
        ended.invalidate()
    }
}

/// Receives in pieces, and posts its progress as a key-value observed property of its own.
private final class ProgressingDownload: AsyncJob, @unchecked Sendable {
    // Unchecked: what varies is behind a lock.
    let expected: Int
    private let count = Guarded(0)

    var received: Int { count.current }

    init(expected: Int) {
        self.expected = expected
        super.init()
    }

    override func main() {
        DispatchQueue(label: "network").async {
            for _ in 0..<4 {
                self.willChangeValue(forKey: "received")
                self.count.with { $0 += 250 }
                self.didChangeValue(forKey: "received")
            }
            self.finish()
        }
    }
}
