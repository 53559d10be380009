// Commits one of Foundation's faults in a process of its own, and tells how that process ended.
import Dispatch
import Foundation
import XCTest

enum ChildEnd: Equatable {
    /// Foundation survived.
    case unharmed
    /// Still running when its time was up.
    case hung
    case killed(signal: Int32)
    case failed(status: Int32)
}

/// What Foundation does was seen on Linux, and is claimed for Linux alone.
let isFoundationOfLinux: Bool = {
    #if os(Linux)
    true
    #else
    false
    #endif
}()

/// Fails unless Foundation hangs on the fault, judged `seconds` after the child has begun.
func assertFoundationHangs(_ fault: String, within seconds: Double = 1, file: StaticString = #filePath, line: UInt = #line) {
    assertFoundation(fault, within: seconds, ends: "hangs", file: file, line: line) { $0 == .hung }
}

/// Fails unless the fault kills the process, by whichever signal.
func assertFoundationDies(_ fault: String, file: StaticString = #filePath, line: UInt = #line) {
    assertFoundation(fault, within: 30, ends: "dies", file: file, line: line) { if case .killed = $0 { true } else { false } }
}

func assertFoundation(
    _ fault: String, within seconds: Double, ends description: String, file: StaticString = #filePath, line: UInt = #line,
    _ isExpected: (ChildEnd) -> Bool
) {
    guard isFoundationOfLinux else { return }
    do {
        let end = try commit(fault, within: seconds)
        XCTAssertTrue(
            isExpected(end), "\(fault) ended as \(end); the documentation says that Foundation \(description)", file: file, line: line)
    } catch {
        XCTFail("\(fault): \(error)", file: file, line: line)
    }
}

private struct NoSign: Error {}

private func commit(_ fault: String, within seconds: Double) throws -> ChildEnd {
    let child = Process()
    let output = Pipe()
    let exited = DispatchSemaphore(value: 0)
    child.executableURL = products.appending(path: "FoundationFaults")
    child.arguments = [fault]
    // A backtrace of a crash that is wanted only costs time.
    child.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    child.standardOutput = output
    child.standardError = FileHandle.nullDevice
    child.terminationHandler = { _ in exited.signal() }
    try child.run()
    defer { if child.isRunning { kill(child.processIdentifier, SIGKILL) } }

    let begun = Gate()
    let said = Guarded("")
    // A thread that reads, not a readability handler: its source would still be registered when the pipe of a hung child is closed, and the
    // event loop of Dispatch does not survive that.
    let reader = Thread {
        let data = output.fileHandleForReading.availableData
        said.set(String(decoding: data, as: UTF8.self))
        begun.open()
    }
    reader.start()
    begun.wait()
    guard said.current.hasPrefix("began") else { throw NoSign() }
    guard exited.wait(timeout: .now() + seconds) == .success else { return .hung }
    if child.terminationReason == .uncaughtSignal { return .killed(signal: child.terminationStatus) }
    return child.terminationStatus == 0 ? .unharmed : .failed(status: child.terminationStatus)
}

/// Where the build puts executables: beside the test bundle, which on Linux is a plain file there.
private var products: URL {
    let bundle = Bundle(for: Anchor.self).bundleURL
    return bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
}

private final class Anchor {}
