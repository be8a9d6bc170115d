import Foundation
import TestSupport
import Testing

/// Clips behind the people, which OBS's media source plays.
@Suite(.serialized, .enabled(if: OBSHost.obstacle == nil, OBSHost.comment))
struct OBSClipTests {
    private let scratch: Scratch
    private let frames: ClipFrames

    init() throws {
        scratch = try Scratch()
        frames = try ClipFrames("BGRX", "BGRx", count: 6, in: scratch)
    }

    /// Writes a file with ffmpeg, and returns its path.
    private func write(_ name: String, _ options: String) throws -> String {
        let path = scratch.path(name)
        let words = options.split(separator: " ").map(String.init)
        let run = try Subprocess.run("ffmpeg", ["-v", "error", "-y"] + words + [path])
        guard run.status == 0 else { throw SetupFailure(run.output) }
        return path
    }

    /// A clip of a second each of red, green and blue, with sound.
    private func colorClip() throws -> String {
        let colors = ["red", "lime", "blue"].map { "-f lavfi -i color=\($0):s=320x180:r=25:d=1" }
        return try write(
            "colors.mp4",
            colors.joined(separator: " ") + " -f lavfi -i sine=d=3 -filter_complex"
                + " concat=n=3,scale=out_color_matrix=bt709,format=yuv420p -colorspace bt709 -c:v libx264 -c:a aac"
        )
    }

    private func settings(_ background: String, _ others: String = "") -> String {
        """
        settings {"background-source": "auto", "background": "\(background)", \
        "background-color": \(OBSHost.color.setting)\(others)}
        """
    }

    /// The pixel of `OBSHost.color` in BGRX.
    private static let cover = "409b00"

