// Tells whether a class overrides `isReady`, so that only those that do are asked.

/// Finds the entry of `isReady` in the table of methods of `Job` and compares it with that of a subclass.
///
/// A class that does not override `isReady` is ready when its edges are met, and can become so in the very step in which the last one
/// is. One that does must be asked, which is user code and so happens on a worker, off every lock. Swift has no public way to tell them
/// apart, so this looks at the class's method table: the entry that a probe which overrides `isReady` has changed, and a probe which
/// overrides nothing has not. If there is no such entry, or entries cannot be compared (signed pointers), every job is asked: slower,
/// and just as right.
enum ReadinessOverride {
    private struct Entry: Sendable {
        let index: Int
        let base: UInt
    }

    private static let entry: Entry? = {
        let (base, changed, unchanged) = (words(of: Job.self), words(of: OverridingProbe.self), words(of: PlainProbe.self))
        let candidates = (firstEntry..<wordCount(of: Job.self)).filter { base[$0] == unchanged[$0] && base[$0] != changed[$0] }
        guard candidates.count == 1, let index = candidates.first else { return nil }
        return Entry(index: index, base: base[index])
    }()

    /// Whether nothing between `Job` and the class overrides `isReady`.
    @inline(__always)
    static func isAbsent(in type: Job.Type) -> Bool {
        guard let entry else { return false }
        return words(of: type)[entry.index] == entry.base
    }

    // The layout of class metadata, as the ABI document of the Swift project gives it: the sizes stand behind the fields that
    // Objective-C needs where that exists.
    #if canImport(ObjectiveC)
    private static let sizeOffset = 56
    private static let firstEntry = 9
    #else
    private static let sizeOffset = 32
    private static let firstEntry = 6
    #endif

    @inline(__always)
    private static func words(of type: Job.Type) -> UnsafePointer<UInt> { unsafeBitCast(type, to: UnsafePointer<UInt>.self) }

    private static func wordCount(of type: Job.Type) -> Int {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let size = metadata.load(fromByteOffset: sizeOffset, as: UInt32.self)
        let addressPoint = metadata.load(fromByteOffset: sizeOffset + 4, as: UInt32.self)
        return Int(size - addressPoint) / MemoryLayout<UInt>.size
    }
}

private final class PlainProbe: Job, @unchecked Sendable {
    // Unchecked because a subclass of an unchecked class must say so; it is never instantiated.
}

private final class OverridingProbe: Job, @unchecked Sendable {
    // Unchecked because a subclass of an unchecked class must say so; it is never instantiated.
    override var isReady: Bool { super.isReady }
}
