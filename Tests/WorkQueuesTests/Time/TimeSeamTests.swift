// Every clock and timer of the package goes through the injected one: reads the sources and says where one does not.
import Foundation
import XCTest

final class TimeSeamTests: XCTestCase {
    /// What may not stand in the sources, and where it may all the same.
    private struct Ban {
        let pattern: NSRegularExpression
        let remedy: String
        /// Paths below `Sources/WorkQueues`.
        let exceptions: Set<String>

        init(_ pattern: String, _ remedy: String, except exceptions: Set<String> = []) {
            self.pattern = try! NSRegularExpression(pattern: pattern)
            self.remedy = remedy
            self.exceptions = exceptions
        }

        func finds(_ code: String) -> String? {
            let range = NSRange(code.startIndex..., in: code)
            return pattern.firstMatch(in: code, range: range).flatMap { Range($0.range, in: code) }.map { String(code[$0]) }
        }
    }

    private static let seam: Set<String> = ["Engine/Time.swift", "Engine/Platform.swift"]

    private static let bans = [
        // The type of an event's instant says nothing about when it is read.
        Ban(#"\bContinuousClock\b(?!\.Instant\b)|\b(SuspendingClock|UTCClock|Clock)\b"#, "ask the queue's `time` for now()", except: seam),
        // `time` is the name of the seam, wherever it is handed round.
        Ban(#"(?<!\btime)\.now\b"#, "ask the queue's `time` for now(), and call what you hand round `time`", except: seam),
        Ban(
            #"\b(clock_gettime|clock_nanosleep|gettimeofday|getrusage|mach_absolute_time|mach_continuous_time|monotonicNanoseconds)\b"#
                + #"|\b(CLOCK_[A-Z_]+)\b|(?<![.\w])(time|clock|times)\("#,
            "ask the queue's `time` for now()", except: seam),
        Ban(
            #"\bprocessCPUNanoseconds\b"#, "ask the queue's `time` for processorTime(), or the automatic width depends on the machine",
            except: seam),
        Ban(
            #"\b(DispatchTime|DispatchWallTime|DispatchSource\w*|DispatchWorkItem|makeTimerSource|asyncAfter|wallDeadline|Timer|RunLoop)\b"#,
            "let the queue's `time` schedule(at:) it", except: seam),
        Ban(
            #"\b(timer_create|timerfd_create|setitimer|alarm|select|poll|ppoll|epoll_wait|kevent)\("#,
            "let the queue's `time` schedule(at:) it", except: seam),
        Ban(
            #"\b(u|nano)?sleep\s*\(|\.sleep\b|\b(pthread_cond_timedwait|pthread_mutex_timedlock|sem_timedwait|sched_yield)\b"#
                + #"|\bwait\s*\(\s*(timeout|wallTimeout|until)\s*:"#,
            "wait for a Signal, and let the queue's `time` fire it with .timedOut", except: ["Engine/Time.swift"]),
        // Who makes a queue injects a clock; a job in no queue has no other one. Nobody else may reach for the real one.
        Ban(
            #"\bDispatchTimeSource\b"#, "use the `time` of the queue that this is about",
            except: [
                "Engine/Time.swift", "Queue/WorkQueue.swift", "Job/Job+Waiting.swift", "Job/Job+Start.swift", "Explaining/Explainer.swift",
            ]),
    ]

    private func findings(in line: SourceLine) -> [String] {
        Self.bans.compactMap { ban in
            guard !ban.exceptions.contains(line.file), let found = ban.finds(line.code) else { return nil }
            return "\(line.file):\(line.number): `\(found)` goes past the seam for time (Engine/Time.swift); \(ban.remedy)"
        }
    }

    func testTheSourcesReadNoClockAndArmNoTimerPastTheSeam() throws {
        let lines = try SourceReader.lines(below: "Sources/WorkQueues")
        XCTAssertGreaterThan(lines.count, 1000, "the sources were not found at \(SourceReader.package.path)")
        for finding in lines.flatMap(findings) { XCTFail("Sources/WorkQueues/\(finding)") }
    }

    /// The core has no clock at all, so it has no exceptions.
    func testTheCoreReadsNoClock() throws {
        let lines = try SourceReader.lines(below: "Sources/SchedulingCore")
        XCTAssertGreaterThan(lines.count, 1000, "the sources were not found at \(SourceReader.package.path)")
        for finding in lines.flatMap(findings) { XCTFail("Sources/SchedulingCore/\(finding)") }
    }

    /// An exception for a file that is gone, or does not need it any more, would let the next one through.
    func testEveryExceptionIsNeeded() throws {
        let lines = try SourceReader.lines(below: "Sources/WorkQueues")
        let needed = Set(Self.bans.flatMap { ban in lines.filter { ban.finds($0.code) != nil }.map(\.file) })
        XCTAssertEqual(Set(Self.bans.flatMap(\.exceptions)).subtracting(needed), [])
    }

    func testTheReaderFindsWhatIsForbidden() {
        let forbidden = [
            "let start = ContinuousClock.now", "let start: ContinuousClock.Instant = .now", "let clock = SuspendingClock()",
            "func measure(_ clock: some Clock)", "let now = DispatchTime.now()", "queue.asyncAfter(deadline: .now() + 1) {}",
            "try await Task.sleep(for: .seconds(1))", "try await Task.sleep(until: end)", "usleep(10)", "nanosleep(&a, &b)", "sleep(1)",
            "clock_gettime(clock, &time)", "let source = DispatchSource.makeTimerSource()", "var timer: (any DispatchSourceTimer)?",
            "semaphore.wait(timeout: end)", "semaphore.wait(wallTimeout: end)", "condition.wait(until: end)",
            "group.wait( timeout: .now())",
            "let cpu = Platform.processCPUNanoseconds()", "let now = Platform.monotonicNanoseconds()", "DispatchTimeSource.shared.now()",
            "let now = source.now()", "text(\"at \\(ContinuousClock.now)\")", "gettimeofday(&time, nil)", "let t = time(nil)",
            "sched_yield()",
            "let text = \"// \"; usleep(1)", "/* a comment */ usleep(1)",
        ]
        for code in forbidden {
            XCTAssertFalse(SourceReader.lines(of: code, file: "Job/Job.swift").flatMap(findings).isEmpty, "not found: \(code)")
        }
    }

    func testTheReaderLeavesAloneWhatIsAllowed() {
        let allowed = [
            "public let instant: ContinuousClock.Instant", "let now = time.now()", "time.schedule(at: end) {}",
            "let used = time.processorTime()",
            "JobWait(for: self).block(timeout: timeout)", "public func waitUntilFinished(timeout: Duration) -> Bool",
            "// never ContinuousClock.now", "let heap = TimerHeap() // not a Timer", "/* usleep(1)", "semaphore.wait()", "isAsleep()",
            "let rest = engine.time.now()", "deadline(after: timeout)",
        ]
        for code in allowed {
            XCTAssertEqual(SourceReader.lines(of: code, file: "Job/Job.swift").flatMap(findings), [], code)
        }
    }
}
