import Foundation
import TestSupport
import Testing

/// Codecs, presets, qualities and encoders of written videos, as ffprobe reads them.
struct EncodingTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns a video of five seconds whose frames differ.
    private func input(_ options: String..., name: String = "in.mp4") throws -> String {
        let path = scratch.path(name)
        let made = try Subprocess.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=5", "-c:v", "libx264"] + options
                + ["-y", path])
        guard made.status == 0 else { throw SetupFailure(made.output) }
        return path
    }

    /// Returns values of the first video stream or of its packets, separated by commas, a line each.
    private func probe(_ path: String, _ entries: String) throws -> [Substring] {
        let shown = ["-v", "error", "-select_streams", "v:0", "-show_entries", entries, "-of", "csv=p=0"]
        let result = try Subprocess.run("ffprobe", shown + [path])
        guard result.status == 0 else { throw SetupFailure(result.output) }
        return result.output.split(separator: "\n")
    }

    private func size(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    @Test(arguments: [
        ("mp4", "h264", "h264"), ("mp4", "h265", "hevc"), ("mp4", "av1", "av1"), ("mp4", "vp9", "vp9"),
        ("mov", "h265", "hevc"), ("mov", "prores", "prores"), ("mkv", "av1", "av1"),
        ("mkv", "prores", "prores"), ("webm", "av1", "av1"), ("webm", "vp9", "vp9"),
    ])
    func codecsAreChosen(_ container: String, _ codec: String, _ written: String) throws {
        let output = try Tool.make(
            try input(), scratch.path("out.\(container)"), "--codec=\(codec)", "--segment-length=2")
        #expect(try probe(output, "stream=codec_name").first == Substring(written))
        let times = try probe(output, "packet=pts_time").compactMap { Double($0.prefix { $0 != "," }) }
        #expect(times.count == 125)
    }

    /// The times of a part begin anywhere, and those of a variable rate are no multiples of a frame.
    @Test(arguments: ["--codec=h264", "--codec=h265", "--codec=av1", "--codec=vp9", "--start=0.5"])
    func keyFramesAreTwoSecondsApart(_ option: String) throws {
        let options = option == "--start=0.5" ? ["-vf", "setpts=N/25/TB+0.2/TB*sin(N/40)+0.2/TB"] : []
        let path = options.isEmpty ? try input() : try input(options[0], options[1], "-fps_mode", "vfr")
        let output = try Tool.make(path, scratch.path("out.mp4"), option)
        let keys = try probe(output, "packet=pts_time,flags").filter { $0.contains("K") }
        let times = keys.compactMap { Double($0.prefix { $0 != "," }) }.sorted()
        #expect(times.first == 0 && times.count >= 3, "\(times)")
        #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 < 2.06 }, "\(times)")
    }

    @Test(arguments: ["mp4", "mov"])
    func theIndexIsInFront(_ container: String) throws {
        let output = try Tool.make(try input(), scratch.path("out.\(container)"))
        let data = try Data(contentsOf: URL(fileURLWithPath: output))
        let index = try #require(data.range(of: Data("moov".utf8)))
        let frames = try #require(data.range(of: Data("mdat".utf8)))
        #expect(index.lowerBound < frames.lowerBound)
    }

    @Test func qualityAndBitRateDecideAboutSize() throws {
        let input = try input()
        let sizes = try ["--crf=15", "--crf=25", "--crf=40", "--preset=veryslow"].map { option in
            try size(try Tool.make(input, scratch.path("\(option).mp4"), option, "--original"))
        }
        #expect(sizes[0] > sizes[1] * 3 / 2 && sizes[1] > sizes[2] * 3 / 2, "\(sizes)")
        for bits in [200, 800] {
            let output = try Tool.make(input, scratch.path("\(bits).mp4"), "--bitrate=\(bits)k", "--original")
            let found = Double(try size(output)) * 8 / 5000
            #expect((0.6...1.5).contains(found / Double(bits)), "\(found) kbit/s instead of \(bits)")
        }
    }

    /// x264 writes its settings into the stream.
    @Test(arguments: [("ultrafast", "subme=0"), ("medium", "subme=7"), ("slower", "subme=9")])
    func presetsAreTheEncoders(_ preset: String, _ setting: String) throws {
        let output = try Tool.make(try input(), scratch.path("out.mp4"), "--preset=\(preset)")
        let data = try Data(contentsOf: URL(fileURLWithPath: output))
        #expect(data.range(of: Data(setting.utf8)) != nil)
    }

    @Test(arguments: [
        ("mov", "--codec=vp9"), ("mp4", "--codec=prores"), ("webm", "--codec=h264"), ("mp4", "--codec=mpeg2"),
        ("mp4", "--crf=52"), ("mov", "--codec=prores --crf=20"), ("mp4", "--crf=20 --bitrate=1M"),
        ("mp4", "--bitrate=10"), ("y4m", "--crf=20"), ("webm", "--transparent --codec=av1"),
        ("mp4", "--hardware=vaapi --preset=fast"), ("mkv", "--hardware=nvenc --codec=vp9"),
        ("mp4", "--codec=h264 --bits=10"),
    ])
    func whatCannotBeEncodedIsWrongUsage(_ container: String, _ options: String) throws {
        let words = options.split(separator: " ").map(String.init)
        let output = scratch.path("out.\(container)")
        let result = try Subprocess.run(Tool.path, ["video", try input(), output, "--json"] + words)
        #expect(result.status == 2, "\(result.output)")
        #expect(scratch.names == ["in.mp4"])
    }

    // MARK: - Graphics processors

    /// This machine may have none: a program in the place of ffmpeg has their encoders' options.
    @Test(arguments: ["nvenc", "qsv", "vaapi"], ["h264", "h265"])
    func encodersOfGraphicsProcessorsAreCalled(_ hardware: String, _ codec: String) throws {
        let folder = scratch.path("bin")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/ffmpeg",
            withDestinationPath: Checkout.root.appendingPathComponent("Tests/Scripts/stand_in_encoder.py")
                .path)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        let log = scratch.path("log")
        let result = try Tool.run(
            try input(), scratch.path("out.mp4"), "--hardware=\(hardware)", "--codec=\(codec)", "--crf=30",
            "--segment-length=2", environment: ["PATH": "\(folder):\(path)", "STAND_IN_LOG": log])
        #expect(result.status == 0, "\(result.output)")
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        // A frame to try it, and each segment.
        #expect(lines.count > 2)
        let name = "\(codec == "h265" ? "hevc" : codec)_\(hardware) "
        let quality = hardware == "nvenc" ? "-cq=30" : "-global_quality=30"
        #expect(lines.allSatisfy { $0.hasPrefix(name) && $0.contains(quality) }, "\(lines)")
        #expect(try probe(scratch.path("out.mp4"), "packet=pts_time").count == 125)
    }

    /// Puts a script in the place of ffmpeg, which it may call by its name.
    ///
    /// - Returns: the environment for the tool.
    private func replacingFFmpeg(_ script: String) throws -> [String: String?] {
        let folder = scratch.path("bin")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let program = try scratch.file("bin/ffmpeg", Data("#!/bin/sh\n\(script)\n".utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        return ["PATH": "\(folder):\(path)"]
    }

    /// An encoder that is not there is an error before the work.
    @Test func missingEncodersAreNamed() throws {
        let environment = try replacingFFmpeg(
            """
            case " $* " in *nvenc*) echo '[error] no such device' >&2; exit 1 ;; esac
            PATH=${PATH#*:} exec ffmpeg "$@"
            """)
        let result = try Tool.run(
            try input(), scratch.path("out.mp4"), "--hardware=nvenc", environment: environment)
        #expect(result.status == 5, "\(result.output)")
        #expect(result.output.contains("h264_nvenc") && result.output.contains("no such device"))
        #expect(!scratch.names.contains { $0.hasPrefix("out") })
    }

    @Test(arguments: ["mp4", "webm"]) func anotherEncoderOfAV1IsUsed(_ container: String) throws {
        let environment = try replacingFFmpeg(
            """
            case " $* " in *libsvtav1*) echo '[error] Unknown encoder' >&2; exit 1 ;; esac
            PATH=${PATH#*:} exec ffmpeg "$@"
            """)
        let output = scratch.path("out.\(container)")
        let result = try Tool.run(
            try input(), output, "--codec=av1", "--segment-length=2", environment: environment)
        #expect(result.status == 0, "\(result.output)")
        #expect(try probe(output, "stream=codec_name").first == "av1")
        let times = try probe(output, "packet=pts_time").compactMap { Double($0.prefix { $0 != "," }) }
        #expect(times.count == 125)
    }

    /// A program in the place of ffmpeg that reads and writes for ever is ended, whether it takes the frames or not.
    @Test(arguments: ["", "cat >/dev/null; "]) func anEncoderThatDoesNotEndIsNamed(_ before: String) throws {
        let environment = try replacingFFmpeg(
            """
            case " $* " in *" pipe:0 "*) \(before)exec cat /dev/zero >/dev/null ;; esac
            PATH=${PATH#*:} exec ffmpeg "$@"
            """)
        let result = try Tool.run(try input(), scratch.path("out.mp4"), environment: environment)
        #expect(result.status == 1, "\(result.output)")
        #expect(result.output.contains(scratch.path("bin/ffmpeg")), "\(result.output)")
        #expect(!scratch.names.contains { $0.hasPrefix("out") })
    }
}
