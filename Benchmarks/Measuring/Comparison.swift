// Measuring two contestants against each other: one sample of ours, one of the rival, and again.

extension Plan {
    /// Checks both contestants, then takes samples of them in turn. The figures are medians of nanoseconds per job.
    ///
    /// A sample repeats the work until it is long enough to be measured.
    func compare(
        _ row: String, width: Int?, target: Double?, _ ours: Contestant, against rival: Contestant
    ) throws -> [Row] {
        guard wants(row) else { return [] }
        var sides = [Side(of: ours), Side(of: rival)]
        for index in sides.indices { try sides[index].prepare(leastSample: leastSample) }
        for _ in 0..<runs {
            for index in sides.indices { try sides[index].takeSample() }
        }
        return [
            Row(
                scenario: row, subject: ours.name, n: ours.jobs, width: width, figure: median(sides[0].samples),
                rival: rival.name, rivalFigure: median(sides[1].samples), target: target)
        ]
    }
}

private struct Side {
    let contestant: Contestant
    var repetitions = 1
    var samples: [Double] = []

    init(of contestant: Contestant) { self.contestant = contestant }

    /// Proves that the work is done, which also warms up, and finds out how often it must be done for a sample.
    mutating func prepare(leastSample: Double) throws {
        let proof = try timed { try contestant.prove() }
        // What takes longer than that needs neither a second warm-up nor repetitions.
        if proof > 1e9 { return }
        var measured = 0.0
        let all = try timed { measured = try contestant.run(nil) }
        // Work that is timed only in part is repeated as if all of it were timed, so that no sample takes for ever.
        if measured > 0 { repetitions = min(10_000, max(1, Int((leastSample / max(measured, all)).rounded(.up)))) }
    }

    mutating func takeSample() throws {
        var sum = 0.0
        for _ in 0..<repetitions { sum += try contestant.run(nil) }
        samples.append(sum / Double(repetitions * contestant.jobs))
    }
}
