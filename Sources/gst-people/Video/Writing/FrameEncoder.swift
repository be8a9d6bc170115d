import CommandKit
import MediaFiles
import Synchronization

/// An ffmpeg process that takes frames or packets of one video track and writes a file.
final class FrameEncoder: Sendable {
    private let process: ChildProcess
    private let writer: Mutex<NUTWriter>
    /// The file, for messages.
    private let name: String

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - track: the track that is written.
    ///   - arguments: ffmpeg's arguments; its input `pipe:0` is a NUT stream.
    ///   - name: the output, for messages.
    init(_ track: NUTTrack, _ arguments: [String], writing name: String) throws(ToolError) {
        self.name = name
        process = try FFmpeg.start(arguments, pipes: .input)
        do throws(ToolError) {
            writer = Mutex(try NUTWriter(process.input ?? -1, track))
        } catch {
            process.wait()
            throw Self.failure(name, process.diagnostics)
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
            process.wait()
            throw Self.failure(name, process.diagnostics)
        }
    }

    /// Waits until the file is written.
    func finish() throws(ToolError) {
        process.closeInput()
        let isWritten = try WatchedWork.run(name, "while it is completed") { [process] in process.wait() }
        guard isWritten, !process.diagnostics.messages.contains(where: Self.isWriteError) else {
            throw Self.failure(name, process.diagnostics)
        }
    }

    /// ffmpeg ends with status 0 where only the file's end cannot be written.
    private static func isWriteError(_ message: Diagnostics.Message) -> Bool {
        message.isError && message.text.hasPrefix("Error writing trailer")
    }

    /// Ends the process at once; a thread that writes gets an error.
    func stop() { process.kill() }

    private static func failure(_ name: String, _ diagnostics: Diagnostics) -> ToolError {
        let reason = diagnostics.reason ?? "ffmpeg has ended"
        let isFull = diagnostics.messages.contains { $0.text.contains("No space left") }
        return ToolError(
            .output, "\(name) cannot be written: \(isFull ? "no space left on its disk" : reason).")
    }
}
