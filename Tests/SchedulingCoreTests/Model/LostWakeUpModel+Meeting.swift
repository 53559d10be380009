// The edge of a job: who adds the job while it is unmet does not ring, because whoever meets it looks.

extension LostWakeUpModel {
    /// The job with an edge.
    private static var dependent: UInt8 { 1 }

    /// The jobs that may not start yet.
    func unmet(_ state: ModelState) -> UInt8 { setting.hasEdge && !state.isMet ? 1 << Self.dependent : 0 }

    /// Those of them that are registered, and so stand in no order.
    func heldBack(_ state: ModelState) -> UInt8 { state.registered & unmet(state) }

    /// Whether this is a push of the one job, which has its edge still. A batch always rings.
    func hasUnmetEdge(_ jobs: [UInt8], _ state: ModelState) -> Bool { jobs.count == 1 && unmet(state) & 1 << jobs[0] != 0 }

    /// The dependency ends in another queue, or in this one, where a worker does the same on its look.
    func beginMeeting(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) {
        state.threads[index].position = 1
        state.threads[index].section = .meet
        state.threads[index].step = omission == .meetingOutsideTheFunnel ? .meetEdge : .lock
    }

    /// Under the queue's lock: the word changes, and a registered job takes its place.
    func meet(_ index: Int, _ state: inout ModelState, _ words: inout [String]?) {
        note(&words, index, state, "meets the edge")
        state.isMet = true
        state.ready |= state.registered & 1 << Self.dependent
        if omission == .meetingOutsideTheFunnel { state.threads[index].step = .atRest } else { settleStaff(index, &state) }
    }
}
