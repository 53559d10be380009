// A picture made of arithmetic: a colour gradient as a Windows bitmap, which every browser shows.

import Foundation

enum Bitmap {
    static func image(number: Int, width: Int = 320, height: Int = 240) -> Data {
        let size = 54 + width * height * 3
        var bytes = Data("BM".utf8)
        bytes.reserveCapacity(size)
        for field in [size, 0, 54, 40, width, height, 24 << 16 | 1, 0, 0, 0, 0, 0, 0] {
            withUnsafeBytes(of: UInt32(field).littleEndian) { bytes.append(contentsOf: $0) }
        }
        for y in 0..<height {
            for x in 0..<width {
                bytes.append(contentsOf: [UInt8(truncatingIfNeeded: number * 60), UInt8(y * 255 / height), UInt8(x * 255 / width)])
            }
        }
        return bytes
    }
}