    private func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))))
    }

    /// A clip is seen around the people, in its order, and begins again at its end.
    @Test func playsInALoop() throws {
        let run = try OBSHost().run(
            frames.commands + [
                OBSHost.player, "add", settings(try colorClip()), "ready",
                "await 0000ff 00ff00 ff0000 0000ff 00ff00", "output \(scratch.path("shown"))", "push 1",
                "status",
            ])
        #expect(run.endedClean && run.reports == ["none"], "\(run.output.suffix(4000))")
        let pixels = try read("shown")
        let alike = stride(from: 0, to: pixels.count, by: 4).count { start in
            (0..<3).allSatisfy { pixels[start + $0] == pixels[$0] }
        }
        // Three people fill about half of the clip.
        let share = Double(alike) / Double(ClipFrames.width * ClipFrames.height)
        #expect(share > 0.2 && share < 0.7)
    }

    /// Until a clip's first frame, and if there is none, the colour is in its place; the settings and the log say why.
    @Test(arguments: ["damaged.mp4", "missing.mkv"])
    func coversWithoutFrames(_ name: String) throws {
        if name == "damaged.mp4" {
            let whole = try Data(contentsOf: URL(fileURLWithPath: colorClip()))
            try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: scratch.path(name)))
        }
        let run = try OBSHost().run(
            frames.commands + [
                OBSHost.player, "add", settings(scratch.path(name)), "ready", "await \(Self.cover)", "fault",
                "status", "await \(Self.cover)",
            ])
        #expect(run.endedClean, "\(run.output.suffix(4000))")
        #expect(
            run.reports.first?.hasPrefix("Could not play \"\(scratch.path(name))\"") == true, "\(run.reports)"
        )
        #expect(run.output.contains("warning: [gst-people-obs] people: Could not play"))
    }

    /// Without OBS's player the settings say which plugin is missing.
    @Test func namesTheMissingPlayer() throws {
        let run = try OBSHost().run(
            frames.commands + [
                "add", settings(try colorClip()), "ready", "fault", "status", "await \(Self.cover)",
            ])
        #expect(
            run.endedClean && run.reports.first?.contains("obs-ffmpeg") == true, "\(run.output.suffix(4000))")
    }

    /// A clip that is not asked for any more is closed, and begins again when it is.
    @Test func closesWhatNobodySees() throws {
        let clip = settings(try colorClip())
        // OBS ticks once for each frame, 60 times a second: six seconds.
        let run = try OBSHost().run(
            frames.commands + [
                OBSHost.player, "add", clip, "ready", "await 0000ff",
                "settings {\"background-source\": \"color\"}", "push 360", clip, "await 0000ff 00ff00",
            ])
        #expect(run.endedClean, "\(run.output.suffix(4000))")
        #expect(run.output.ranges(of: "(ffmpeg_source) created").count == 2)
    }

    /// White, black and the grey of the border, as the first bytes of a frame.
    private static let greys: [String: (white: String, black: String, border: String)] = [
        "NV12": ("ebebebeb", "10101010", "7e7e7e7e"), "YUY2": ("eb80eb80", "10801080", "7e807e80"),
        "BGRX": ("ffffff", "000000", "808080"), "P010": ("00eb00eb", "00100010", "007e007e"),
    ]

    /// A clip is fitted, mirrored and converted as a picture is.
    @Test(arguments: [
        ("NV12", "NV12", "709 limited"), ("NV12", "NV12", "601 full"), ("YUY2", "YUY2", "709 limited"),
        ("BGRX", "BGRx", "709 full"), ("P010", "P010_10LE", "709 limited"),
    ])
    func looksLikeAPicture(_ format: (obs: String, gst: String, colors: String)) throws {
        // White at the left, black at the right, colours between them.
        let picture = try write(
            "picture.png",
            "-f lavfi -i smptebars=s=240x180:d=0.04 -vf drawbox=w=20:c=white:t=fill,drawbox=x=220:w=20:c=black:t=fill"
        )
        let clip = try write(
            "clip.mkv",
            "-loop 1 -t 1 -i \(picture) -vf scale=out_color_matrix=bt709,format=yuv444p -colorspace bt709"
                + " -c:v libx264 -qp 0")
        let frames = try ClipFrames(format.obs, format.gst, count: 6, in: scratch)
        var (white, black, border) = try #require(Self.greys[format.obs])
        if format.colors == "601 full" { (white, black, border) = ("ffffffff", "00000000", "80808080") }
        let steps = [
            ("cover", false, white), ("cover", true, black), ("contain", true, border),
            ("tile", false, white),
            ("stretch", true, black),
        ]
        func commands(_ background: String, _ kind: String) -> [String] {
            ["abandon", "add"]
                + steps.flatMap { fit, isMirrored, pixel in
                    [
                        """
                        settings {"background-source": "auto", "background": "\(background)", "mirror": \(isMirrored), \
                        "background-fit": "\(fit)", "background-color": 4286611584, "model-path": "/nonexistent"}
                        """,
                        "await \(pixel)", "output \(scratch.path(kind + fit + "\(isMirrored)"))", "push 1",
                        "output",
                    ]
                }
        }
        let run = try OBSHost().run(
            [OBSHost.player, "colors \(format.colors)", format.colors == "601 full" ? "flip" : ""]
                + frames.commands + commands(picture, "picture")
                + commands(clip, "clip"))
        #expect(run.endedClean, "\(run.output.suffix(4000))")
        for (fit, isMirrored, _) in steps {
            let (expected, shown) = try (read("picture\(fit)\(isMirrored)"), read("clip\(fit)\(isMirrored)"))
            try #require(expected.count == shown.count && Set(expected).count > 10)
            // The low bits of 10 are in bytes of their own.
            let step = format.obs == "P010" ? 2 : 1
            let places = stride(from: step - 1, to: expected.count, by: step)
            let sum = places.reduce(0) { $0 + abs(Int(expected[$1]) - Int(shown[$1])) }
            let mean = Double(sum) / Double(expected.count / step)
            #expect(mean < 2, "\(fit) \(isMirrored): \(mean)")
        }
    }

    /// Files that change all the time, and a filter that is removed or closed with OBS while its clip plays, leave
    /// nothing behind.
    @Test func survivesChanges() throws {
        let (colors, gif) = (try colorClip(), try write("small.gif", "-f lavfi -i testsrc=s=64x36:r=10:d=1"))
        let backgrounds = [colors, gif, Checkout.astronaut.path, "", scratch.path("missing.mp4")]
        var commands = frames.commands + [OBSHost.player, "add"]
        for round in 0..<100 {
            commands += [
                settings(backgrounds[round % backgrounds.count], ", \"blur\": \(round % 3 * 20)"), "push 2",
            ]
            if round % 30 == 20 { commands += ["push 20", "remove", "push 1", "add"] }
            if round % 30 == 29 {
                commands += ["format NV12 160 90", "push 2", "abandon", "add"] + frames.commands
            }
        }
        commands += [
            settings(colors), "ready", "await 0000ff", "remove", "push 2", "add", settings(colors),
            "await 0000ff",
        ]
        let run = try OBSHost().run(commands)
        #expect(run.endedClean, "\(run.output.suffix(4000))")
    }
}
