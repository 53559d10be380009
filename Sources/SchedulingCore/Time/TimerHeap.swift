// The timers that are not due yet, earliest first.

/// A binary heap of deadlines. Inserting and removing are O(log n); timers of one deadline come due in the order they were inserted.
package struct TimerHeap: Sendable {
    private struct Timer: Sendable {
        var deadline: UInt64
        var token: UInt64
        var order: UInt64

        func isBefore(_ other: Timer) -> Bool {
            deadline != other.deadline ? deadline < other.deadline : order < other.order
        }
    }

    private var timers: [Timer] = []
    /// Where in `timers` the timer of a token is.
    private var places: [UInt64: Int] = [:]
    private var insertions: UInt64 = 0

    package init() {}

    package var count: Int { timers.count }

    /// The deadline that comes first.
    package var earliest: UInt64? { timers.first?.deadline }

    /// Adds a timer; `token` names it and must be new.
    package mutating func insert(deadline: UInt64, token: UInt64) {
        insertions += 1
        timers.append(Timer(deadline: deadline, token: token, order: insertions))
        places[token] = timers.count - 1
        siftUp(timers.count - 1)
    }

    /// Removes a timer; false if there is none of that name.
    @discardableResult
    package mutating func remove(token: UInt64) -> Bool {
        guard let place = places.removeValue(forKey: token) else { return false }
        removeTimer(at: place)
        return true
    }

    /// Removes the first timer that is due at `now`.
    package mutating func popDue(now: UInt64) -> UInt64? {
        guard let first = timers.first, first.deadline <= now else { return nil }
        places[first.token] = nil
        removeTimer(at: 0)
        return first.token
    }

    private mutating func removeTimer(at place: Int) {
        let last = timers.removeLast()
        guard place < timers.count else { return }
        timers[place] = last
        places[last.token] = place
        siftUp(place)
        siftDown(places[last.token] ?? place)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard timers[child].isBefore(timers[parent]) else { return }
            swap(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var child = 2 * parent + 1
            guard child < timers.count else { return }
            if child + 1 < timers.count && timers[child + 1].isBefore(timers[child]) { child += 1 }
            guard timers[child].isBefore(timers[parent]) else { return }
            swap(child, parent)
            parent = child
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        timers.swapAt(left, right)
        places[timers[left].token] = left
        places[timers[right].token] = right
    }
}
