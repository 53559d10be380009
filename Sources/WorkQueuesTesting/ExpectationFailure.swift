// The one error of the testing tools: what was expected, what happened instead, and the schedule.

/// An expectation of a test that did not come true.
///
/// A test lets it pass out of its method (`try recorder.expectOrder("fetch", "parse")`): XCTest and Swift Testing both print its
/// description, which is the message and below it the drawing.
public struct ExpectationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected and what happened instead, in one sentence.
    public let message: String
    /// The schedules that belong to it, several lines; empty if there are none.
    public let drawing: String

    /// Makes a failure, for expectations of your own.
    public init(_ message: String, drawing: String = "") {
        self.message = message
        self.drawing = drawing
    }

    public var description: String { drawing.isEmpty ? message : "\(message)\n\(drawing)" }
}
