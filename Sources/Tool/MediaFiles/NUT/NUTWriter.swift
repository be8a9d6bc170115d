package import CommandKit
import Files
import Glibc

/// Writes a NUT stream of one video track to a child or a file, for ffmpeg to read.
package struct NUTWriter: ~Copyable {
    /// A place for the bytes.
    package enum Target: Sendable {
        /// A file, which the caller closes.
        case descriptor(Int32)
        /// The standard input of a child.
        case child(ChildProcess, ChildWatch.Patience)
    }

    private let target: Target

    /// Writes the headers.
    package init(_ target: Target, _ track: NUTTrack) throws(ToolError) {
        self.target = target
        let headers =
            NUT.fileIdentifier + Self.packet(.main, Self.main(track))
            + Self.packet(.stream, Self.stream(track))
            + (track.rate.map { Self.packet(.info, Self.info($0)) } ?? [])
        try Self.write(headers, to: target)
    }

    /// Writes the header of a frame, whose bytes must follow.
    package mutating func begin(_ packet: NUTPacket) throws(ToolError) {
        // Syncpoints and times are never negative.
        guard packet.time >= 0 else { throw .negativeTime }
        var header: [UInt8] = [packet.isKey ? Self.keyCode : Self.otherCode]
        header.append(number: packet.time + 1 << Self.timeShift)
        header.append(number: packet.byteCount)
        header.append(big: NUT.checksum(header))
        try Self.write(Self.packet(.syncpoint, Self.syncpoint(packet.time)) + header, to: target)
    }

    /// Writes bytes of the current frame.
    package mutating func write(_ bytes: UnsafeRawBufferPointer) throws(ToolError) {
        try Self.write(bytes, to: target)
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to target: Target) throws(ToolError) {
        switch target {
        case .descriptor(let descriptor):
            guard Descriptor.write(bytes, to: descriptor) == 0 else { throw .unwritableFrames }
        case .child(let child, let patience):
            guard try child.write(bytes, patience) else { throw .unwritableFrames }
        }
    }

    private static func write(_ bytes: [UInt8], to target: Target) throws(ToolError) {
        let result = bytes.withUnsafeBytes { bytes -> Result<Void, ToolError> in
            do throws(ToolError) { return .success(try write(bytes, to: target)) } catch {
                return .failure(error)
            }
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

    /// Returns the stream's rate, by the name that ffmpeg gives it (libavformat, `nutenc.c`).
    private static func info(_ rate: Rational) -> [UInt8] { field("r_frame_rate", "\(rate)", stream: 1) }

    /// Returns information that is one text.
    ///
    /// - Parameter stream: the stream that it is about, counted from one; 0 for the file.
    static func field(_ name: String, _ text: String, stream: Int) -> [UInt8] {
        var body: [UInt8] = []
        // No chapter, from 0 to 0; one field.
        for value in [stream, 0, 0, 0, 1] { body.append(number: value) }
        body.append(text: name)
        // Type -1: a text.
        body.append(number: 2)
        body.append(text: text)
        return body
    }

    private static func syncpoint(_ time: Int) -> [UInt8] {
        var body: [UInt8] = []
        body.append(number: time)
        body.append(number: 0)
        return body
    }

    static func packet(_ code: NUT.StartCode, _ body: [UInt8]) -> [UInt8] {
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

    fileprivate mutating func append(text: String) {
        append(number: text.utf8.count)
        self += Array(text.utf8)
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

/// A packet at the end of a NUT file with the hash of all that stands before it, which shows whether the file is whole.
///
/// Readers of NUT skip it, because it is information that they do not know.
package enum NUTSeal {
    /// Returns the packet.
    ///
    /// - Parameter hash: hexadecimal digits.
    package static func packet(_ hash: String) -> [UInt8] {
        NUTWriter.packet(.info, NUTWriter.field("sha256", hash, stream: 0))
    }
}
