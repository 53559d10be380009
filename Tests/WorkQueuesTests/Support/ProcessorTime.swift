// How much processor time the whole process used while something went on, which tells a wait from a spin.
import Foundation

/// In seconds, summed over all threads.
func processorTime(of body: () -> Void) -> Double {
    let before = clock()
    body()
    // POSIX fixes the unit at a millionth of a second.
    return Double(clock() - before) / 1_000_000
}
