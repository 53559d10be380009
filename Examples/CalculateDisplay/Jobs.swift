// The two jobs of the tutorial: `Calculate` leaves its sum where `Display`, which depends on it, finds it.

import WorkQueues

final class Calculate: Job, @unchecked Sendable {
    let first: Int
    let second: Int
    private(set) var sum: Int?

    init(_ first: Int, _ second: Int) {
        self.first = first
        self.second = second
    }

    override func main() {
        do {
            sum = try adding(first, second)
        } catch {
            fail(with: error)
        }
    }
}

final class Display: Job, @unchecked Sendable {
    override func main() {
        if let sum = dependencies.compactMap({ ($0 as? Calculate)?.sum }).first {
            print("Sum = \(sum)")
        }
    }
}
