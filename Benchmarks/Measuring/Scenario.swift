// What is measured: scenarios, and how thoroughly a run goes about them.

struct Scenario {
    let name: String
    let measure: (Plan) throws -> [Row]

    init(_ name: String, measure: @escaping (Plan) throws -> [Row]) {
        self.name = name
        self.measure = measure
    }
}

/// How a run measures: at which sizes, how often, and what.
struct Plan {
    var isQuick = false
    var filters: [String] = []

    /// How many samples each side gives.
    var runs: Int { isQuick ? 3 : 5 }
    /// How many nanoseconds of work a sample holds at least, where the work can be repeated.
    var leastSample: Double { isQuick ? 5e6 : 200e6 }

    func size(_ full: Int, quick: Int) -> Int { isQuick ? quick : full }
    func size(_ full: Double, quick: Double) -> Double { isQuick ? quick : full }

    /// The same plan for everything.
    var withoutFilters: Plan { Plan(isQuick: isQuick) }

    /// Whether a filter names the scenario, or one of its rows.
    func wants(_ scenario: Scenario) -> Bool {
        filters.isEmpty || filters.contains { $0.matches(scenario.name) || $0.hasPrefix(scenario.name + "/") }
    }

    /// Whether a filter names the row, or its scenario as a whole.
    func wants(_ row: String) -> Bool {
        filters.isEmpty || filters.contains { $0.matches(row) || row.hasPrefix($0 + "/") || $0.matches(String(row.prefix { $0 != "/" })) }
    }
}

extension String {
    /// Whether this filter names it: in full, or with a star at its end for whatever may follow.
    fileprivate func matches(_ name: String) -> Bool {
        hasSuffix("*") ? name.hasPrefix(dropLast()) : name == self
    }
}
