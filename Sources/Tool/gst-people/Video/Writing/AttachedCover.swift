import CommandKit
import MediaFiles

/// The cover picture of a video, as a file that is attached to a Matroska file: there covers are no tracks.
struct AttachedCover: Sendable {
    private let file: UnnamedFile
    private let name: String
    private let type: String

    /// Copies a stream's picture.
    init(of input: VideoInput, _ stream: MediaDescription.Stream) throws(ToolError) {
        let (ending, type) = Self.kinds[stream.codec] ?? (stream.codec, "image/\(stream.codec)")
        (name, self.type) = (stream.tags["filename"] ?? "cover.\(ending)", stream.tags["mimetype"] ?? type)
        file = try UnnamedFile()
        let result = try FFmpeg.run(
            input.media.arguments + [
                "-map", "0:\(stream.index)", "-c", "copy", "-frames:v", "1", "-f", "image2", "-update", "1",
                "-y", FFmpeg.file(file.path),
            ])
        guard result.isDone else { throw .unreadable(input.media.name, result.diagnostics) }
    }

    /// Endings of names and types by ffmpeg's names of codecs.
    private static let kinds = ["mjpeg": ("jpg", "image/jpeg"), "png": ("png", "image/png")]

    /// ffmpeg's arguments that attach it.
    ///
    /// - Parameter place: its place among the attached files.
    func arguments(_ place: Int) -> [String] {
        [
            "-attach", FFmpeg.file(file.path), "-metadata:s:t:\(place)", "filename=\(name)",
            "-metadata:s:t:\(place)", "mimetype=\(type)",
        ]
    }
}
