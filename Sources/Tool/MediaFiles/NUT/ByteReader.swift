import CommandKit
import Files
import Glibc

/// Reads bytes and NUT's numbers from a child or a descriptor, through a buffer, or from an array.
struct ByteReader {
    /// An origin of bytes besides the buffer.
    enum Source {
        case descriptor(Int32)
        case child(ChildProcess)
    }

    /// Nil for an array.
    private let source: Source?
    private var buffer: [UInt8]
    private var place = 0
    private var end: Int

    init(_ source: Source) {
        (self.source, end) = (source, 0)
        buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
    }

    init(_ bytes: [UInt8]) { (source, buffer, end) = (nil, bytes, bytes.count) }

    /// Bytes that are read ahead: headers are short, and frames are read directly.
    private static let bufferBytes = 4096

    /// Whether the end has not been reached.
    mutating func hasMore() throws(ToolError) -> Bool {
        guard place == end, let source else { return place < end }
        (place, end) = (0, try Self.read(source, &buffer))
        return end > 0
    }

    mutating func byte() throws(ToolError) -> UInt8 {
        guard try hasMore() else { throw .endOfFrames }
        defer { place += 1 }
        return buffer[place]
    }

    /// A number of seven bits a byte, the highest first.
    mutating func number() throws(ToolError) -> Int {
        var value = 0
        // Ten bytes hold 64 bits: a negative time is written as a large number.
        for _ in 0..<10 {
            let byte = try byte()
            value = value << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { return value }
        }
        throw .endOfFrames
    }

    /// A number that may be negative: 1, -1, 2, -2 and so on.
    mutating func signedNumber() throws(ToolError) -> Int {
        let value = try number() + 1
        return value & 1 == 1 ? -(value >> 1) : value >> 1
    }

    mutating func array(_ count: Int) throws(ToolError) -> [UInt8] {
        guard count >= 0, count <= Self.maximumArrayBytes else { throw .endOfFrames }
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { bytes -> Result<Void, ToolError> in
            do throws(ToolError) { return .success(try read(into: bytes)) } catch { return .failure(error) }
        }
        try result.get()
        return bytes
    }

    /// More than any header.
    private static let maximumArrayBytes = 64 << 20

    mutating func skip(_ count: Int) throws(ToolError) {
        var rest = count
        while rest > 0 {
            guard try hasMore() else { throw .endOfFrames }
            let step = min(rest, end - place)
            place += step
            rest -= step
        }
    }

    /// Fills a memory; bytes that are not in the buffer are read straight into it.
    mutating func read(into destination: UnsafeMutableRawBufferPointer) throws(ToolError) {
        let buffered = min(destination.count, end - place)
        destination.copyBytes(from: buffer[place..<place + buffered])
        place += buffered
        var done = buffered
        while done < destination.count {
            guard let source else { throw .endOfFrames }
            let part = UnsafeMutableRawBufferPointer(rebasing: destination[done...])
            let count = try Self.read(source, part)
            guard count > 0 else { throw .endOfFrames }
            done += count
        }
    }

    private static func read(_ source: Source, _ bytes: inout [UInt8]) throws(ToolError) -> Int {
        let result = bytes.withUnsafeMutableBytes { bytes -> Result<Int, ToolError> in
            do throws(ToolError) { return .success(try read(source, bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private static func read(
        _ source: Source, _ bytes: UnsafeMutableRawBufferPointer
    ) throws(ToolError) -> Int {
        switch source {
        case .child(let child): return try child.read(into: bytes)
        case .descriptor(let descriptor):
            let count = Descriptor.readOnce(into: bytes, from: descriptor)
            guard count >= 0 else { throw .unreadableFrames }
            return count
        }
    }
}

extension ToolError {
    fileprivate static var endOfFrames: ToolError {
        ToolError(.failed, "ffmpeg's frames end in the middle of one.")
    }

    fileprivate static var unreadableFrames: ToolError {
        ToolError(.failed, "ffmpeg's frames cannot be read: \(String(cString: strerror(errno))).")
    }
}
