// The command line.

struct Arguments {
    enum Task: Equatable { case measure, help, list, instructions, child(String) }

    static let usage = """
        usage: Benchmarks [--quick] [--filter NAME]... [--format table|json] [--strict]
               Benchmarks --list
               Benchmarks --instructions [--format table|json]

          --quick          small sizes, to see that everything works; its figures mean nothing
          --filter NAME    only this scenario, or this row of one; 'flat*' is everything that begins so
          --format json    an object per line
          --strict         exit code 1 if a target was missed
          --list           the names of the scenarios
          --instructions   instructions per job, counted by valgrind
        """

    var task = Task.measure
    var plan = Plan()
    var isJSON = false
    var isStrict = false

    /// - Throws: `Misuse`, which says what is wrong.
    init(_ words: [String], scenarios: [Scenario]) throws {
        var rest = words[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw Misuse("\(option) needs a value") }
            return value
        }
        while let word = rest.popFirst() {
            switch word {
            case "--quick": plan.isQuick = true
            case "--strict": isStrict = true
            case "--help", "-h": task = .help
            case "--list": task = .list
            case "--instructions": task = .instructions
            case "--child": task = .child(try value(of: word))
            case "--filter":
                let filter = try value(of: word)
                guard scenarios.contains(where: { Plan(filters: [filter]).wants($0) }) else {
                    throw Misuse("there is no scenario '\(filter)'")
                }
                plan.filters.append(filter)
            case "--format":
                switch try value(of: word) {
                case "json": isJSON = true
                case "table": isJSON = false
                case let other: throw Misuse("there is no format '\(other)'")
                }
            default: throw Misuse("there is no option '\(word)'")
            }
        }
    }

    struct Misuse: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }
}
