// A TCP socket of the system, closed when it is let go.

import Foundation

final class Socket: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) throws {
        self.descriptor = try checked(descriptor)
    }

    deinit { close(descriptor) }

    /// A socket that listens at a free port of 127.0.0.1, and that port.
    static func listening() throws -> (socket: Socket, port: UInt16) {
        #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue)
        #else
        let type = SOCK_STREAM
        #endif
        let listener = try Socket(socket(AF_INET, type, 0))

        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                try checked(bind(listener.descriptor, generic, length))
                try checked(listen(listener.descriptor, SOMAXCONN))
                try checked(getsockname(listener.descriptor, generic, &length))
            }
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    func acceptConnection() throws -> Socket { try Socket(accept(descriptor, nil, nil)) }

    /// What arrives up to the empty line that ends the head of an HTTP message.
    func receiveHead() throws -> String {
        var head: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        repeat {
            let length = try checked(recv(descriptor, &piece, piece.count, 0))
            if length == 0 { break }
            head += piece.prefix(length)
        } while head.suffix(4) != [13, 10, 13, 10] && head.count < 65536
        return String(decoding: head, as: UTF8.self)
    }

    func send(_ data: Data) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let bytes = rest
            rest.removeFirst(try checked(bytes.withUnsafeBytes { write(descriptor, $0.baseAddress!, $0.count) }))
        }
    }
}

/// What a call to the system returned, or the error it left behind.
@discardableResult
private func checked<Result: SignedInteger>(_ result: Result) throws -> Result {
    guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return result
}
