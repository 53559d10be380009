// What the model is run with: the threads and their programs, and the step that is left out.

/// The world of one run.
struct ModelSetting {
    enum Control {
        case suspend, resume, width(Int8)
    }

    var width: Int8 = 1
    var isSuspended = false
    /// For each producer the sizes of the batches that it adds, one after the other.
    var producers: [[UInt8]] = [[1], [1]]
    var controls: [Control] = []
    /// Jobs go on when `start()` has returned, and are ended by a foreign thread.
    var isAsynchronous = false
    /// The width is the automatic one, in a process whose cores are busy: it never grows, but the queue must go on looking.
    var isAutomatic = false
    /// Workers beyond the first that the pool has; nil if it never runs short.
    var budget: Int8?
    /// Another queue gives a worker back to the pool, takes it again, and gives it back, at any time.
    var hasGuest = false
    /// Somebody cancels job 1 at any time. Errands are done as soon as they are enlisted: the crew that does them is no part of the model.
    var hasCanceller = false
    /// Job 1 has an unmet edge, which somebody meets at any time.
    var hasEdge = false
    /// As on an underlying queue: a worker goes home after each job.
    var givesWayAfterEachJob = false
}

/// A step that the code takes and the model is told to leave out, or to take in a wrong way.
enum Omission: String, CaseIterable {
    // The bell and the intake.
    case bellReadBeforePush = "the producer looks at the bell before its push is visible"
    case bellStoreBuffered = "the section's store to the bell is not sequentially consistent"
    case noSecondLook = "the section does not look at the intake again after setting the bell"
    case secondLookBeforeBell = "the section looks at the intake again before setting the bell"
    case secondLookWithoutSettling = "the section registers what the second look found, and does not settle the staff again"
    case linkAfterPush = "the push is visible before the link to the jobs below it"
    case intakeEmptiedByStore = "the intake is emptied by a load and a store"
    case ringWithoutFunnel = "who turned the bell off does not go through the funnel"
    case bellTurnedOffLate = "the bell is turned off after the ringer's section instead of before it"
    case neverTakenIn = "a look takes nothing in, neither at its begin nor after setting the bell"
    case noTakingInAtBegin = "a section takes in at its end only"
    // The staff.
    case goingHomeWithoutSettling = "a worker that finds nothing goes home without settling the staff"
    case summonsNotPaid = "the orders are not paid"
    case summonsNotBooked = "a summoned worker is not counted as on its way"
    case arrivalNotBooked = "a worker that looks stays counted as on its way"
    case resumeWithoutSettling = "resuming does not settle the staff"
    case wideningWithoutSettling = "raising the width does not settle the staff"
    case endsNotCounted = "ended jobs that wait for a worker are not counted as work"
    case noPacingBell = "the bell of a full queue of automatic width stays off"
    // The pool.
    case firstNotGivenUp = "the first worker goes home and stays booked as there"
    case firstOutOfBudget = "the first worker comes out of the budget too"
    case refusalNotBooked = "a refused worker stays counted as on its way"
    case laneNotTold = "a queue that was refused a worker is not told when one is to be had"
    case refusalsNotNegative = "the count of refusals does not go below zero"
    // The mark on a cancelled job and the intake.
    case wordNotRead = "the producer does not look for the mark after its push"
    case wordReadBeforePush = "the producer looks for the mark before its push is visible"
    case noTakingInAfterMark = "the canceller takes in before setting the mark only"
    // The edge of a job that comes in.
    case edgeReadBeforePush = "the producer looks for the unmet edge before its push is visible"
    case meetingOutsideTheFunnel = "an edge is met without going through the funnel of the dependent's queue"
    // What the other properties speak of.
    case claimWithoutSlot = "a claim does not look for a free slot"
    case claimKeepsPlace = "a claimed job keeps its place in the ready order"
}
