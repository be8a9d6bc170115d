import Glibc

/// Reading and writing through file descriptors, which go on after signals until all is done.
package enum Descriptor {
    /// Writes all bytes.
    ///
    /// - Returns: 0, or the error (`errno`).
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return 0
    }

    /// Reads what is there, once, until `memory` is full at most; waits for the first byte.
    ///
    /// - Returns: the number of bytes, 0 at the end; -1 with the reason in `errno` if reading fails.
    package static func readOnce(into memory: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
        while true {
            let count = Glibc.read(descriptor, memory.baseAddress, memory.count)
            guard count < 0, errno == EINTR else { return count }
        }
    }

    /// Reads until `memory` is full or the file ends.
    ///
    /// - Returns: the number of bytes; -1 with the reason in `errno` if reading fails.
    package static func read(into memory: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
        var place = 0
        while place < memory.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory.dropFirst(place))
            let count = readOnce(into: rest, from: descriptor)
            guard count > 0 else { return count < 0 ? -1 : place }
            place += count
        }
        return place
    }

    /// Reads to the end of the file.
    ///
    /// - Parameter limit: number of bytes from which on the file is too large.
    /// - Returns: the bytes; nil with the reason in `errno` if reading fails or the file is larger than `limit`.
    package static func readAll(from descriptor: Int32, limit: Int = .max) -> [UInt8]? {
        var contents: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while contents.count <= limit {
            let count = chunk.withUnsafeMutableBytes { readOnce(into: $0, from: descriptor) }
            guard count > 0 else { return count == 0 ? contents : nil }
            contents.append(contentsOf: chunk.prefix(count))
        }
        errno = EFBIG
        return nil
    }
}
