package import CommandKit
import Glibc

/// Writes a NUT stream of one video track to a pipe or a file, for ffmpeg to read.
package struct NUTWriter: ~Copyable {
    private let descriptor: Int32

    /// Writes the headers.
    ///
    /// - Parameter descriptor: a pipe or file; the caller closes it.
    package init(_ descriptor: Int32, _ track: NUTTrack) throws(ToolError) {
        self.descriptor = descriptor
        let headers =
            NUT.fileIdentifier + Self.packet(.main, Self.main(track))
            + Self.packet(.stream, Self.stream(track))
        try write(headers)
    }

    /// Writes the header of a frame, whose bytes must follow.
    package mutating func begin(_ packet: NUTPacket) throws(ToolError) {
        // Syncpoints and times are never negative.
        guard packet.time >= 0 else { throw .negativeTime }
        var header: [UInt8] = [packet.isKey ? Self.keyCode : Self.otherCode]
        header.append(number: packet.time + 1 << Self.timeShift)
        header.append(number: packet.byteCount)
        header.append(big: NUT.checksum(header))
        try write(Self.packet(.syncpoint, Self.syncpoint(packet.time)) + header)
    }

    /// Writes bytes of the current frame.
    package mutating func write(_ bytes: UnsafeRawBufferPointer) throws(ToolError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .unwritableFrames }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    private mutating func write(_ bytes: [UInt8]) throws(ToolError) {
        let result = bytes.withUnsafeBytes { bytes -> Result<Void, ToolError> in
            do throws(ToolError) { return .success(try write(bytes)) } catch { return .failure(error) }
        }
        try result.get()
    }

    // MARK: - Packets

    /// First bytes of frames that can be decoded by themselves, and of others.
    private static let (otherCode, keyCode): (UInt8, UInt8) = (0, 1)
    /// Bits of a time that would be given where it follows from the last one; times are given whole.
    private static let timeShift = 1

    private static func main(_ track: NUTTrack) -> [UInt8] {
        var body: [UInt8] = []
        for value in [3, 1, NUT.maximumDistance, 1, track.timeBase.numerator, track.timeBase.denominator] {
            body.append(number: value)
        }
        let flags: NUT.FrameFlags = [.codedTime, .codedSize, .checksum]
        // Fields: time step, size factor, stream, size, reserved values, codes.
        for (flags, codes) in [(flags, 1), (flags.union(.key), 1), (.invalid, 256 - 3)] {
            for value in [Int(flags.rawValue), 6, 0, 1, 0, 0, 0, codes] { body.append(number: value) }
        }
        body.append(number: 0)
        return body
    }

    private static func stream(_ track: NUTTrack) -> [UInt8] {
        var body: [UInt8] = []
        body.append(number: 0)
        body.append(number: 0)
        body.append(number: track.codecTag.count)
        body += track.codecTag
        // Time base, time shift, largest step without checksum, decode delay, flags.
        for value in [0, timeShift, 1, track.decodeDelay, 0] { body.append(number: value) }
        body.append(number: track.codecData.count)
        body += track.codecData
        let aspect = track.pixelAspectRatio
        for value in [track.width, track.height, aspect.numerator, aspect.denominator, 0] {
            body.append(number: value)
        }
        return body
    }

    private static func syncpoint(_ time: Int) -> [UInt8] {
        var body: [UInt8] = []
        body.append(number: time)
        body.append(number: 0)
        return body
    }

    private static func packet(_ code: NUT.StartCode, _ body: [UInt8]) -> [UInt8] {
        var packet: [UInt8] = []
        packet.append(big: UInt32(truncatingIfNeeded: code.rawValue >> 32))
        packet.append(big: UInt32(truncatingIfNeeded: code.rawValue))
        packet.append(number: body.count + 4)
        if body.count + 4 > NUT.maximumUncheckedBytes { packet.append(big: NUT.checksum(packet)) }
        packet += body
        packet.append(big: NUT.checksum(body))
        return packet
    }
}

extension [UInt8] {
    /// Appends a number that is not negative, seven bits a byte, the highest first.
    fileprivate mutating func append(number: Int) {
        var groups: [UInt8] = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            groups.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        self += groups.reversed()
    }

    fileprivate mutating func append(big number: UInt32) {
        self += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

extension ToolError {
    fileprivate static var negativeTime: ToolError {
        ToolError(.failed, "A frame has a time before the beginning of its video.")
    }

    fileprivate static var unwritableFrames: ToolError {
        ToolError(.failed, "ffmpeg takes no more frames: \(String(cString: strerror(errno))).")
    }
}
