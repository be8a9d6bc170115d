package import CommandKit
import Files
import Glibc

/// Reads a NUT stream of one video track, as ffmpeg writes it, from a pipe or a file.
package struct NUTReader: ~Copyable {
    /// The track; its frames follow.
    package let track: NUTTrack
    private var bytes: ByteReader
    private let codes: [FrameCode]
    private let elidedHeaders: [[UInt8]]
    private let timeShift: Int
    private let timeBaseCount: Int
    private var lastTime = 0
    /// Bytes of the current frame that were left out because they are common.
    private var elided: ArraySlice<UInt8> = []
    private var rest = 0

    /// Reads the headers of a pipe or file, which the caller closes.
    ///
    /// - Returns: nil for a stream that ends before its first header.
    package static func open(_ descriptor: Int32) throws(ToolError) -> NUTReader? {
        try open(ByteReader(.descriptor(descriptor)))
    }

    /// Reads the headers of a child's output.
    ///
    /// - Returns: nil for a stream that ends before its first header.
    package static func open(_ child: ChildProcess) throws(ToolError) -> NUTReader? {
        try open(ByteReader(.child(child)))
    }

    private static func open(_ source: ByteReader) throws(ToolError) -> NUTReader? {
        var bytes = source
        guard try bytes.hasMore() else { return nil }
        for expected in NUT.fileIdentifier where try bytes.byte() != expected { throw .damagedNUT }
        var main: MainHeader?
        while true {
            var packet = try packet(&bytes)
            switch packet.code {
            case .main: main = try MainHeader(&packet.body)
            case .stream:
                guard let main else { throw .damagedNUT }
                let (track, timeShift) = try stream(&packet.body, main)
                return NUTReader(bytes, main, track, timeShift: timeShift)
            default: break
            }
        }
    }

    private init(_ bytes: ByteReader, _ main: MainHeader, _ track: NUTTrack, timeShift: Int) {
        (self.bytes, self.track, self.timeShift) = (bytes, track, timeShift)
        (codes, elidedHeaders, timeBaseCount) = (main.codes, main.elidedHeaders, main.timeBases.count)
    }

    /// The next frame; unread bytes of the one before are skipped.
    ///
    /// - Returns: nil at the end.
    package mutating func next() throws(ToolError) -> NUTPacket? {
        try bytes.skip(rest)
        rest = 0
        while try bytes.hasMore() {
            let code = Int(try bytes.byte())
            if code == NUT.startByte {
                try readPacket()
            } else {
                return try frame(codes[code])
            }
        }
        return nil
    }

    /// Reads the bytes of the current frame; the destination has `byteCount` of them.
    package mutating func read(into destination: UnsafeMutableRawBufferPointer) throws(ToolError) {
        guard destination.count == elided.count + rest else { throw .damagedNUT }
        destination.copyBytes(from: elided)
        try bytes.read(into: UnsafeMutableRawBufferPointer(rebasing: destination[elided.count...]))
        (elided, rest) = ([], 0)
    }

    // MARK: - Frames

    private mutating func frame(_ code: FrameCode) throws(ToolError) -> NUTPacket {
        var flags = code.flags
        guard !flags.contains(.invalid) else { throw .damagedNUT }
        if flags.contains(.coded) {
            flags.formSymmetricDifference(.init(rawValue: UInt64(try bytes.number())))
        }
        let stream = flags.contains(.streamID) ? try bytes.number() : code.stream
        lastTime = flags.contains(.codedTime) ? time(try bytes.number()) : lastTime &+ code.timeStep
        var size = code.size
        if flags.contains(.codedSize) {
            let (product, overflows) = try bytes.number().multipliedReportingOverflow(by: code.sizeFactor)
            guard !overflows else { throw .damagedNUT }
            size = size &+ product
        }
        if flags.contains(.matchTime) { _ = try bytes.number() }
        var header = flags.contains(.elidedHeader) ? try bytes.number() : code.header
        let reserved = flags.contains(.reserved) ? try bytes.number() : code.reserved
        for _ in 0..<min(reserved, 256) { _ = try bytes.number() }
        if flags.contains(.checksum) { try bytes.skip(4) }
        // Large frames are complete, whatever their code means.
        if size > NUT.maximumElidedBytes { header = 0 }
        guard stream == 0, !flags.contains(.sideData), elidedHeaders.indices.contains(header),
            size >= elidedHeaders[header].count, size <= Self.maximumFrameBytes
        else { throw .damagedNUT }
        elided = elidedHeaders[header][...]
        rest = size - elided.count
        return NUTPacket(time: lastTime, isKey: flags.contains(.key), byteCount: size)
    }

    /// A frame of the largest image that elements take, with 16 bytes a pixel.
    private static let maximumFrameBytes = 1 << 34

    /// A time of which the low bits may be given only.
    private func time(_ coded: Int) -> Int {
        let (range, overflows) = (1 << timeShift, coded < 0)
        if coded >= range || overflows { return coded &- range }
        let earliest = lastTime &- (range - 1) / 2
        return (coded &- earliest) & (range - 1) &+ earliest
    }

    /// Reads a packet whose first byte was read.
    private mutating func readPacket() throws(ToolError) {
        var packet = try Self.packet(&bytes, hasFirst: true)
        guard packet.code == .syncpoint else { return }
        // There is one track, and so one time base.
        lastTime = try packet.body.number() / max(1, timeBaseCount)
    }

    // MARK: - Packets

    /// Reads a packet that is no frame; its checksum is left to the pipe, which loses nothing.
    private static func packet(
        _ bytes: inout ByteReader, hasFirst: Bool = false
    ) throws(ToolError) -> (code: NUT.StartCode?, body: ByteReader) {
        var code = hasFirst ? UInt64(NUT.startByte) : 0
        for _ in 0..<(hasFirst ? 7 : 8) { code = code << 8 | UInt64(try bytes.byte()) }
        let length = try bytes.number()
        if length > NUT.maximumUncheckedBytes { try bytes.skip(4) }
        guard (4...maximumPacketBytes).contains(length) else { throw .damagedNUT }
        let body = try bytes.array(length - 4)
        try bytes.skip(4)
        return (NUT.StartCode(rawValue: code), ByteReader(body))
    }

    /// The longest are an index, which ffmpeg does not write here, and headers with codec data.
    private static let maximumPacketBytes = 64 << 20

    private static func stream(
        _ body: inout ByteReader, _ main: MainHeader
    ) throws(ToolError) -> (NUTTrack, timeShift: Int) {
        let (id, kind) = (try body.number(), try body.number())
        let tag = try body.array(try body.number())
        let timeBase = try body.number()
        let timeShift = try body.number()
        _ = try body.number()
        let delay = try body.number()
        _ = try body.number()
        let data = try body.array(try body.number())
        let (width, height) = (try body.number(), try body.number())
        let aspect = Rational(try body.number(), try body.number())
        guard id == 0, kind == 0, main.timeBases.indices.contains(timeBase), (0..<16).contains(timeShift),
            width > 0, height > 0
        else { throw .damagedNUT }
        var track = NUTTrack(
            codecTag: tag, timeBase: main.timeBases[timeBase], width: width, height: height,
            pixelAspectRatio: aspect)
        (track.codecData, track.decodeDelay) = (data, delay)
        return (track, timeShift)
    }
}

