// Control: what the owner of the queue sets.

extension QueueMachine {
    @inlinable
    package mutating func setWidth(_ newWidth: Int) { width = newWidth }

    @inlinable
    package mutating func setSuspended(_ newValue: Bool) { isSuspended = newValue }

    /// Marks every job added so far that has not begun: it will never run its body.
    @inlinable
    package mutating func doomAll() { doomedThrough = lastSequence }
}
