// The canceller's part: the mark on a job that has not come in, and what the producer and the registration do about it.

extension LostWakeUpModel {
    /// The job that is cancelled.
    private static var victim: UInt8 { 1 }

    /// The word says what is owed: nothing in no queue or once it has begun, otherwise the end.
    func cancel(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) {
        let job = UInt8(1) << Self.victim
        state.threads[index].position = 1
        state.cancelled |= job
        let owesEnd = state.accepted & job != 0 && state.started & job == 0
        note(&words, index, state, "cancels job \(Self.victim)\(owesEnd ? "" : ", and owes nothing")")
        guard owesEnd else { return }
        state.threads[index].section = .endUnstarted
        state.threads[index].step = .lock
    }

    /// `accept`: one that was cancelled before is marked at once.
    func accept(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) {
        note(&words, index, state, "accepts \(batch(of: index, state).map { "job \($0)" }.joined(separator: ", "))")
        for job in batch(of: index, state) { state.accepted |= 1 << job }
        state.endsOnArrival |= state.accepted & ~state.pushed & state.cancelled
        state.threads[index].step = omission == .wordReadBeforePush ? .earlyWord : .push
    }

    /// The marked ones of the producer's batch.
    func marked(_ index: Int, _ state: ModelState) -> UInt8 {
        batch(of: index, state).reduce(0) { $0 | 1 << $1 } & state.endsOnArrival
    }

    /// `mustBeLooked`, after the bell.
    func lookAtWord(_ index: Int, _ state: inout ModelState) {
        state.threads[index].section = .ring
        let wasMarked = state.threads[index].register != 0
        if omission == .wordReadBeforePush { state.threads[index].register = 0 }
        if !setting.hasCanceller || omission == .wordNotRead || omission == .wordReadBeforePush && !wasMarked {
            state.threads[index].position += 1
            state.threads[index].step = .atRest
        } else {
            state.threads[index].step = omission == .wordReadBeforePush ? .lock : .lookAtWord
        }
    }

    /// `register`
    func register(_ job: UInt8, _ state: inout ModelState) {
        let job = UInt8(1) << job
        state.registered |= job
        if state.endsOnArrival & job != 0 { state.left |= job } else if (state.cancelled | unmet(state)) & job == 0 { state.ready |= job }
    }

    /// `handOver(unstarted:)`
    func startHandingOver(_ index: Int, _ state: inout ModelState) {
        let job = UInt8(1) << Self.victim
        if state.registered & job == 0 {
            state.threads[index].step = .markOnArrival
        } else {
            state.ready &= ~job
            state.left |= job
            settleStaff(index, &state)
        }
    }

    func handOverUnstarted(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) {
        if state.threads[index].step == .markOnArrival {
            note(&words, index, state, "marks job \(Self.victim) to end on arrival")
            state.endsOnArrival |= 1 << Self.victim
            if omission == .noTakingInAfterMark { return settleStaff(index, &state) }
            state.threads[index].step = .lookForMarked
            return
        }
        let isEmpty = loadHead(index, state) == 0
        note(&words, index, state, "looks whether the job has come in: the intake is \(isEmpty ? "empty" : "not empty")")
        if isEmpty { settleStaff(index, &state) } else { state.threads[index].step = .takeInAgain }
    }
}
