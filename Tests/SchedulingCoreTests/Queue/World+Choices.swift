// What could happen next in a world.

import SchedulingCore

extension World {
    /// A worker looks, jobs end, jobs are cancelled, edges are removed.
    var ordinaryEvents: [Event] {
        var events: [Event] = reference.nextClaim == nil ? [] : [.look]
        for job in reference.jobs {
            let number = job.number
            switch job.state {
            case .waiting:
                if !job.isCancelled { events.append(.cancel(number)) }
                for dependency in job.dependencies { events.append(.removeEdge(number, dependency)) }
            case .executing: events.append(.finish(number))
            case .ending: events.append(.end(number))
            case .lending, .returning: break
            }
        }
        return events
    }

    func settings(widths: ClosedRange<Int>) -> [Event] {
        widths.filter { $0 != reference.width }.map { .setWidth($0) } + [.setSuspended(!reference.isSuspended)]
    }

    /// Slots are lent and wanted back, unstarted jobs end themselves, and cancelled ones work all the same.
    var lendingEvents: [Event] {
        var events: [Event] = []
        for job in reference.jobs {
            let number = job.number
            switch job.state {
            case .waiting: if !members[number].word.isFinished { events.append(.endItself(number)) }
            case .executing:
                events += [.lend(number), .cancel(number)]
                if reference.jobs.contains(where: { $0.state == .lending }) { events.append(.finishAwaited(number)) }
            case .lending:
                events.append(.comeBack(number))
                // A post may end an asynchronous job while its own task waits for another one.
                if members[number].plan.isAsynchronous { events.append(.finish(number)) }
            case .ending: if !members[number].word.isFinished { events.append(.work(number)) }
            case .returning: break
            }
        }
        return events
    }

    /// Cancels come in two halves.
    var flags: [Event] {
        reference.jobs.filter { $0.state == .waiting }.map { $0.isCancelled ? .handOver($0.number) : .flag($0.number) }
    }

    /// Executing jobs try to run the others themselves.
    var swaps: [Event] {
        let waiters = reference.jobs.filter { $0.state == .executing }.map(\.number)
        let others = reference.jobs.filter { $0.state == .waiting }.map(\.number)
        return waiters.flatMap { waiter in others.map { .swap(waiter, $0) } }
    }

    var priorityChanges: [Event] {
        reference.jobs.filter { $0.state == .waiting }.flatMap { job in
            [1, 2, 3].filter { $0 != job.priority }.map { .setPriority(job.number, $0) }
        }
    }

    /// `isReady` is asked and answers, cancels come in two halves, and edges come if they may.
    func askingEvents(addingEdges: Bool) -> [Event] {
        var events = flags + [.doomAll]
        if machine.wantsAsking { events.append(.askOnErrand) }
        for job in reference.jobs {
            let number = job.number
            if members[number].askedAt != nil { events += [.answer(number, false), .answer(number, true)] }
            events.append(.post(number))
            guard job.state == .waiting else { continue }
            guard addingEdges else { continue }
            for other in reference.jobs.map(\.number) where !job.dependencies.contains(other) && !reference.waits(other, for: number) {
                events.append(.addEdge(number, other))
            }
        }
        return events
    }
}
