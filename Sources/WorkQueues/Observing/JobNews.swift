// The mailbox of a watched job: news in the order of the transitions, one deliverer at a time.

import SchedulingCore
import Synchronization

/// The properties whose changes can be observed by name.
enum JobKey: String, Sendable {
    case isReady, isExecuting, isFinished, isCancelled
    /// The `state` of an `AsyncJob`.
    case state
}

enum News: Sendable {
    case event(JobEvent.Kind)
    case changed(JobKey)

    /// Whether the thread that caused the news may deliver it though it is no worker of the queue.
    var isForAnyThread: Bool {
        switch self {
        case .event(.added), .event(.ready), .event(.cancelRequested), .event(.dependencyAdded), .event(.dependencyRemoved): true
        case .event, .changed: false
        }
    }
}

enum Letter: Sendable {
    case news(News, stamp: UInt64)
    /// The rest of the job's end, which waits for the letters before it.
    case end

    func isOlder(than other: UInt64) -> Bool {
        guard case .news(_, let stamp) = self else { return false }
        return stamp < other
    }
}

/// In what role a thread delivers letters.
enum Deliverer {
    /// A worker that came for the purpose: it delivers everything, and goes on with the job's end.
    case errand
    /// A worker of the job's queue, or the only thread concerned with a job in no queue: it delivers everything, but has other things
    /// to do when it comes upon the job's end.
    case worker
    /// Any other thread: it delivers its own news and hands the rest to a worker.
    case foreign
}

extension Job {
    /// Makes a change to the state word and, if anybody watches, queues the news of it in the same step.
    ///
    /// `engine` is the job's queue if the caller is sure that it exists. Nobody watching costs two loads.
    final func transition<Result>(
        on engine: QueueEngine?, _ change: (inout JobState) -> Result, news: (Result, _ before: JobState) -> [News]
    ) -> Result {
        let hub = engine?.hub
        if !(hub?.isObserved ?? false) {
            // Who has no extras has no observers either, and cannot get one unnoticed: they attach to the same word.
            let result = update { state -> Result? in state.hasExtras ? nil : change(&state) }
            if let result { return result }
        }
        return extrasOrNew.contents.withLock { contents in
            var before = JobState()
            let result = update { state in
                before = state
                return change(&state)
            }
            guard isWatched(by: engine) else { return result }
            for news in news(result, before) {
                contents.letters.append(.news(news, stamp: hub?.stamp() ?? 0))
            }
            return result
        }
    }

    /// Queues the news of a claim, which was made under the queue's lock. Nobody has delivered since.
    final func queueNewsOfStart(stamp: UInt64) {
        extrasOrNew.contents.withLock { contents in
            contents.insert([.event(.started), .changed(.isExecuting)], stamp: stamp)
            update { $0.startIsWritten() }
        }
    }

    /// Queues news of a change that was made under the queue's lock.
    final func queueNews(_ news: [News], stamp: UInt64) {
        extrasOrNew.contents.withLock { $0.insert(news, stamp: stamp) }
    }

    /// Delivers what is in the mailbox, unless another thread is at it; that one goes on with what is left.
    final func deliverNews(as role: Deliverer, on engine: QueueEngine?) {
        guard let extras else { return }
        let mayDeliver = extras.contents.withLock { contents in
            contents.takePendingReady(of: extras)
            return !contents.letters.isEmpty && !jobState.isStartUntold && update { $0.beginTelling() }
        }
        // Only a job in no queue meets its end here; one in a queue is handed to a worker for that.
        if mayDeliver && deliverLetters(of: extras, as: role, on: engine) { endInNoQueue() }
    }

    /// Makes this thread the deliverer of a job that is coming into a queue, so that nobody tells of what happens to it there before it was
    /// told that it came. False if another thread is delivering.
    final func holdNews() -> Bool {
        let holds = update { state -> Bool? in state.hasExtras ? nil : state.beginTelling() }
        return holds ?? extrasOrNew.contents.withLock { _ in update { $0.beginTelling() } }
    }

