// Questions to an outcome or a refusal that can be asserted in one line.
import WorkQueues
import XCTest

/// An error that says which one it is.
struct Trouble: Error, Hashable {
    let number: Int

    init(_ number: Int = 0) {
        self.number = number
    }
}

func hasSucceeded(_ outcome: Job.Outcome?) -> Bool {
    if case .succeeded? = outcome { true } else { false }
}

func failure(_ outcome: Job.Outcome?) -> (any Error)? {
    if case .failed(let error)? = outcome { error } else { nil }
}

func trouble(_ outcome: Job.Outcome?) -> Trouble? {
    failure(outcome) as? Trouble
}

func cancellation(_ outcome: Job.Outcome?) -> Job.CancellationReason? {
    if case .cancelled(let reason)? = outcome { reason } else { nil }
}

/// Fails unless `body` is refused with this code; gives the error for further questions.
@discardableResult
func assertRefused(
    _ code: JobError.Code, _ what: String = "", file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void
) -> JobError? {
    do {
        try body()
        XCTFail("not refused: \(what)", file: file, line: line)
    } catch let error as JobError {
        XCTAssertEqual(error.code, code, what, file: file, line: line)
        XCTAssertFalse(error.message.isEmpty, "a refusal says why", file: file, line: line)
        return error
    } catch {
        XCTFail("refused with \(error): \(what)", file: file, line: line)
    }
    return nil
}

/// True when `body` throws `CancellationError`.
func throwsCancellation(_ body: () throws -> Void) -> Bool {
    do {
        try body()
        return false
    } catch {
        return error is CancellationError
    }
}
