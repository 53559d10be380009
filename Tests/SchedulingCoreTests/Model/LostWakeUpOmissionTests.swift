// What happens without each step of the argument that no wake-up is lost: a shortest way to a forgotten job, step by step.

import XCTest

final class LostWakeUpOmissionTests: XCTestCase {
    private static let forgotten = "a job waits, a slot is free, and no worker is coming"

    /// Fails unless the model without the step comes to `what`, and with it does not.
    private func assertNeeded(
        _ omission: Omission, _ what: String = forgotten, in setting: ModelSetting = ModelSetting(width: 2), file: StaticString = #filePath,
        line: UInt = #line
    ) {
        let whole = LostWakeUpModel(setting).explore()
        XCTAssertNil(whole.violation, "with every step in its place", file: file, line: line)
        let report = LostWakeUpModel(setting, leavingOut: omission).explore()
        print("If \(omission.rawValue): \(report.violation ?? "nothing"), found in \(report.states) of \(whole.states) states")
        for step in report.path { print("    \(step)") }
        XCTAssertEqual(report.violation, what, "if \(omission.rawValue)", file: file, line: line)
    }

    // MARK: The bell and the intake

    func testTheProducerMustPushBeforeItLooksAtTheBell() { assertNeeded(.bellReadBeforePush) }

    func testTheStoreToTheBellMustNotStayInABuffer() { assertNeeded(.bellStoreBuffered) }

    func testTheSectionMustLookAgainAfterSettingTheBell() { assertNeeded(.noSecondLook) }

    func testTheSecondLookMustNotComeBeforeTheBell() { assertNeeded(.secondLookBeforeBell) }

    func testWhatTheSecondLookFoundMustBeStaffed() { assertNeeded(.secondLookWithoutSettling) }

    func testTheLinkMustBeVisibleWithThePush() { assertNeeded(.linkAfterPush, "a job that was added is nowhere") }

    func testTheIntakeMustBeEmptiedByAnExchange() { assertNeeded(.intakeEmptiedByStore, "a job that was added is nowhere") }

    func testWhoTurnsTheBellOffMustGoThroughTheFunnel() { assertNeeded(.ringWithoutFunnel) }

    func testTheBellMustBeTurnedOffBeforeTheRingersSection() { assertNeeded(.bellTurnedOffLate) }

    func testAWorkerMustNotGoHomeWithoutTakingIn() { assertNeeded(.neverTakenIn) }

    // MARK: The staff

    func testAWorkerMustSettleTheStaffInTheSectionInWhichItGoesHome() {
        assertNeeded(.goingHomeWithoutSettling, in: ModelSetting(width: 1))
    }

    func testOrdersMustBePaid() { assertNeeded(.summonsNotPaid) }

    func testSummonedWorkersMustBeCounted() { assertNeeded(.summonsNotBooked, "a worker came that was not counted") }

    func testWorkersThatHaveLookedMustNotBeCounted() { assertNeeded(.arrivalNotBooked, in: ModelSetting(width: 1)) }

    func testResumingMustSettleTheStaff() {
        assertNeeded(.resumeWithoutSettling, in: ModelSetting(isSuspended: true, controls: [.resume]))
    }

    func testRaisingTheWidthMustSettleTheStaff() {
        assertNeeded(.wideningWithoutSettling, in: ModelSetting(width: 0, controls: [.width(1)]))
    }

    func testEndedJobsMustBeCountedAsWork() {
        assertNeeded(.endsNotCounted, "an ended job waits, and no worker is coming", in: ModelSetting(isAsynchronous: true))
    }

    func testTheBellOfAFullQueueOfAutomaticWidthMustBeOn() {
        assertNeeded(
            .noPacingBell, "a job waits in a full queue of automatic width, and nobody is going to look",
            in: ModelSetting(isAutomatic: true))
    }

    // MARK: The pool

    func testTheFirstWorkerMustBeGivenUpWhenItGoesHome() { assertNeeded(.firstNotGivenUp, in: ModelSetting(width: 1, budget: 0)) }

    func testTheFirstWorkerMustNotComeOutOfTheBudget() { assertNeeded(.firstOutOfBudget, in: ModelSetting(width: 1, budget: 0)) }

    func testARefusedWorkerMustNotBeCounted() { assertNeeded(.refusalNotBooked, in: ModelSetting(width: 2, budget: 0, hasGuest: true)) }

    func testARefusedQueueMustBeToldOfALaneThatComesBack() {
        assertNeeded(.laneNotTold, in: ModelSetting(width: 2, budget: 0, hasGuest: true))
    }

    func testTheCountOfRefusalsMustBeAbleToBeNegative() {
        assertNeeded(.refusalsNotNegative, in: ModelSetting(width: 2, budget: 0, hasGuest: true))
    }

    // MARK: The mark on a cancelled job and the intake

    private static let neverEnds = "a job that was cancelled before it began never ends"
    /// Nobody looks by chance.
    private static let suspendedWithCanceller = ModelSetting(isSuspended: true, hasCanceller: true)

    func testTheProducerMustLookForTheMark() { assertNeeded(.wordNotRead, Self.neverEnds, in: Self.suspendedWithCanceller) }

    func testTheProducerMustNotLookForTheMarkBeforeItsPush() {
        assertNeeded(.wordReadBeforePush, Self.neverEnds, in: Self.suspendedWithCanceller)
    }

    func testTheCancellerMustTakeInAfterItsMark() {
        assertNeeded(.noTakingInAfterMark, Self.neverEnds, in: Self.suspendedWithCanceller)
    }

    // MARK: The edge of a job that comes in

    private static let withEdge = ModelSetting(producers: [[1]], hasEdge: true)

    func testTheProducerMustNotLookForTheEdgeBeforeItsPush() { assertNeeded(.edgeReadBeforePush, in: Self.withEdge) }

    func testWhoMeetsAnEdgeMustGoThroughTheFunnel() { assertNeeded(.meetingOutsideTheFunnel, in: Self.withEdge) }

    func testTheSectionThatMeetsAnEdgeMustLookAgain() { assertNeeded(.noSecondLook, in: Self.withEdge) }

    // MARK: The other properties can be broken too

    func testAClaimMustLookForAFreeSlot() {
        assertNeeded(
            .claimWithoutSlot, "more jobs execute than the width allows",
            in: ModelSetting(width: 2, producers: [[2]], controls: [.width(1)]))
    }

    func testAClaimMustTakeThePlaceAway() { assertNeeded(.claimKeepsPlace, "job 1 begins twice", in: ModelSetting(width: 1)) }
}
