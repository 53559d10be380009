// What the environment says to the explorer.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

enum Environment {
    /// The run to repeat instead of exploring.
    static var replayToken: String? {
        guard let value = getenv("WORKQUEUES_REPLAY") else { return nil }
        let token = String(cString: value)
        return token.isEmpty ? nil : token
    }
}
