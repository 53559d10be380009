// A list that any thread may append to, for asserting an order of events.
final class Log<Element: Sendable>: Sendable {
    private let entries = Guarded<[Element]>([])

    init() {}

    var values: [Element] {
        entries.with { $0 }
    }

    var count: Int {
        entries.with { $0.count }
    }

    func append(_ element: Element) {
        entries.with { $0.append(element) }
    }
}
