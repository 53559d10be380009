// What the machine gives the process: cores and memory.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

enum Machine {
    /// The cores that this process may use.
    static let cores: Int = {
        #if os(Linux)
        // A list like "0-3,6".
        if let list = ProcessStatus.field("Cpus_allowed_list:") {
            let counts = list.split(separator: ",").map { range in
                let ends = range.split(separator: "-").compactMap { Int($0) }
                return ends.isEmpty ? 0 : ends[ends.count - 1] - ends[0] + 1
            }
            return max(1, counts.reduce(0, +))
        }
        #endif
        return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }()
}

enum Memory {
    #if os(Linux)
    /// Bytes of the process that are resident now.
    static var resident: Double { bytes("VmRSS:") }
    /// The most that were ever resident.
    static var peak: Double { bytes("VmHWM:") }

    private static func bytes(_ field: String) -> Double {
        guard let kibibytes = ProcessStatus.field(field)?.split(separator: " ").first.flatMap({ Double($0) }) else {
            preconditionFailure("/proc/self/status has no line \(field)")
        }
        return kibibytes * 1_024
    }

    /// Has the allocator give back what it keeps for later, so that the next reading shows what the program holds.
    static func giveBack() {
        // The C library may have the function, but its Swift module does not show it.
        typealias Trim = @convention(c) (Int) -> CInt
        if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
    }
    #else
    static var resident: Double { Double(info.resident_size) }
    static var peak: Double { Double(info.resident_size_max) }

    static func giveBack() { malloc_zone_pressure_relief(nil, 0) }

    private static var info: mach_task_basic_info {
        var info = mach_task_basic_info()
        var count = mach_msg_type_number_t(MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
        let status = withUnsafeMutablePointer(to: &info) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
            }
        }
        precondition(status == KERN_SUCCESS, "the kernel does not say how much memory the process uses")
        return info
    }
    #endif
}

#if os(Linux)
/// What the kernel says about this process.
private enum ProcessStatus {
    static func field(_ name: String) -> String? {
        guard let file = fopen("/proc/self/status", "r") else { return nil }
        defer { fclose(file) }
        while let line = nextLine(of: file) {
            if line.hasPrefix(name) { return String(line.dropFirst(name.count).drop(while: \.isWhitespace)) }
        }
        return nil
    }
}
#endif
