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
    /// A worker of the job's queue, or the only thread concerned with a job in no queue: it delivers everything.
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
        guard hub?.isObserved ?? false || extras?.isObserved.load(ordering: .sequentiallyConsistent) ?? false else { return update(change) }
        return extrasOrNew.contents.withLock { contents in
            var before = JobState()
            let result = update { state in
                before = state
                return change(&state)
            }
            for news in news(result, before) {
                contents.letters.append(.news(news, stamp: hub?.stamp() ?? 0))
            }
            return result
        }
    }

    /// Queues news of a change that was made under the queue's lock, in front of what was stamped later.
    final func queueNews(_ news: [News], stamp: UInt64) {
        extrasOrNew.contents.withLock { contents in
            var letters = Fifo<Letter>()
            var isQueued = false
            for letter in contents.letters {
                if !isQueued && !letter.isOlder(than: stamp) {
                    for item in news { letters.append(.news(item, stamp: stamp)) }
                    isQueued = true
                }
                letters.append(letter)
            }
            if !isQueued { for item in news { letters.append(.news(item, stamp: stamp)) } }
            contents.letters = letters
        }
    }

    /// Delivers what is in the mailbox, unless another thread is at it; that one goes on with what is left.
    final func deliverNews(as role: Deliverer, on engine: QueueEngine?) {
        guard let extras else { return }
        let mayDeliver = extras.contents.withLock { contents in
            if contents.isDelivering || contents.letters.isEmpty { return false }
            contents.isDelivering = true
            return true
        }
        if mayDeliver { _ = deliverLetters(of: extras, as: role, on: engine) }
    }

    /// Goes on with a delivery that another thread began; true if the job's end is to go on now.
    final func continueDelivery(on engine: QueueEngine) -> Bool {
        guard let extras else { return false }
        return deliverLetters(of: extras, as: .worker, on: engine)
    }

    /// Delivers everything before the job's end goes on. False if another thread is delivering; then the end comes as the last letter, to whoever
    /// delivers.
    final func deliverBeforeEnd(on engine: QueueEngine?) -> Bool {
        guard let extras else { return true }
        enum Turn { case nothing, deliver, wait }
        let turn = extras.contents.withLock { contents -> Turn in
            if contents.isDelivering {
                contents.letters.append(.end)
                return .wait
            }
            if contents.letters.isEmpty { return .nothing }
            contents.isDelivering = true
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

    /// The loop of the deliverer; true if it came upon the job's end.
    private final func deliverLetters(of extras: JobExtras, as role: Deliverer, on engine: QueueEngine?) -> Bool {
        enum Step { case deliver(News, UInt64), end, handOn, done }
        while true {
            let step = extras.contents.withLock { contents -> Step in
                switch contents.letters.first {
                case nil:
                    contents.isDelivering = false
                    return .done
                case .news(let news, let stamp):
                    if role == .foreign && !news.isForAnyThread && engine != nil { return .handOn }
                    _ = contents.letters.popFirst()
                    return .deliver(news, stamp)
                case .end:
                    if role == .foreign { return .handOn }
                    _ = contents.letters.popFirst()
                    contents.isDelivering = false
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
