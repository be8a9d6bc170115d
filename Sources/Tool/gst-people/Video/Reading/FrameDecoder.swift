import CommandKit
import MediaFiles

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
