// Looks for something that may not happen, for a short while.
import Dispatch

/// True as soon as the condition holds; false when it did not in all that time. It gives a fault the time to show; it never makes an order.
func observed(within seconds: Double, _ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    let pause = DispatchSemaphore(value: 0)
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        _ = pause.wait(timeout: .now() + .milliseconds(1))
    }
    return true
}
