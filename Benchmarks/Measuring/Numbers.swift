// Numbers out of samples, and for people.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// To that many significant digits.
func rounded(_ value: Double, digits: Int) -> Double {
    guard value != 0, value.isFinite else { return value }
    let decimals = digits - 1 - Int(log10(abs(value)).rounded(.down))
    // A power of ten above one is exact; its reciprocal is not.
    let scale = pow(10, Double(abs(decimals)))
    return decimals >= 0 ? (value * scale).rounded() / scale : (value / scale).rounded() * scale
}

func median(_ values: [Double]) -> Double { percentile(50, of: values) }

/// The value that so many of a hundred values do not exceed; of an even number of values the median is the mean of the two in the middle.
func percentile(_ percent: Int, of values: [Double]) -> Double {
    precondition(!values.isEmpty, "there is no percentile of nothing")
    let sorted = values.sorted()
    if percent == 50, sorted.count.isMultiple(of: 2) { return (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2 }
    return sorted[min(sorted.count - 1, sorted.count * percent / 100)]
}
