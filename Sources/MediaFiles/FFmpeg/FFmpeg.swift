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
        let process = try start(arguments, pipes: [])
        let isDone = process.wait()
        return (isDone, process.diagnostics)
    }

    /// Runs `ffprobe`.
    ///
    /// - Returns: its output, and its messages.
    package static func probedText(
        _ arguments: [String]
    ) throws(ToolError) -> (text: [UInt8], diagnostics: Diagnostics) {
        var text: [UInt8] = []
        let diagnostics = try probe(arguments) { line in
            text += UnsafeBufferPointer(start: line, count: strlen(line)).map { UInt8(bitPattern: $0) }
        }
        return (text, diagnostics)
    }

    /// Runs `ffprobe` and hands its output over, line by line.
    ///
    /// - Returns: its messages.
    package static func probe(
        _ arguments: [String], _ body: (UnsafePointer<CChar>) -> Void
    ) throws(ToolError) -> Diagnostics {
        let options = ["-hide_banner", "-loglevel", "repeat+level+warning"]
        let process = try ChildProcess("ffprobe", options + arguments, pipes: .output)
        guard let output = process.output, let file = fdopen(dup(output), "r") else {
            throw ToolError(.failed, "ffprobe's output cannot be read.")
        }
        defer { fclose(file) }
        var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { free(line) }
        while getline(&line, &capacity, file) >= 0 {
            if let line { body(line) }
        }
        process.wait()
        return process.diagnostics
    }
}
