// What the tests ask the machine: its cores, the threads of this process, and a measured piece of processor time.
import Foundation

/// What affinity leaves, at least 2; a cgroup's quota can only lower what the package uses.
var coreCount: Int {
    max(2, ProcessInfo.processInfo.activeProcessorCount)
}

/// Nil where the system does not tell.
func processThreadCount() -> Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
}

/// Keeps a core busy until this thread has used that much of it, however long others held it meanwhile.
func burn(milliseconds: Int) {
    let end = threadNanoseconds() + UInt64(milliseconds) * 1_000_000
    while threadNanoseconds() < end {}
}

private func threadNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}

/// A short detour of a random length, so that two racing threads meet at another point in each round.
func dawdle(_ steps: Int) {
    var left = steps
    while left > 0 { left -= 1 }
}
