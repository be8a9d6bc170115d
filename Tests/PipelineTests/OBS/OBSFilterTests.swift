import Foundation
import TestSupport
import Testing

/// The filter in OBS shows what the elements show, and nothing of the room where it has no mask.
@Suite(.serialized, .enabled(if: OBSHost.obstacle == nil, OBSHost.comment))
struct OBSFilterTests {
    private static let formats = [
        ("I420", "I420"), ("NV12", "NV12"), ("YUY2", "YUY2"), ("UYVY", "UYVY"), ("BGRA", "BGRA"),
        ("BGRX", "BGRx"), ("I422", "Y42B"), ("P010", "P010_10LE"),
    ]
    private static let count = 6

    private let scratch = try? Scratch()

    private func frames(_ name: String, _ format: String, count: Int = Self.count) throws -> ClipFrames {
        guard let scratch else { throw SetupFailure("there is no temporary folder") }
        return try ClipFrames(name, format, count: count, in: scratch)
    }

    private func path(_ name: String) -> String { scratch?.path(name) ?? "" }
    private func read(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path(name)))
    }

    private static let plain = """
        settings {"background-source": "color", "background-color": \(OBSHost.color.setting), "feather": 1.0, \
        "shadow-opacity": 0.5, "halo-width": 1.0, "light-wrap": 0.3}
        """

    /// Pixels are those of `personsegment ! blendmask`, in each format that cameras deliver.
    @Test func composesAsTheElementsDo() throws {
        let all = try Self.formats.map { try frames($0.0, $0.1) }
        let commands = all.flatMap { frames in
            ["abandon"] + frames.commands + [
                "add", Self.plain, "ready", "output \(path("filter.\(frames.name)"))",
                "push \(Self.count - 1)",
                "output", "status",
            ]
        }
        let run = try OBSHost().run(commands)
        #expect(run.endedClean && run.reports == Array(repeating: "none", count: all.count), "\(run.output)")
        for frames in all {
            let expected = try frames.through(
                "personsegment quality=fast feather=1 ! blendmask background-source=color light-wrap=0.3"
                    + " background-color=\(OBSHost.color.property) shadow-opacity=0.5 halo-width=1",
                in: scratch ?? Scratch())
            // `ready` has used up the first frame.
            let rest = expected.dropFirst(expected.count / Self.count)
            #expect(try read("filter.\(frames.name)") == rest, "\(frames.name)")
        }
    }

    /// The picture follows the people as `autoframe` does, which gets the mask after `blendmask`.
    @Test(arguments: ["face", "everyone"]) func followsPeople(_ framing: String) throws {
        let frames = try frames("I420", "I420", count: 30)
        let follow = "\"follow\": true, \"framing\": \"\(framing)\", \"speed\": 2.0"
        let run = try OBSHost().run(
            frames.commands + [
                "add", "settings {\(follow), \(Self.plain.dropFirst("settings {".count))", "ready",
                "output \(path("followed"))", "push 29", "output", "status",
            ])
        #expect(run.endedClean && run.reports == ["none"], "\(run.output)")
        let expected = try frames.through(
            "personsegment quality=fast feather=1 ! blendmask keep-mask=true background-source=color light-wrap=0.3"
                + " background-color=\(OBSHost.color.property) shadow-opacity=0.5 halo-width=1"
                + " ! autoframe framing=\(framing) speed=2",
            in: scratch ?? Scratch())
        let found = try read("followed")
        let rest = expected.dropFirst(expected.count / 30)
        try #require(found.count == rest.count)
        let differences = zip(found, rest).lazy.map { abs(Int($0) - Int($1)) }
        let (sum, count) = (differences.reduce(0, +), found.count)
        #expect(Double(sum) / Double(count) < 0.5, "\(Double(sum) / Double(count))")
        // The frames are not those of the whole picture.
        let whole = try frames.through(
            "personsegment quality=fast feather=1 ! blendmask background-source=color light-wrap=0.3"
                + " background-color=\(OBSHost.color.property) shadow-opacity=0.5 halo-width=1",
            in: scratch ?? Scratch()
        ).dropFirst(expected.count / 30)
        let others = zip(found, whole).lazy.map { abs(Int($0) - Int($1)) }.reduce(0, +)
        #expect(framing != "face" || Double(others) / Double(count) > 5, "\(Double(others) / Double(count))")
    }

    /// A picture that is only followed shows a part of the camera's frame, whole ones until people are found.
    @Test func followsWithoutABackground() throws {
        let frames = try frames("NV12", "NV12", count: 30)
        let plain = "\"background-source\": \"original\""
        let run = try OBSHost().run(
            frames.commands + [
                "add", "settings {\(plain)}", "output \(path("plain"))", "push 1", "output",
                "settings {\(plain), \"follow\": true, \"framing\": \"face\"}", "ready",
                "output \(path("face"))", "push 1", "output", "status",
            ])
        #expect(run.endedClean && run.reports == ["none"], "\(run.output)")
        let (whole, face) = (try read("plain"), try read("face"))
        #expect(whole == (try Data(contentsOf: URL(fileURLWithPath: frames.path))).prefix(whole.count))
        #expect(whole.count == face.count && whole != face)
    }

    /// Transparent frames have the colours of the camera and the mask as alpha, and are empty without one.
    @Test(arguments: [("NV12", "NV12"), ("YUY2", "YUY2"), ("P010", "P010_10LE"), ("BGRX", "BGRx")])
    func makesTransparentFrames(_ format: (String, String)) throws {
        let frames = try frames(format.0, format.1)
        let run = try OBSHost().run(
            frames.commands + [
                "add", "output \(path("covered"))", "push 1", "output", "ready",
                "output \(path("shown"))", "push 1",
            ])
        #expect(run.endedClean, "\(run.output)")
        let (covered, shown) = (
            Self.alpha(try read("covered"), isRGB: format.0 == "BGRX"),
            Self.alpha(try read("shown"), isRGB: format.0 == "BGRX")
        )
        #expect(covered.count == ClipFrames.width * ClipFrames.height && covered.allSatisfy { $0 == 0 })
        // Three people fill about half of the clip.
        let share = Double(shown.count { $0 > 127 }) / Double(shown.count)
        #expect(share > 0.3 && share < 0.8)
        // Where there is no person, there is no colour either.
        let whole = try read("covered")
        #expect(Set(whole.prefix(ClipFrames.width * ClipFrames.height)).count <= 2)
    }

    private static func alpha(_ frame: Data, isRGB: Bool) -> [UInt8] {
        let count = ClipFrames.width * ClipFrames.height
        return isRGB ? stride(from: 3, to: frame.count, by: 4).map { frame[$0] } : Array(frame.suffix(count))
    }

    /// A frame without models, of a format that the filter cannot read, or before the first mask, is covered.
    @Test func coversFramesWithoutAMask() throws {
        let frames = try frames("NV12", "NV12")
        let color = "\"background-source\": \"color\", \"background-color\": \(OBSHost.color.setting)"
        let run = try OBSHost().run(
            frames.commands + [
                "add", "settings {\(color)}", "push 2", "output \(path("loading"))", "push 1", "output",
                "settings {\(color), \"model-path\": \"/nonexistent\"}", "fault", "status",
                "output \(path("missing"))", "push 1", "output",
                "settings {\"background-source\": \"original\", \"blur\": 20.0}", "push 4",
                "output \(path("original"))", "push 1", "output",
                "format YUVA 64 48", "push 1", "output \(path("format"))", "push 1", "output", "status",
            ])
        #expect(run.endedClean, "\(run.output)")
        #expect(run.reports.count == 2 && run.reports[0].contains("was not found"), "\(run.reports)")
        #expect(run.reports.last?.contains("cannot read") == true, "\(run.reports)")
        #expect(run.output.contains("warning: [gst-people-obs] people: Frames are covered."), "\(run.output)")
        for name in ["missing", "original"] {
            let luma = try read(name).prefix(ClipFrames.width * ClipFrames.height)
            #expect(luma.count == ClipFrames.width * ClipFrames.height && Set(luma).count == 1, "\(name)")
        }
        #expect(Set(try read("format")).count <= 4)
    }

    /// Only the chosen person is shown, and the frames keep their order.
    @Test func showsPeopleByNumber() throws {
        let frames = try frames("I420", "I420", count: 30)
        let run = try OBSHost().run(
            frames.commands + [
                "add",
                "settings {\"background-source\": \"color\", \"background-color\": \(OBSHost.color.setting)}",
                "ready", "output \(path("all"))", "push 1", "output",
                "settings {\"instances-at\": \"0.8,0.6\"}", "settle", "output \(path("one"))", "push 1",
                "output", "status",
            ])
        #expect(run.endedClean && run.reports == ["none"], "\(run.output)")
        let shares = try ["all", "one"].map { name in
            let luma = [UInt8](try read(name).prefix(ClipFrames.width * ClipFrames.height))
            let background = luma.first ?? 0
            // Left half, right half.
            return [0, 1].map { half in
                let width = ClipFrames.width / 2
                let rows = (0..<ClipFrames.height).map { $0 * ClipFrames.width + half * width }
                let shown = rows.flatMap { luma[$0..<$0 + width] }.count { $0 != background }
                return Double(shown) / Double(width * ClipFrames.height)
            }
        }
        #expect(shares[0][0] > 0.3 && shares[0][1] > 0.3, "\(shares)")
        #expect(shares[1][0] < 0.1 && shares[1][1] > 0.2, "\(shares)")
    }

    /// The pictures that OBS's controls offer are those of the elements' tables.
    @Test func offersTheElementsProperties() throws {
        let run = try OBSHost().run(["add", "list"])
        let names = Set(run.output.split(separator: "\n").map(String.init))
        #expect(run.endedClean, "\(run.output)")
        for name in ["quality", "feather", "background-source", "blur", "instances", "halo-color"] {
            #expect(names.contains(name))
        }
    }

    /// A preset of the studio sets what it has, and the elements' defaults else.
    @Test func takesPresetsOfTheStudio() throws {
        let host = try OBSHost()
        try host.save(
            "[blendmask]\nblur=35\nbackground-color=4278229824\nbackground-source=clip\n\n"
                + "[personsegment]\nquality=balanced\ninstance-masks=true\n\n[camera]\nmirror=true\n",
            as: "Evening")
        let run = try host.run(["add", "settings {\"feather\": 3.0}", "preset Evening"])
        #expect(run.endedClean, "\(run.output)")
        let line = try #require(run.output.split(separator: "\n").last { $0.hasPrefix("preset ") })
        let found = try JSONSerialization.jsonObject(with: Data(line.dropFirst(7).utf8)) as? [String: Any]
        let settings = try #require(found)
        #expect(settings["blur"] as? Double == 35 && settings["feather"] as? Double == 0)
        // 0xff009b40, as OBS stores it.
        #expect(settings["background-color"] as? Int == Int(OBSHost.color.setting))
        #expect(settings["background-source"] as? String == "clip")
        #expect(settings["quality"] as? String == "balanced" && settings["instances"] as? String == "")
        #expect(settings["preset"] as? String == "")
    }

    /// A preset that shows the room, or decides on frames without a mask, changes nothing, and the log says why.
    @Test(arguments: [
        ("blendmask", "hide-room=false"), ("blendmask", "no-mask=pass"), ("blendmask", "max-mask-age=0"),
        ("blendmask", "keep-mask=true"), ("blendmask", "show=mask"), ("blendmask", "name=other"),
        ("blendmask", "invert=true"), ("blendmask", "background-source=original"),
        ("blendmask", "background-source=original\nblur=29"), ("blendmask", "background-source=transparent"),
        ("personsegment", "threshold=0.01"), ("personsegment", "expand=20"),
        ("personsegment", "inference-interval=1000"),
    ])
    func refusesPresetsThatShowTheRoom(element: String, line: String) throws {
        let host = try OBSHost()
        try host.save("[\(element)]\n\(line)\n", as: "Wild")
        let run = try host.run(["add", "settings {\"blur\": 3.0}", "preset Wild"])
        #expect(run.endedClean, "\(run.output)")
        #expect(run.output.split(separator: "\n").contains("preset refused"), "\(run.output)")
        #expect(run.output.contains("The preset Wild is not used: "), "\(run.output)")
    }

    /// Settings, sizes and filters that change all the time end nothing and leave nothing behind.
    @Test func survivesChanges() throws {
        let (small, large) = (try frames("NV12", "NV12"), try frames("YUY2", "YUY2"))
        var generator = SeededGenerator(seed: 54)
        var commands = [OBSHost.player] + small.commands + ["add"]
        for round in 0..<1000 {
            commands.append(Self.randomSettings(&generator))
            if round % 4 == 0 { commands.append("push 1") }
            switch round % 100 {
            case 25: commands += large.commands + ["push 1"]
            case 50: commands += ["format NV12 160 90", "input \(small.path)", "push 1"]
            case 75: commands += ["remove", "push 1", "add"] + small.commands
            case 90: commands += ["push 3", "abandon", "add"]
            default: break
            }
        }
        // OBS is closed while models and masks are under way.
        let run = try OBSHost().run(commands + ["settings {\"quality\": \"balanced\"}", "push 2"])
        #expect(run.endedClean, "\(run.output.suffix(4000))")
    }

    private static func randomSettings(_ generator: inout SeededGenerator) -> String {
        let choices: [(String, [String])] = [
            (
                "background-source",
                ["auto", "original", "picture", "clip", "color", "transparent", "pose", "nonsense"]
            ),
            ("background", [Checkout.astronaut.path, Checkout.clip.path, "/nonexistent.png", ""]),
            ("background-fit", ["cover", "contain", "stretch", "tile"]),
            ("quality", ["fast", "fast", "balanced"]),
            ("instances", ["", "", "", "1", "1,2", "x"]), ("instances-at", ["", "", "0.5,0.5", "7"]),
            ("decontaminate", ["true", "false", "auto"]), ("show", ["result", "mask"]),
            ("follow", ["true", "true", "false"]), ("framing", ["face", "everyone", "body", "nonsense"]),
        ]
        let numbers = [
            "blur", "exposure", "desaturate", "feather", "expand", "threshold", "shadow-opacity", "shadow-x",
            "halo-width", "light-wrap", "min-area", "background-color", "max-instances", "margin", "speed",
        ]
        var words: [String: String] = [:]
        for _ in 0..<3 {
            if let (name, values) = choices.randomElement(using: &generator),
                let value = values.randomElement(using: &generator)
            {
                words[name] = "\"\(value)\""
            }
            if let name = numbers.randomElement(using: &generator) {
                words[name] = "\(Double.random(in: -200...200, using: &generator))"
            }
        }
        let json = words.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        return "settings {\(json.joined(separator: ", "))}"
    }
}
