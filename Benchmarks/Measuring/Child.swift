// Measurements in a process of their own, for what an earlier one would spoil: memory, threads that are there already, idle time.

/// Something that a child process measures.
struct ChildTask {
    let name: String
    let measure: (Plan) throws -> [Double]

    init(_ name: String, measure: @escaping (Plan) throws -> [Double]) {
        self.name = name
        self.measure = measure
    }

    /// Has a new process of this program do the task; the numbers it prints.
    func measureInChild(_ plan: Plan) throws -> [Double] {
        let command = [Program.quoted(Program.path), "--child", Program.quoted(name)] + (plan.isQuick ? ["--quick"] : [])
        guard let lines = Program.lines(of: command.joined(separator: " ")) else { throw CheckFailure("\(name): the child process failed") }
        return try lines.map { line in
            guard let number = Double(line) else { throw CheckFailure("\(name): the child process printed '\(line)'") }
            return number
        }
    }

    /// A contestant whose every run is a new process. The task gives the time, and checks by itself that all was done.
    func contestant(_ name: String, jobs: Int, _ plan: Plan) -> Contestant {
        Contestant(name, jobs: jobs, check: nil) { _ in
            guard let time = try measureInChild(plan).first else { throw CheckFailure("\(self.name): the child process printed nothing") }
            return time
        }
    }

    /// The part of the child: measures and prints.
    func run(_ plan: Plan) throws {
        for number in try measure(plan) { Program.say("\(number)") }
    }
}
