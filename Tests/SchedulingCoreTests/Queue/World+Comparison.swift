// Compares what can be seen of the machine and of the words with what the reference scheduler says.

import SchedulingCore

extension World {
    mutating func compare() throws(Disagreement) {
        try compareJobs()
        try compareNext()
    }

    func checkInvariants() throws(Disagreement) {
        let faults = machine.checkInvariants()
        try expect(faults.isEmpty, faults.joined(separator: "\n"))
    }

    /// What would happen next at each of these widths, and while suspended.
    func compareNext(atWidths widths: ClosedRange<Int>) throws(Disagreement) {
        var other = self
        for width in widths {
            other.machine.setWidth(width)
            other.reference.width = width
            try other.compareNext()
        }
        other.machine.setSuspended(true)
        other.reference.isSuspended = true
        try other.compareNext()
    }

    func describe(_ claim: ReferenceScheduler.Claim?) -> String {
        switch claim {
        case .job(let number)?: "job \(number)"
        case .ask(let number)?: "job \(number) to ask"
        case nil: "nothing"
        }
    }

    private func compareJobs() throws(Disagreement) {
        let handles = machine.handles()
        try expect(machine.jobCount == reference.jobs.count, "\(machine.jobCount) jobs instead of \(reference.jobs.count)")
        try expect(handles.count == reference.jobs.count, "\(handles.count) jobs listed instead of \(reference.jobs.count)")
        var executing = 0, lending = 0
        for (handle, job) in zip(handles, reference.jobs) {
            let number = numbers[Int(handle.index)]
            try expect(number == job.number, "job \(number ?? -1) stands where \(job.number) should")
            try compare(job, standing: machine.standing(of: handle))
            if job.state == .executing { executing += 1 }
            if job.state == .lending || job.state == .returning { lending += 1 }
        }
        try expect(machine.executing == executing, "\(machine.executing) jobs are executing instead of \(executing)")
        try expect(machine.lending == lending, "\(machine.lending) jobs lent their slots instead of \(lending)")
        try expect(machine.returners == returning.count, "\(machine.returners) jobs return instead of \(returning.count)")
        try expect(returning == reference.returners, "\(returning) return instead of \(reference.returners)")
    }

    private func compare(_ job: ReferenceScheduler.Job, standing: Standing) throws(Disagreement) {
        let word = members[job.number].word
        let agrees: Bool
        switch job.state {
        case .waiting:
            switch standing {
            case .waiting, .unasked, .asking, .ready: agrees = true
            case .free, .executing, .lending, .ending: agrees = false
            }
            let phase: JobPhase = job.isReady ? .ready : .waiting
            try expect(word.phase == phase || job.isCancelled, "job \(job.number) is \(word.phase) instead of \(phase)")
            try expect(word.unmetEdges == job.dependencies.count, "job \(job.number) has \(word.unmetEdges) unmet edges")
        case .executing: agrees = standing == .executing && word.phase == .executing
        case .lending, .returning: agrees = standing == .lending && word.phase == .executing
        case .ending: agrees = standing == .ending && word.phase != .executing
        }
        try expect(agrees, "job \(job.number) is \(standing), its word \(word.phase), where it should be \(job.state)")
        try expect(word.isCancelled == job.isCancelled, "job \(job.number) \(word.isCancelled ? "is" : "is not") cancelled")
    }

    /// Who would start next, and that somebody is summoned to see to it, and nobody in vain.
    private mutating func compareNext() throws(Disagreement) {
        let expected = reference.nextClaim
        let mayStart = !reference.isSuspended && reference.returners.isEmpty && reference.executingCount < reference.width
        try expect(
            machine.wantsBell == mayStart, "producers \(mayStart ? "do not " : "")ring where a job could\(mayStart ? "" : " not") start")
        if !machine.mayBeShort {
            try expect(machine.siteShortage <= 0 && machine.errandShortage <= 0, "workers are missing, and nobody would count")
        }
        if expected != nil { try expect(machine.siteShortage > 0, "\(describe(expected)) is next, and no worker is summoned") }
        var other = self
        let found = other.nextAssignment()
        try expect(found == expected, "\(describe(found)) is next instead of \(describe(expected))")
        if expected == nil {
            try expect(other.machine.siteShortage == 0, "nothing is next, and still a worker is summoned")
            if isLookedAtInVain { self = other }
        }
        if reference.isSuspended || reference.executingCount >= reference.width, reference.jobs.contains(where: \.mustBeAsked) {
            try expect(machine.wantsAsking && machine.errandShortage > 0, "no errand worker is summoned to ask")
        }
    }
}
