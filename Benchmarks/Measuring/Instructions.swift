// Instructions per job, counted by valgrind: the figure that no noise touches, to compare a change with the one before.

enum Instructions {
    /// Two sizes, so that what starting the process costs cancels out.
    private static let sizes = (small: 5_000, large: 25_000)

    /// The work that a child process does once, uncounted by itself, since valgrind counts.
    static var tasks: [ChildTask] {
        counted.flatMap { name, contestant in
            [sizes.small, sizes.large].map { jobs in
                ChildTask("instructions/\(name)/\(jobs)") { _ in [try contestant(jobs).run(nil)] }
            }
        }
    }

    private static var counted: [(String, (Int) -> Contestant)] {
        [
            ("flat", { Flat.workQueue(jobs: $0, width: 2) }),
            ("chain", { Chain.workQueue(jobs: $0, width: 2) }),
            ("fan", { Fan.workQueue(jobs: $0, width: 2) }),
        ]
    }

    /// Prints the instructions per job of each shape; false if they could not be counted.
    static func report(asJSON isJSON: Bool) -> Bool {
        guard Program.lines(of: "valgrind --version 2>/dev/null") != nil else {
            Program.complain("Benchmarks: valgrind is not installed, so no instructions can be counted.")
            return false
        }
        for (name, _) in counted {
            guard let small = count("instructions/\(name)/\(sizes.small)"), let large = count("instructions/\(name)/\(sizes.large)") else {
                Program.complain("Benchmarks: valgrind did not get through '\(name)'.")
                return false
            }
            let slope = Int(((large - small) / Double(sizes.large - sizes.small)).rounded())
            Program.say(isJSON ? "{\"scenario\": \"\(name)\", \"instructionsPerJob\": \(slope)}" : "\(name): \(slope) instructions per job")
        }
        return true
    }

    /// How many instructions a child process takes for a task.
    private static func count(_ task: String) -> Double? {
        let command = "valgrind --tool=callgrind --callgrind-out-file=/dev/null \(Program.quoted(Program.path)) --child \(task) 2>&1"
        let line = Program.lines(of: command)?.last { $0.contains("Collected :") }
        return line?.split(separator: " ").last.flatMap { Double($0) }
    }
}
