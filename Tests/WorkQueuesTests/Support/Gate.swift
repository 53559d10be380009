// A one-way gate: closed at first, opened once, with a watchdog for whoever stands before it.
import Dispatch
import Foundation
import XCTest

final class Gate: @unchecked Sendable {
    // Unchecked: what varies is touched under the condition's lock alone.

    private let condition = NSCondition()
    private var isOpenNow = false
    private var nextWaiter = 0
    private var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]

    init() {}

    var isOpen: Bool {
        condition.lock()
        defer { condition.unlock() }
        return isOpenNow
    }

    func open() {
        for waiter in release() {
            waiter.resume(returning: true)
        }
    }

    /// Blocks the calling thread. When the gate stays shut too long the test fails and the caller goes on.
    func wait(file: StaticString = #filePath, line: UInt = #line) {
        let deadline = Date(timeIntervalSinceNow: patience)
        condition.lock()
        while !isOpenNow {
            if !condition.wait(until: deadline), !isOpenNow {
                condition.unlock()
                Watchdog.bark()
                XCTFail("a gate stayed shut for \(Int(patience)) s", file: file, line: line)
                return
            }
        }
        condition.unlock()
    }

    /// Suspends the calling task, with the same watchdog.
    func opened(file: StaticString = #filePath, line: UInt = #line) async {
        let inTime = await withCheckedContinuation { continuation in
            guard let waiter = enlist(continuation) else {
                continuation.resume(returning: true)
                return
            }
            // Weak: a timer that is still armed must not keep a gate of a test that is over.
            DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak self] in
                self?.dismiss(waiter)?.resume(returning: false)
            }
        }
        if !inTime {
            Watchdog.bark()
            XCTFail("a gate stayed shut for \(Int(patience)) s", file: file, line: line)
        }
    }

    private func release() -> [CheckedContinuation<Bool, Never>] {
        condition.lock()
        defer { condition.unlock() }
        isOpenNow = true
        condition.broadcast()
        defer { waiters.removeAll() }
        return Array(waiters.values)
    }

    private func enlist(_ continuation: CheckedContinuation<Bool, Never>) -> Int? {
        condition.lock()
        defer { condition.unlock() }
        guard !isOpenNow else { return nil }
        nextWaiter += 1
        waiters[nextWaiter] = continuation
        return nextWaiter
    }

    private func dismiss(_ waiter: Int) -> CheckedContinuation<Bool, Never>? {
        condition.lock()
        defer { condition.unlock() }
        return waiters.removeValue(forKey: waiter)
    }
}
