// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "WorkQueues",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "WorkQueues", targets: ["WorkQueues"]),
        .library(name: "WorkQueuesTesting", targets: ["WorkQueuesTesting"]),
    ],
    targets: [
        .target(name: "SchedulingCore"),
        .target(name: "WorkQueues", dependencies: ["SchedulingCore"], exclude: ["Engine/README.md", "Observing/README.md"]),
        .target(name: "WorkQueuesTesting", dependencies: ["WorkQueues", "SchedulingCore"]),
        .example("CalculateDisplay"),
        .example("WordCount"),
        .example("DownloadImages"),
        // Compares the package with its rivals; docs/performance.md says how.
        .executableTarget(name: "Benchmarks", dependencies: ["WorkQueues"], path: "Benchmarks", packageAccess: false),
        // Compiles against every public name; nothing of it runs.
        .target(name: "PublicSurface", dependencies: ["WorkQueues"], path: "Tests/PublicSurface", packageAccess: false),
        // Commits, one per run, the faults of Foundation's queue that take a process with them.
        .executableTarget(name: "FoundationFaults", path: "Tests/FoundationFaults", packageAccess: false),
        .testTarget(name: "ParityTests", dependencies: ["WorkQueues", "FoundationFaults"]),
        .testTarget(name: "SchedulingCoreTests", dependencies: ["SchedulingCore"]),
        .testTarget(name: "WorkQueuesTests", dependencies: ["WorkQueues"]),
        .testTarget(name: "WorkQueuesTestingTests", dependencies: ["WorkQueuesTesting", "WorkQueues"]),
    ]
)

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .swiftLanguageMode(.v6),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}

extension Target {
    /// An example program: it sees the public API alone.
    static func example(_ name: String) -> Target {
        .executableTarget(name: name, dependencies: ["WorkQueues"], path: "Examples/\(name)", packageAccess: false)
    }
}
