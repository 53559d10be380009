// Where and when a job was added, and when it began: sixteen bytes of each job, written without a lock.

import SchedulingCore
import Synchronization

/// The place in the source where a job was added.
@usableFromInline
struct Site: Sendable {
    /// Where the literal with the file's name is; it lives as long as the process, and a zero ends it.
    @usableFromInline let file: UInt
    @usableFromInline let line: UInt

    @inlinable
    init(_ file: StaticString, _ line: UInt) {
        self.file = file.hasPointerRepresentation ? UInt(bitPattern: file.utf8Start) : 0
        self.line = line
    }

    init?(file: UInt, line: UInt) {
        guard file != 0 else { return nil }
        self.file = file
        self.line = line
    }

    /// "Module/File.swift:12".
    var title: String {
        guard let name = UnsafePointer<CChar>(bitPattern: file) else { return "line \(line)" }
        return "\(String(cString: name)):\(line)"
    }
}

/// The line where a job was added, and since when it waits or executes, in one word.
struct JobStamp: RawRepresentable, Sendable {
    // Bits 0-39: milliseconds on the clock of the queue, plus one; 34 years. Bit 40: they tell the start, not the adding. Bits 41-63:
    // the line.
    private static let timeMask: UInt64 = 1 << 40 - 1
    private static let started: UInt64 = 1 << 40
    private static let lineShift: UInt64 = 41
    private static let maxLine: UInt64 = 1 << 23 - 1

    var rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    @inline(__always)
    init(line: UInt, addedAt nanoseconds: UInt64) {
        rawValue = min(UInt64(line), Self.maxLine) << Self.lineShift | Self.ticks(nanoseconds)
    }

    @inline(__always)
    private static func ticks(_ nanoseconds: UInt64) -> UInt64 { (nanoseconds / 1_000_000 + 1) & timeMask }

    /// The job begins.
    @inline(__always)
    mutating func start(at nanoseconds: UInt64) {
        rawValue = rawValue & ~(Self.timeMask | Self.started) | Self.started | Self.ticks(nanoseconds)
    }

    var line: UInt { UInt(rawValue >> Self.lineShift) }

    /// How long the job has waited, or executed; nil if that was not noted.
    func age(executing: Bool, now nanoseconds: UInt64) -> Duration? {
        guard rawValue & Self.timeMask != 0, (rawValue & Self.started != 0) == executing else { return nil }
        let now = Self.ticks(nanoseconds)
        let since = rawValue & Self.timeMask
        return .milliseconds(Int64(now > since ? now - since : 0))
    }
}

extension Job {
    /// Notes where and when the job is added. The word says that nobody else may write this now.
    @inline(__always)
    final func noteAdding(at site: Site, now nanoseconds: UInt64) {
        siteFile.store(site.file, ordering: .relaxed)
        stamp.store(JobStamp(line: site.line, addedAt: nanoseconds).rawValue, ordering: .relaxed)
    }

    /// Notes that the job begins; by the thread that starts it, which nobody races.
    @inline(__always)
    final func noteStart(now nanoseconds: UInt64) {
        var new = JobStamp(rawValue: stamp.load(ordering: .relaxed))
        new.start(at: nanoseconds)
        stamp.store(new.rawValue, ordering: .relaxed)
    }

    /// Where the job was added; nil if it never was.
    final var site: Site? {
        guard jobState.isQueued else { return nil }
        return Site(file: siteFile.load(ordering: .relaxed), line: JobStamp(rawValue: stamp.load(ordering: .relaxed)).line)
    }
}
