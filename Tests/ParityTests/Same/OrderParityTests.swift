// Order of start and the end of a job: what OperationQueue and WorkQueue do alike.
import WorkQueues
import XCTest

final class OrderParityTests: XCTestCase {
    func testO2_WidthOneRunsInTheOrderOfAdding() {
        onBothSides { side in
            let log = Log<Int>()
            let queue = side.queue(width: 1)
            for job in side.jobs(100, log.append) { queue.add(job) }
            queue.waitForAll()
            XCTAssertEqual(log.values, Array(0..<100), "\(side)")
        }
    }

    func testO2_HighestPriorityFirstThenTheOrderOfAdding() {
        onBothSides { side in
            let log = Log<Int>()
            let queue = side.queue(width: 1, isSuspended: true)
            let ranks: [Rank] = [.low, .veryHigh, .normal, .veryLow, .high]
            for (number, job) in side.jobs(50, log.append).enumerated() {
                job.rank = ranks[number % ranks.count]
                queue.add(job)
            }
            queue.isSuspended = false
            queue.waitForAll()
            let expected = Rank.allCases.reversed().flatMap { rank in (0..<50).filter { ranks[$0 % ranks.count] == rank } }
            XCTAssertEqual(log.values, expected, "\(side)")
        }
    }

    func testS60_RaisingAWaitingJobMakesItNext() {
        onBothSides { side in
            let log = Log<Int>()
            let queue = side.queue(width: 1, isSuspended: true)
            let jobs = side.jobs(10, log.append)
            for job in jobs { queue.add(job) }
            jobs[9].rank = .veryHigh
            jobs[0].rank = .veryLow
            queue.isSuspended = false
            queue.waitForAll()
            XCTAssertEqual(log.values, [9, 1, 2, 3, 4, 5, 6, 7, 8, 0], "\(side)")
        }
    }

    func testS20_ACompletionSeesTheJobFinished() {
        onBothSides { side in
            let job = side.job()
            let seen = Log<[Bool]>()
            let completed = Gate()
            job.completionBlock = { [weak job] in
                if let job { seen.append([job.isFinished, job.isExecuting, job.isCancelled]) }
                completed.open()
            }
            side.queue().add(job)
            completed.wait()
            XCTAssertEqual(seen.values, [[true, false, false]], "\(side)")
        }
    }

    func testO3_ABatchWithAWaitReturnsWhenAllHaveRun() {
        onBothSides { side in
            let meter = Meter()
            let queue = side.queue(width: 4)
            queue.add(side.jobs(100) { _ in meter.enter() }, waiting: true)
            XCTAssertEqual(meter.total, 100, "\(side)")
            queue.waitForAll()
            XCTAssertEqual(queue.count, 0, "\(side)")
        }
    }

    func testS73_AnEmptyBatchAndAnEmptyQueueAreDoneAtOnce() {
        onBothSides(5) { side in
            let queue = side.queue()
            queue.add([], waiting: true)
            queue.waitForAll()
            XCTAssertEqual(queue.count, 0, "\(side)")
        }
    }

    func testS22_AWaitSeesTheJobsThatJobsAdd() {
        onBothSides { side in
            let log = Log<Int>()
            let queue = side.queue(width: 2)
            queue.add {
                log.append(1)
                side.currentQueue?.add {
                    log.append(2)
                    side.currentQueue?.add { log.append(3) }
                }
            }
            queue.waitForAll()
            XCTAssertEqual(log.values, [1, 2, 3], "\(side)")
        }
    }

    func testS127_TheCountFallsWhenJobsEnd() {
        onBothSides { side in
            let gate = Gate()
            let queue = side.queue(width: 7, isSuspended: true)
            queue.add(side.jobs(7) { _ in gate.wait() }, waiting: false)
            XCTAssertEqual(queue.count, 7, "\(side)")
            queue.isSuspended = false
            XCTAssertEqual(queue.count, 7, "\(side)")
            gate.open()
            queue.waitForAll()
            XCTAssertEqual(queue.count, 0, "\(side)")
        }
    }
}
