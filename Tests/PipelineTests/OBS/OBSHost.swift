import Foundation
import TestSupport
import Testing

/// The filter in libobs, in a program of its own: `Tests/OBS/host.c` lists the commands.
final class OBSHost {
    /// Colour behind the people, as the property of `blendmask` and as OBS stores it.
    static let color = (property: "0xff009b40", setting: 0xff40_9b00 as UInt32)

    /// The module that users load.
    static let module = Checkout.setup.appendingPathComponent("obs-plugins/gst-people-obs.so").path

    /// The command that loads OBS's player of clips.
    static let player: String = {
        let folder = try? Subprocess.run("pkg-config", ["--variable=libdir", "libobs"]).output
        let libraries = folder?.split(whereSeparator: \.isWhitespace).first ?? ""
        return "module \(libraries)/obs-plugins/obs-ffmpeg.so"
    }()

    /// The reason why the filter cannot be tested here; nil if it can.
    static let obstacle: String? = {
        let isStaged = FileManager.default.fileExists(atPath: module)
        let hasHeaders = (try? Subprocess.run("pkg-config", ["--exists", "libobs"]).status) == 0
        return !hasHeaders
            ? "libobs-dev is not installed" : isStaged ? nil : "pipelines/build has not staged it"
    }()

    /// The same as a comment of tests: Swift 6.0 takes no interpolated text in an attribute.
    static var comment: Comment { Comment(rawValue: obstacle ?? "") }

    private let scratch = try? Scratch()
    private let server: XServer
    private let program: String

    /// Compiles the program, and starts an X server.
    init() throws {
        guard let server = try XServer(width: 640, height: 360), let scratch else {
            throw SetupFailure("Xvfb is not installed")
        }
        self.server = server
        program = scratch.path("host")
        let flags = try Subprocess.run("pkg-config", ["--cflags", "--libs", "libobs"]).output
        let source = Checkout.root.appendingPathComponent("Tests/OBS/host.c").path
        let compiled = try Subprocess.run(
            "cc",
            ["-Wall", "-Wextra", "-Werror", "-g", source, "-o", program, "-lpthread"]
                + flags.split(whereSeparator: \.isWhitespace).map(String.init))
        guard compiled.status == 0 else { throw SetupFailure(compiled.output) }
    }

    /// Saves a preset of the studio.
    func save(_ preset: String, as name: String) throws {
        guard let scratch else { throw SetupFailure("there is no temporary folder") }
        let folder = scratch.url.appendingPathComponent("gst-people/presets")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try preset.write(to: folder.appendingPathComponent(name + ".ini"), atomically: true, encoding: .utf8)
    }

    /// Runs a script.
    func run(_ commands: [String]) throws -> Subprocess {
        guard let scratch else { throw SetupFailure("there is no temporary folder") }
        let script = scratch.path("script")
        try commands.joined(separator: "\n").appending("\n").write(
            toFile: script, atomically: true, encoding: .utf8)
        return try Subprocess.run(
            program, [Self.module, script],
            environment: [
                "DISPLAY": server.display, "LIBGL_ALWAYS_SOFTWARE": "1", "XDG_CONFIG_HOME": scratch.url.path,
            ])
    }
}

extension Subprocess {
    /// Whether the host ended without a crash, and libobs has given back all memory.
    var endedClean: Bool { status == 0 && output.hasSuffix("\nleaks 0\n") }

    /// The texts that `status` has printed.
    var reports: [String] {
        output.split(separator: "\n").filter { $0.hasPrefix("status ") }.map { String($0.dropFirst(7)) }
    }
}

/// Raw frames of the packaged clip, 320x180, 25 a second.
struct ClipFrames {
    static let (width, height) = (320, 180)

    /// OBS's name of the format, and GStreamer's.
    let name: String
    let format: String
    let path: String

    /// Writes frames in a format.
    init(_ name: String, _ format: String, count: Int, in scratch: Scratch) throws {
        (self.name, self.format, path) = (name, format, scratch.path("frames.\(name)"))
        let written = try Subprocess.launch(
            "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvertscale ! \(Self.caps(format))"
                + " ! identity eos-after=\(count + 1) ! filesink location=\(path)")
        guard written.status == 0 else { throw SetupFailure(written.output) }
        // The decoder may have been ahead.
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.truncate(atOffset: UInt64(count * Self.frameBytes(format)))
    }

    /// Number of bytes of a frame.
    private static func frameBytes(_ format: String) -> Int {
        let pixels = width * height
        return switch format {
        case "I420", "NV12": pixels * 3 / 2
        case "P010_10LE": pixels * 3
        case "BGRA", "BGRx": pixels * 4
        default: pixels * 2
        }
    }

    private static func caps(_ format: String) -> String {
        "video/x-raw,format=\(format),width=\(width),height=\(height),pixel-aspect-ratio=1/1,colorimetry=bt709"
    }

    /// The commands that push these frames.
    var commands: [String] { ["format \(name) \(Self.width) \(Self.height)", "input \(path)"] }

    /// Returns what elements make of the frames.
    func through(_ elements: String, in scratch: Scratch) throws -> Data {
        let output = scratch.path("elements.\(name)")
        let colors = format.hasPrefix("BGR") ? "colorimetry=sRGB" : "colorimetry=bt709,chroma-site=mpeg2"
        let format = format.lowercased().replacing("_", with: "-")
        let run = try Subprocess.launch(
            "filesrc location=\(path) ! rawvideoparse format=\(format) width=\(Self.width) height=\(Self.height)"
                + " framerate=25/1 ! capssetter caps=video/x-raw,\(colors) ! \(elements)"
                + " ! filesink location=\(output)")
        guard run.status == 0 else { throw SetupFailure(run.output) }
        return try Data(contentsOf: URL(fileURLWithPath: output))
    }
}
