import Foundation
import TestSupport

/// `gst-people`, built with the tests.
enum Tool {
    /// The path beside the bundle of the tests; the scripts would build the tool, which SwiftPM forbids
    /// during tests.
    static let path = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("gst-people").path

    /// Runs a command that makes masks, with `quality=fast`.
    static func run(
        _ arguments: String..., command: String = "video", environment: [String: String?] = [:]
    ) throws -> Subprocess {
        try Subprocess.run(path, [command] + arguments + ["--quality=fast"], environment: environment)
    }

    /// Runs the command `video`, which must succeed.
    ///
    /// - Returns: the path of the output.
    static func make(_ input: String, _ output: String, _ options: String...) throws -> String {
        let arguments = ["video", input, output, "--quality=fast"] + options
        let result = try Subprocess.run(path, arguments)
        guard result.status == 0 else { throw SetupFailure("\(arguments): \(result.output)") }
        return output
    }

    /// Runs the command `photo` on the portrait, which must succeed.
    ///
    /// - Returns: the picture at `output`, in RGB.
    static func photo(_ output: String, _ options: [String]) throws -> Frame {
        let arguments = ["photo", Checkout.astronaut.path, output, "--quality=fast"] + options
        let result = try Subprocess.run(path, arguments)
        guard result.status == 0 else { throw SetupFailure("\(options): \(result.output)") }
        return try Frame.picture(output, "video/x-raw,format=RGB")
    }
}

extension Subprocess {
    /// Returns the events of a kind in the output of `--json`.
    func events(_ kind: String) -> [[String: Any]] {
        objects(self).filter { $0["event"] as? String == kind }
    }

    /// Returns the notes of the first event of a kind, about losses and changes; nil without such an event.
    func notes(_ kind: String) -> [String]? { events(kind).first?["notes"] as? [String] }
}

extension Scratch {
    /// Returns a video of the first frame of the packaged clip, ten frames of three people at 25 frames per second.
    func threePeople() throws -> String {
        try clip(
            "in.mp4",
            "filesrc location=\(Checkout.clip.path) ! decodebin ! imagefreeze num-buffers=10 ! videoconvert ! videoscale "
                + "! \(caps("I420", 540, 360)) ! x264enc speed-preset=ultrafast ! mp4mux")
    }

    /// Returns a picture of the same three people.
    func group() throws -> String {
        try clip(
            "group.png",
            "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvert ! pngenc snapshot=true")
    }

    /// The names of all files in the directory.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path))?.sorted() ?? [] }

    /// Writes a file by a pipeline description that lacks the filesink, and returns its path.
    func clip(_ name: String, _ line: String) throws -> String {
        let file = path(name)
        // The sink comes first, so that the description may continue with its own branches.
        let pipeline = try Pipeline("filesink name=file location=\(file) \(line) ! file.")
        guard pipeline.play().allSatisfy({ $0.kind == .endOfStream }) else { throw SetupFailure(line) }
        return file
    }

    func file(_ name: String, _ bytes: Data) throws -> String {
        try bytes.write(to: url.appendingPathComponent(name))
        return path(name)
    }
}

/// Pipeline descriptions of test clips.
enum Clip {
    /// Fifty frames at 25 frames per second, as H.264.
    static let video = raw() + " ! x264enc speed-preset=ultrafast bframes=2"
    /// Two seconds of AAC, in 94 packets.
    static let aac =
        "audiotestsrc num-buffers=94 samplesperbuffer=1024 ! audio/x-raw,rate=48000,channels=2 "
        + "! avenc_aac ! aacparse"

    static func raw(_ format: String = "I420", _ width: Int = 160, _ height: Int = 90, _ more: String = "")
        -> String
    {
        "videotestsrc num-buffers=50 ! \(caps(format, width, height, more))"
    }

    /// Returns the description of a file with video and audio tracks.
    static func withAudio(_ muxer: String, _ tracks: String...) -> String {
        let streams = ([video] + tracks).map { "\($0) ! muxer. " }
        return "\(muxer) name=muxer \(streams.joined())muxer."
    }

    /// Returns the portrait as a video without motion.
    static func astronaut(_ more: String = "") -> String {
        "filesrc location=\(Checkout.astronaut.path) ! pngdec ! imagefreeze num-buffers=10 ! videoconvert "
            + "! \(caps("I420", 512, 512)) \(more)"
    }
}
