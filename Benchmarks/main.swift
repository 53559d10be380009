// The benchmarks of the package: each scenario against a rival that does the same work, in the same run.

/// Measures, prints a row as soon as it is there, and says how it ended.
func measure(_ scenarios: [Scenario], _ arguments: Arguments) -> Int32 {
    var isMissed = false, count = 0
    if !arguments.isJSON {
        Program.say(
            "\(Machine.cores) cores; medians of \(arguments.plan.runs) samples in turn; a ratio below 1 means less than the rival\n")
        Program.say(Table.header)
    }
    for scenario in scenarios where arguments.plan.wants(scenario) {
        do {
            for row in try scenario.measure(arguments.plan) where arguments.plan.wants(row.scenario) {
                count += 1
                if row.isMet == false { isMissed = true }
                Program.say(arguments.isJSON ? row.json : Table.line(for: row))
            }
        } catch {
            Program.complain("Benchmarks: \(scenario.name): \(error)")
            return 2
        }
    }
    if count == 0 {
        Program.complain("Benchmarks: no row has a name that was asked for")
        return 64
    }
    return isMissed && arguments.isStrict ? 1 : 0
}

func runChild(_ name: String, _ plan: Plan) -> Int32 {
    guard let task = childTasks.first(where: { $0.name == name }) else {
        Program.complain("Benchmarks: there is no task '\(name)' for a child process")
        return 64
    }
    do { try task.run(plan) } catch {
        Program.complain("Benchmarks: \(name): \(error)")
        return 2
    }
    return 0
}

func benchmark() -> Int32 {
    let scenarios = allScenarios
    let arguments: Arguments
    do { arguments = try Arguments(Array(CommandLine.arguments.dropFirst()), scenarios: scenarios) } catch {
        if let misuse = error as? Arguments.Misuse { Program.complain("Benchmarks: \(misuse.text)\n\(Arguments.usage)") }
        return 64
    }
    switch arguments.task {
    case .help:
        Program.say(Arguments.usage)
        return 0
    case .list:
        for scenario in scenarios { Program.say(scenario.name) }
        return 0
    case .instructions: return Instructions.report(asJSON: arguments.isJSON) ? 0 : 1
    case .child(let name): return runChild(name, arguments.plan)
    case .measure: return measure(scenarios, arguments)
    }
}

Program.end(benchmark())
