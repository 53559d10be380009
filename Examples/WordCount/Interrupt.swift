// Control-C cancels the queue instead of ending the program in the middle of its work.

import Dispatch
import Foundation
import WorkQueues

/// The first interrupt cancels all jobs, the second one ends the program at once. Works as long as the returned source lives.
func cancelOnInterrupt(_ queue: WorkQueue) -> any DispatchSourceSignal {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: DispatchQueue(label: "interrupt"))
    source.setEventHandler {
        signal(SIGINT, SIG_DFL)
        queue.cancelAllJobs()
    }
    source.activate()
    return source
}