/// The values that a frame's first byte stands for.
private struct FrameCode {
    var flags: NUT.FrameFlags
    var timeStep = 0
    var stream = 0
    var sizeFactor = 0
    var size = 0
    var reserved = 0
    var header = 0
}

/// The values of the packet that comes first.
private struct MainHeader {
    var timeBases: [Rational] = []
    var codes: [FrameCode] = []
    /// Common first bytes of frames; number 0 is none.
    var elidedHeaders: [[UInt8]] = [[]]

    init(_ body: inout ByteReader) throws(ToolError) {
        let version = try body.number()
        if version > 3 { _ = try body.number() }
        let streams = try body.number()
        _ = try body.number()
        let count = try body.number()
        guard streams == 1, (1...16).contains(count) else { throw .damagedNUT }
        for _ in 0..<count {
            let timeBase = Rational(try body.number(), try body.number())
            guard timeBase.numerator > 0, timeBase.denominator > 0 else { throw .damagedNUT }
            timeBases.append(timeBase)
        }
        while codes.count < 256 { try readCodes(&body) }
        let headers = try body.number()
        for _ in 0..<min(headers, 256) { elidedHeaders.append(try body.array(try body.number())) }
    }

    /// Reads one row of the table of frame codes, which stands for one or more of them.
    private mutating func readCodes(_ body: inout ByteReader) throws(ToolError) {
        var code = codes.last ?? FrameCode(flags: [])
        if codes.isEmpty { code.sizeFactor = 1 }
        code.flags = NUT.FrameFlags(rawValue: UInt64(try body.number()))
        let fields = try body.number()
        if fields > 0 { code.timeStep = try body.signedNumber() }
        if fields > 1 { code.sizeFactor = try body.number() }
        if fields > 2 { code.stream = try body.number() }
        code.size = fields > 3 ? try body.number() : 0
        code.reserved = fields > 4 ? try body.number() : 0
        let count = fields > 5 ? try body.number() : code.sizeFactor &- code.size
        if fields > 6 { _ = try body.signedNumber() }
        if fields > 7 { code.header = try body.number() }
        for _ in 0..<max(0, min(fields, 256) - 8) { _ = try body.number() }
        guard (1...256).contains(count) else { throw .damagedNUT }
        for _ in 0..<count {
            if codes.count == NUT.startByte { codes.append(FrameCode(flags: .invalid)) }
            codes.append(code)
            code.size += 1
        }
        guard codes.count <= 256 else { throw .damagedNUT }
    }
}

extension ToolError {
    fileprivate static var damagedNUT: ToolError {
        ToolError(.failed, "ffmpeg's frames cannot be read: the stream is no NUT of one video track.")
    }
}

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
