// Tells whether a class overrides `isReady` or `cancel`, so that only those that do take the longer way.

/// The entry of one method in the table of methods of `Job`, to be compared with that of a subclass.
///
/// A class that does not override `isReady` is ready when its edges are met, and can become so in the very step in which the last one
/// is. One that does must be asked, which is user code and so happens on a worker, off every lock. Jobs whose class does not override
/// `cancel` can be cancelled many at a time, because no user code comes between two of them. Swift has no public way to tell such classes
/// apart, so this looks at the class's method table: the entry that a probe which overrides the method has changed, and a probe which
/// overrides nothing has not. If there is no such entry, or entries cannot be compared (signed pointers), every class counts as one that
/// overrides: slower, and just as right.
struct MethodOverride: Sendable {
    static let ofIsReady = MethodOverride(in: ReadinessProbe.self)
    static let ofCancel = MethodOverride(in: CancelProbe.self)

    private struct Entry: Sendable {
        let index: Int
        let base: UInt
    }

    private let entry: Entry?

    private init(in probe: Job.Type) {
        let (base, changed, unchanged) = (Self.words(of: Job.self), Self.words(of: probe), Self.words(of: PlainProbe.self))
        let candidates = (Self.firstEntry..<Self.wordCount(of: Job.self)).filter { base[$0] == unchanged[$0] && base[$0] != changed[$0] }
        entry = candidates.count == 1 ? candidates.first.map { Entry(index: $0, base: base[$0]) } : nil
    }

    /// Whether nothing between `Job` and the class overrides the method.
    @inline(__always)
    func isAbsent(in type: Job.Type) -> Bool {
        guard let entry else { return false }
        return Self.words(of: type)[entry.index] == entry.base
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

private final class ReadinessProbe: Job, @unchecked Sendable {
    // Unchecked because a subclass of an unchecked class must say so; it is never instantiated.
    override var isReady: Bool { super.isReady }
}

private final class CancelProbe: Job, @unchecked Sendable {
    // Unchecked because a subclass of an unchecked class must say so; it is never instantiated.
    override func cancel() { super.cancel() }
}
