import CommandKit
import MediaFiles
import Synchronization

/// An ffmpeg process that takes frames or packets of one video track and writes a file.
final class FrameEncoder: Sendable {
    private let process: ChildProcess
    private let patience: ChildWatch.Patience
    private let writer: Mutex<NUTWriter>
    /// The file, for messages.
    private let name: String

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - track: the track that is written.
    ///   - arguments: ffmpeg's arguments; its input `pipe:0` is a NUT stream.
    ///   - input: the file that the process reads besides; nil for none.
    ///   - name: the output, for messages.
    init(
        _ track: NUTTrack, _ arguments: [String], reading input: VideoInput?, writing name: String
    ) throws(ToolError) {
        self.name = name
        patience = .encoding(
            pixels: track.width * track.height, reading: Int64(input.map(\.byteCount) ?? 0))
        // ffmpeg writes a file, and nothing into the second pipe: another program, which writes there, stops when it is full.
        process = try FFmpeg.start(arguments, pipes: [.input, .output])
        do throws(ToolError) {
            writer = Mutex(try NUTWriter(.child(process, patience), track))
        } catch {
            throw try Self.failure(name, process, patience, error)
        }
    }

    /// Writes a frame that can be decoded by itself, at a time in ticks of the track.
    func write(_ bytes: UnsafeRawBufferPointer, at ticks: Int) throws(ToolError) {
        try write(bytes, NUTPacket(time: ticks, isKey: true, byteCount: bytes.count))
    }

    func write(_ bytes: UnsafeRawBufferPointer, _ packet: NUTPacket) throws(ToolError) {
        do throws(ToolError) {
            try writer.withLock { writer throws(ToolError) in
                try writer.begin(packet)
                try writer.write(bytes)
            }
        } catch {
            throw try Self.failure(name, process, patience, error)
        }
    }

    /// Waits until the file is written.
    func finish() throws(ToolError) {
        process.closeInput()
        let isWritten = try WatchedWork.run(name, "while it is completed") {
            [process, patience] () throws(ToolError) -> Bool in try process.finish(patience)
        }
        guard isWritten, !process.diagnostics.hasWriteError else {
            throw Self.failure(name, process.diagnostics)
        }
    }

    /// Ends the process at once; a thread that writes gets an error.
    func stop() { process.kill() }

    /// Returns the reason why a process takes no more, once it has ended.
    private static func failure(
        _ name: String, _ process: ChildProcess, _ patience: ChildWatch.Patience, _ error: ToolError
    ) throws(ToolError) -> ToolError {
        guard !process.isGivenUp else { return error }
        try process.finish(patience)
        return failure(name, process.diagnostics)
    }

    private static func failure(_ name: String, _ diagnostics: Diagnostics) -> ToolError {
        // libavformat's muxer of MP4 says no more where the time between two packets has over 31 bits.
        let isTooLong = diagnostics.reason?.contains("Not yet implemented in FFmpeg") ?? false
        let reason =
            isTooLong
            ? "the time between two of its packets is longer than its container can say; a name that ends in .mkv "
                + "has no such limit" : diagnostics.reason ?? "ffmpeg has ended"
        let isFull = diagnostics.messages.contains { $0.text.contains("No space left") }
        return ToolError(
            .output, "\(name) cannot be written: \(isFull ? "no space left on its disk" : reason).")
    }
}
