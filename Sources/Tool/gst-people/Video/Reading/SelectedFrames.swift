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
