package import CommandKit
import Glibc

/// The programs `ffmpeg` and `ffprobe`, which read and write all containers of videos.
package enum FFmpeg {
    /// Arguments that every call begins with.
    package static let quiet = ["-hide_banner", "-nostdin", "-loglevel", "repeat+level+warning"]

    /// A path as an output: never an option, a protocol or a pattern of ffmpeg's.
    package static func file(_ path: String) -> String { "file:\(path)" }

    /// Starts `ffmpeg`.
    package static func start(_ arguments: [String], pipes: ChildProcess.Pipes) throws(ToolError)
        -> ChildProcess
    {
        try ChildProcess("ffmpeg", quiet + arguments, pipes: pipes)
    }

    /// Runs `ffmpeg` to its end.
    ///
    /// - Returns: whether it succeeded, and its messages.
    package static func run(_ arguments: [String]) throws(ToolError) -> (
        isDone: Bool, diagnostics: Diagnostics
    ) {
        // Its output is a file: what comes through the pipe is not ffmpeg's.
        let process = try start(arguments, pipes: .output)
        try process.readAll(limit: 1 << 16) { _ in }
        let isDone = try process.finish()
        return (isDone, process.diagnostics)
    }

    /// Runs `ffmpeg` and hands over what it writes to its standard output, part by part.
    ///
    /// - Returns: whether it succeeded.
    package static func read(
        _ arguments: [String], _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(ToolError) -> Bool {
        let process = try start(arguments, pipes: .output)
        try process.readAll(limit: .max) { body($0) }
        return try process.finish()
    }

    /// Runs `ffprobe`.
    ///
    /// - Returns: its output, and its messages.
    package static func probedText(
        _ arguments: [String]
    ) throws(ToolError) -> (text: [UInt8], diagnostics: Diagnostics) {
        let process = try startProbe(arguments)
        var text: [UInt8] = []
        try process.readAll(limit: maximumTextBytes) { text += $0 }
        try process.finish()
        return (text, process.diagnostics)
    }

    /// A hundred times as much as the headers of any known file give.
    private static let maximumTextBytes = 1 << 26

    /// Runs `ffprobe` and hands its output over, line by line.
    ///
    /// - Returns: its messages.
    package static func probe(
        _ arguments: [String], _ body: (UnsafePointer<CChar>) -> Void
    ) throws(ToolError) -> Diagnostics {
        let process = try startProbe(arguments)
        var lines = LineSplitter()
        try process.readAll(limit: .max) { part throws(ToolError) in
            lines.add(part, body)
            guard lines.restCount <= maximumTextBytes else {
                throw process.fail(.failed, "sends no lines of text")
            }
        }
        lines.finish(body)
        try process.finish()
        return process.diagnostics
    }

    private static func startProbe(_ arguments: [String]) throws(ToolError) -> ChildProcess {
        let options = ["-hide_banner", "-loglevel", "repeat+level+warning"]
        return try ChildProcess("ffprobe", options + arguments, pipes: .output)
    }
}

/// A file that ffmpeg reads.
package struct MediaInput: Sendable {
    /// The user's name for it, for messages.
    package let name: String
    package let path: String

    /// A file of this machine, which never leads to the network.
    package init(path: String, named name: String? = nil) { (self.path, self.name) = (path, name ?? path) }

    /// Arguments of `ffmpeg` and `ffprobe` that open it.
    package var arguments: [String] {
        ["-protocol_whitelist", "file,crypto,data", "-i", "file:\(path)"]
    }
}
