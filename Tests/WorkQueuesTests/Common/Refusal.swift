// The error of a refused call, in places that may not throw.
import WorkQueues
import XCTest

/// Nil when the call was accepted.
func refusal(_ body: () throws -> Void) -> JobError? {
    do {
        try body()
        return nil
    } catch {
        XCTAssertTrue(error is JobError, "\(error)")
        return error as? JobError
    }
}
