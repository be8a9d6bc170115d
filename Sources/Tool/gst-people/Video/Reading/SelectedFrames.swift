import CommandKit
import GStreamerKit
import MediaFiles
import Synchronization

/// Frames of a video that ffmpeg decodes, in the order in which they are shown, as buffers.
final class SelectedFrames: Sendable {
    private let input: VideoInput
    private let selection: FrameSelection
    private let packed: GStreamer.PackedFrames
    private let decoder: FrameDecoder
    private let shown = Mutex<[UInt64]>([])

    /// Starts to decode.
    ///
    /// - Parameters:
    ///   - start: time at whose key frame decoding begins, in nanoseconds of the file.
    /// - Throws: `ToolError` when nothing can be decoded.
    init(
        _ input: VideoInput, _ format: PictureFormat, _ selection: FrameSelection, from start: UInt64
    ) throws(ToolError) {
        (self.input, self.selection) = (input, selection)
        packed = try format.packedFrames(of: input)
        decoder = try FrameDecoder(input, format, from: start)
    }

    /// Times of the shown frames until now, in nanoseconds of the file.
    var times: [UInt64] { shown.withLock { $0 } }

    /// Calls `body` with each frame, with its time in nanoseconds of the file.
    func read(_ body: (GStreamer.Buffer) -> Void) throws(ToolError) {
        /// The frame before the start, where it is not known whether it is shown then.
        var candidate: (buffer: GStreamer.Buffer, time: UInt64)?
        var frames = try decoder.open()
        while let frame = try frames.next() {
            let time = input.nanoseconds(frame.ticks)
            let isBefore = !VideoRange.reaches(time, selection.warmUp)
            if isBefore, selection.expected != nil { continue }
            if let candidate, !VideoRange.reaches(selection.warmUp, time) {
                give(candidate.buffer, candidate.time, isShown: true, body)
            }
            if let end = selection.end, VideoRange.reaches(time, end) { return decoder.stop() }
            let buffer = try buffer(frame.byteCount, &frames)
            candidate = isBefore ? (buffer, time) : nil
            if !isBefore { give(buffer, time, isShown: VideoRange.reaches(time, selection.first), body) }
        }
        if let candidate { give(candidate.buffer, candidate.time, isShown: true, body) }
    }

    private func buffer(
        _ byteCount: Int, _ frames: inout DecodedFrames
    ) throws(ToolError) -> GStreamer.Buffer {
        guard byteCount == packed.byteCount else {
            throw ToolError(.failed, "ffmpeg gives frames of another size than it said.")
        }
        let buffer = try packed.buffer { bytes throws(ToolError) in try frames.read(into: bytes) }
        guard let buffer else { throw ToolError(.failed, "Memory is too short for a frame.") }
        return buffer
    }

    private func give(
        _ buffer: GStreamer.Buffer, _ time: UInt64, isShown: Bool, _ body: (GStreamer.Buffer) -> Void
    ) {
        buffer.writableView.setPresentationTime(time)
        if isShown { shown.withLock { $0.append(time) } }
        body(buffer)
    }

    /// Ends decoding at once; a thread that waits for a frame gets the end of the stream.
    func stop() { decoder.stop() }

    /// Messages of ffmpeg, once all frames are read.
    func diagnostics() -> Diagnostics { decoder.diagnostics() }
}

extension PictureFormat {
    /// - Throws: `ToolError` where a frame is too large for a buffer.
    fileprivate func packedFrames(of input: VideoInput) throws(ToolError) -> GStreamer.PackedFrames {
        guard let caps = GStreamer.Caps(caps), let frames = GStreamer.PackedFrames(caps) else {
            throw ToolError(.input, "\(input.media.name): frames of \(width)x\(height) are too large.")
        }
        return frames
    }
}

/// The frames of a video, decoded by an ffmpeg process.
final class FrameDecoder: Sendable {
    private let process: ChildProcess
    private let input: VideoInput
    /// Starts to decode.
    ///
    /// - Parameters:
    ///   - start: time in nanoseconds of the file at whose key frame decoding begins, or somewhat earlier; 0 for the beginning.
    /// - Throws: `ToolError` when no process can be started.
    init(_ input: VideoInput, _ format: PictureFormat, from start: UInt64 = 0) throws(ToolError) {
        self.input = input
        process = try FFmpeg.start(Self.arguments(input, format, from: start), pipes: .output)
    }

    /// Seconds that are added to times in the pipe.
    ///
    /// Frames may be a little earlier than the beginning that the file names.
    private static func offset(of input: VideoInput) -> Double {
        let margin = 60.0
        return input.isContinuous ? margin - input.start : margin
    }

    private static func arguments(_ input: VideoInput, _ format: PictureFormat, from start: UInt64)
        -> [String]
    {
        var arguments = ["-loglevel", "repeat+level+verbose"]
        // ffmpeg corrects times that jump back, and then counts from zero.
        if input.isContinuous { arguments.append("-copyts") }
        if start > 0 {
            let place = input.seconds(start).text(decimals: 6)
            arguments += ["-noaccurate_seek", "-seek_timestamp", "1", "-ss", place]
        }
        arguments += input.track.decoderArguments
        arguments += input.media.arguments
        arguments += [
            "-map", "0:\(input.track.index)", "-filter:v", format.filters, "-fps_mode", "passthrough",
        ]
        arguments += ["-enc_time_base:v", "\(input.unit)", "-c:v", "rawvideo"]
        arguments += ["-output_ts_offset", offset(of: input).text(decimals: 6)]
        return arguments + ["-f", "nut", "-write_index", "0", "-flush_packets", "1", "pipe:1"]
    }

    /// Waits for the first frame.
    ///
    /// - Throws: `ToolError` when nothing can be decoded.
    func open() throws(ToolError) -> DecodedFrames {
        guard let reader = try NUTReader.open(process) else {
            try process.finish()
            throw .unreadable(input.media.name, process.diagnostics)
        }
        return DecodedFrames(reader, input, added: Self.offset(of: input))
    }

    /// Ends decoding at once; a thread that waits for a frame gets the end of the stream.
    func stop() { process.kill() }

    /// Messages of ffmpeg, once all frames are read.
    func diagnostics() -> Diagnostics {
        // It has given all frames: it is of no account if it does not end.
        _ = try? process.finish()
        return process.diagnostics
    }
}

/// Frames in the pipe of a decoder, one after the other.
struct DecodedFrames: ~Copyable {
    private var reader: NUTReader
    private let unit: Rational
    /// Ticks of the frames' own time base that were added to all times, which are never negative there.
    private let added: Int

    fileprivate init(_ reader: consuming NUTReader, _ input: VideoInput, added seconds: Double) {
        let pipeUnit = reader.track.timeBase
        added = Int(seconds * 1e6).rescaled(from: .microsecond, to: pipeUnit)
        unit = input.unit
        self.reader = reader
    }

    /// The next frame's time in ticks of the input; nil at the end.
    ///
    /// The bytes of the frame are those of `read(into:)`.
    mutating func next() throws(ToolError) -> (ticks: Int, byteCount: Int)? {
        guard let packet = try reader.next() else { return nil }
        return ((packet.time &- added).rescaled(from: reader.track.timeBase, to: unit), packet.byteCount)
    }

    mutating func read(into bytes: UnsafeMutableRawBufferPointer) throws(ToolError) {
        try reader.read(into: bytes)
    }
}
