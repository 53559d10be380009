// The phases of a job and the one table of legal moves between them.

/// Where a job is in its life.
///
/// A job moves only down this list. A step may be skipped (a cancelled job goes from waiting to finished), and the only way back is from
/// `ready` to `waiting`, when a dependency is added in time.
@usableFromInline
package enum JobPhase: UInt8, Sendable, CaseIterable {
    case created
    case waiting
    case ready
    case executing
    case finished

    /// Whether the transition table allows a job in this phase to move to `next`.
    package func canMove(to next: JobPhase) -> Bool {
        switch (self, next) {
        case (.created, .waiting), (.created, .ready), (.created, .executing), (.created, .finished): true
        case (.waiting, .ready), (.waiting, .executing), (.waiting, .finished): true
        case (.ready, .waiting), (.ready, .executing), (.ready, .finished): true
        case (.executing, .finished): true
        case (.created, .created): false
        case (.waiting, .created), (.waiting, .waiting): false
        case (.ready, .created), (.ready, .ready): false
        case (.executing, .created), (.executing, .waiting), (.executing, .ready), (.executing, .executing): false
        case (.finished, .created), (.finished, .waiting), (.finished, .ready), (.finished, .executing), (.finished, .finished): false
        }
    }
}
