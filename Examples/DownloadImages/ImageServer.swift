// A small HTTP server for generated images, slow enough to watch: on 127.0.0.1, at a port that happens to be free.

import Foundation
import WorkQueues

struct ImageServer {
    let urls: [URL]

    /// Serves until the program ends: one job accepts connections, and each connection is a job of its own.
    init(count: Int) throws {
        // A download that is cancelled closes its connection while we send, and a proxy has no business on 127.0.0.1.
        signal(SIGPIPE, SIG_IGN)
        setenv("no_proxy", "127.0.0.1", 1)

        let (listener, port) = try Socket.listening()
        urls = (1...count).map { URL(string: "http://127.0.0.1:\(port)/image-\($0).bmp")! }
        Console.show("\(count) images at http://127.0.0.1:\(port)/image-1.bmp and so on\n")

        let queue = WorkQueue(name: "image server", maxConcurrentJobCount: 65)
        queue.addJob {
            while true {
                let connection = try listener.acceptConnection()
                queue.addJob { try serve(connection, count: count) }
            }
        }
    }
}

private func serve(_ connection: Socket, count: Int) throws {
    let request = try connection.receiveHead().split(separator: " ")
    guard request.count > 2, request[0] == "GET" else { return try connection.send(head("405 Method Not Allowed", length: 0)) }
    guard let number = (1...count).first(where: { request[1] == "/image-\($0).bmp" }) else {
        return try connection.send(head("404 Not Found", length: 0))
    }
    let image = Bitmap.image(number: number)
    try connection.send(head("200 OK", length: image.count))
    try send(image, slowlyTo: connection)
}

private func head(_ status: String, length: Int) -> Data {
    Data("HTTP/1.1 \(status)\r\nContent-Type: image/bmp\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n".utf8)
}

/// Takes about half a second, so that one can watch the image come.
private func send(_ image: Data, slowlyTo connection: Socket) throws {
    let pieces = 25
    for piece in 0..<pieces {
        try connection.send(image[image.count * piece / pieces..<image.count * (piece + 1) / pieces])
        usleep(20_000)
    }
}
