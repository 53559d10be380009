// Downloads images over HTTP, one job each: one after the other, all at once, in an order of our choosing, or cancelled on the way.

import Foundation
import WorkQueues

let options = Options.fromCommandLine()
let urls = try options.urls ?? ImageServer(count: options.count).urls
let downloads = urls.map(Download.init)

let queue = WorkQueue(name: "downloads", maxConcurrentJobCount: options.mode.width)
queue.addObserver(Board(downloads))
try options.mode.arrange(downloads, on: queue)
try queue.addJobs(downloads, waitUntilFinished: true)

let failures = downloads.compactMap(\.failure)
for (url, error) in failures { Console.complain("\(url.absoluteString): \(error.localizedDescription)") }
exit(failures.isEmpty ? 0 : 1)
