// Asking whether an object still lives that the asker does not hold.

extension Unmanaged {
    /// The object, or nil if it is being freed. For who knows that its memory is there: the object's `deinit` wants a lock that the
    /// caller holds. What this gives is let go of outside that lock.
    ///
    /// A plain reference cannot tell: the runtime lets one be made of an object in its `deinit`, and it dangles soon after. Only a weak one
    /// asks. It is made here and now, because the runtime counts the references to an object slowly once there ever was a weak one. The
    /// reference that is counted first sees to it that none of the passing ones after it is the last.
    var living: Instance? {
        _ = retain()
        defer { release() }
        weak let object = takeUnretainedValue()
        return object
    }
}