    /// The deliverer has told what it had to tell itself: it delivers what came into the mailbox meanwhile, and ceases to be the deliverer.
    @inline(__always)
    final func releaseNews(as role: Deliverer, on engine: QueueEngine?) {
        if update({ $0.endTellingDirectly() }) { return }
        deliverRest(as: role, on: engine)
    }

    private final func deliverRest(as role: Deliverer, on engine: QueueEngine?) {
        if let extras, deliverLetters(of: extras, as: role, on: engine) { endInNoQueue() }
    }

    /// Goes on with a delivery that another thread began; true if the job's end is to go on now.
    final func continueDelivery(on engine: QueueEngine) -> Bool {
        guard let extras else { return false }
        return deliverLetters(of: extras, as: .errand, on: engine)
    }

    /// Delivers everything before the job's end goes on. False if another thread is delivering; then the end comes as the last letter,
    /// to whoever delivers.
    final func deliverBeforeEnd(on engine: QueueEngine?) -> Bool {
        guard let extras else { return true }
        enum Turn { case nothing, deliver, wait }
        let turn = extras.contents.withLock { contents -> Turn in
            contents.takePendingReady(of: extras)
            if jobState.isTelling {
                contents.letters.append(.end)
                return .wait
            }
            if contents.letters.isEmpty { return .nothing }
            _ = update { $0.beginTelling() }
            return .deliver
        }
        switch turn {
        case .nothing: return true
        case .wait: return false
        case .deliver:
            _ = deliverLetters(of: extras, as: .worker, on: engine)
            return true
        }
    }

    /// The loop of the deliverer; true if it came upon the job's end and is the one to go on with it.
    private final func deliverLetters(of extras: JobExtras, as role: Deliverer, on engine: QueueEngine?) -> Bool {
        enum Step { case deliver(News, UInt64), end, handOn, done }
        while true {
            var engine = engine
            let step = extras.contents.withLock { contents -> Step in
                // The job may have come into a queue meanwhile. It cannot leave it while this thread delivers, so the engine is there.
                // To be asked under the lock: what a worker left here was left after the job came into its queue.
                let state = jobState
                contents.takePendingReady(of: extras)
                if engine == nil && state.isQueued && !state.isClosed { engine = self.engine?.takeUnretainedValue() }
                if state.isStartUntold {
                    // The job's worker is about to write a letter that belongs before what lies here, and delivers then.
                    update { $0.endTelling() }
                    return .done
                }
                switch contents.letters.first {
                case nil:
                    update { $0.endTelling() }
                    return .done
                case .news(let news, let stamp):
                    if role == .foreign && !news.isForAnyThread && engine != nil { return .handOn }
                    _ = contents.letters.popFirst()
                    return .deliver(news, stamp)
                case .end:
                    if role != .errand && engine != nil { return .handOn }
                    _ = contents.letters.popFirst()
                    update { $0.endTelling() }
                    return .end
                }
            }
            switch step {
            case .done: return false
            case .end: return true
            case .handOn:
                engine?.enlist(.news(self))
                return false
            case .deliver(.event(let kind), let stamp): engine?.hub.deliver(kind, stamp: stamp, job: self)
            case .deliver(.changed(let key), _): noticeChange(of: key)
            }
        }
    }
}

extension JobExtras.Contents {
    /// Puts news in front of what was stamped later.
    mutating func insert(_ news: [News], stamp: UInt64) {
        var sorted = Fifo<Letter>()
        var isIn = false
        for letter in letters {
            if !isIn && !letter.isOlder(than: stamp) {
                for item in news { sorted.append(.news(item, stamp: stamp)) }
                isIn = true
            }
            sorted.append(letter)
        }
        if !isIn { for item in news { sorted.append(.news(item, stamp: stamp)) } }
        letters = sorted
    }

    mutating func takePendingReady(of extras: JobExtras) {
        if extras.pendingReady.load(ordering: .sequentiallyConsistent) == 0 { return }
        let stamp = extras.pendingReady.exchange(0, ordering: .sequentiallyConsistent)
        if stamp != 0 { insert([.event(.ready), .changed(.isReady)], stamp: stamp) }
    }
}
