// Control: what the owner of the queue sets.

extension QueueMachine {
    package mutating func setWidth(_ newWidth: Int) { width = newWidth }

    package mutating func setSuspended(_ newValue: Bool) { isSuspended = newValue }

    /// Marks every job added so far that has not begun: it will never run its body.
    package mutating func doomAll() { doomedThrough = lastSequence }
}
