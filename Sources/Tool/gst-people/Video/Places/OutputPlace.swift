import CommandKit
import MediaFiles

/// A place to which a finished video goes: a file, the standard output, or an image sequence.
protocol OutputPlace {
    /// A path at which the video is made.
    var temporaryPath: String { get }

    /// Puts the finished video in its place.
    func publish() throws(ToolError)
}

extension OutputFile: OutputPlace {}

extension Job {
    /// - Throws: `ToolError` where a file must not be written over.
    func outputPlace(overwrites: Bool) throws(ToolError) -> any OutputPlace {
        if output == "-" { return try StandardOutput() }
        guard let images = ImageSequence(output) else {
            return try OutputFile(path: output, overwrites: overwrites)
        }
        return try ImageSequenceOutput(images, overwrites: overwrites)
    }
}

/// The standard output, which gets the video when it is whole.
private struct StandardOutput: OutputPlace {
    private let file: UnnamedFile
    var temporaryPath: String { file.path }

    init() throws(ToolError) { file = try UnnamedFile() }

    func publish() throws(ToolError) { try file.copyToStandardOutput() }
}

/// An image sequence that counts from 1.
private struct ImageSequenceOutput: OutputPlace {
    private let images: ImageSequence
    private let file: UnnamedFile
    var temporaryPath: String { file.path }

    init(_ images: ImageSequence, overwrites: Bool) throws(ToolError) {
        if !overwrites, let first = images.numbers.first { throw .exists(images.path(first)) }
        self.images = images
        file = try UnnamedFile()
    }

    func publish() throws(ToolError) {
        let result = try FFmpeg.run(
            [
                "-i", FFmpeg.file(file.path), "-map", "0:v:0", "-c", "copy", "-f", "image2", "-start_number",
                "1",
            ]
                + ["-y", FFmpeg.file(images.pattern)])
        guard result.isDone else {
            throw ToolError(
                .output,
                "\(images.pattern) cannot be written: \(result.diagnostics.reason ?? "ffmpeg has ended").")
        }
    }
}
