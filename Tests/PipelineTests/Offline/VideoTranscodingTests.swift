import Foundation
import TestSupport
import Testing

/// The frames of transcoded videos: complete, at their times, upright, in their colours.
struct VideoTranscodingTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns the first frame of a video, 64x64 RGB.
    private func thumbnail(_ path: String) throws -> Frame {
        try Frame.picture(path, "video/x-raw,format=RGB,width=64,height=64")
    }

    /// Returns the caps of a video's decoded frames.
    private func fields(_ path: String) throws -> CapsFields {
        CapsFields(try Packets(path, "video/x-raw").caps)
    }

    private func size(_ path: String) throws -> [String?] {
        let caps = try fields(path)
        return [caps["width"], caps["height"]]
    }

    private func expectSameTimes(_ input: String, _ output: String, within tolerance: Int64) throws {
        let (before, after) = (try Packets(input, "video/x-raw"), try Packets(output, "video/x-raw"))
        #expect(before.all.count > 20)
        #expect(agree(before.times, after.times, within: tolerance))
        // Matroska gives the last frame the average duration.
        let isMatroska = output.hasSuffix(".mkv") || output.hasSuffix(".webm")
        let frame: Int64 = isMatroska ? 40_000_000 : 0
        #expect(abs(before.length - after.length) <= tolerance + frame)
    }

    // MARK: - Times

    @Test(arguments: [("mp4", 100_000), ("mov", 100_000), ("mkv", 1_000_000), ("webm", 1_000_000)])
    func keepsVariableFrameRates(_ container: String, _ tolerance: Int64) throws {
        let parts = [30, 12, 60, 20].map { rate in
            "videotestsrc num-buffers=15 ! video/x-raw,format=I420,width=160,height=90,framerate=\(rate)/1 "
                + "! capssetter caps=video/x-raw,framerate=0/1 ! joined."
        }
        let line = "\(parts.joined(separator: " ")) concat name=joined ! x264enc speed-preset=ultrafast"
        let input = try scratch.clip("in.mp4", "\(line) ! mp4mux")
        let times = try Packets(input, "video/x-raw").times
        #expect(Set(zip(times, times.dropFirst()).map { $1 - $0 }).count > 1)
        try expectSameTimes(input, try Tool.make(input, scratch.path("out.\(container)")), within: tolerance)
    }

    @Test func keepsTheTimesOfCinemaRates() throws {
        let line = "videotestsrc num-buffers=48 ! video/x-raw,width=160,height=90,framerate=24000/1001"
        let input = try scratch.clip("in.mp4", "\(line) ! x264enc ! mp4mux")
        try expectSameTimes(input, try Tool.make(input, scratch.path("out.mp4")), within: 100_000)
    }

    /// The frame shown last is not always the one decoded last.
    @Test(arguments: 20...25)
    func keepsTheLength(_ frames: Int) throws {
        let line = "videotestsrc num-buffers=\(frames) ! video/x-raw,width=160,height=90,framerate=60/1"
        let input = try scratch.clip("in.mp4", "\(line) ! x264enc ! mp4mux")
        let output = try Tool.make(input, scratch.path("out.mp4"))
        let length = try #require(try Probe.of(output).streams.first?.duration.flatMap(Double.init))
        #expect(abs(length - Double(frames) / 60) < 0.0005, "\(length) s")
    }

    @Test func keepsTheFramesOfInterlacedVideos() throws {
        let line =
            "\(Clip.raw("I420", 160, 96)) ! interlace field-pattern=2:2 ! x264enc interlaced=true ! matroskamux"
        let input = try scratch.clip("in.mkv", line)
        let output = try Tool.make(input, scratch.path("out.mp4"))
        try expectSameTimes(input, output, within: 1_000_000)
        #expect(try fields(output)["interlace-mode"] == "progressive")
    }

    /// HEVC's parser changes durations, and its encoder changes rates.
    @Test func keepsVariableFrameRatesOfTenBits() throws {
        let parts = [30, 12, 20].map { rate in
            "videotestsrc num-buffers=10 ! video/x-raw,format=I420,width=160,height=90,framerate=\(rate)/1 "
                + "! capssetter caps=video/x-raw,framerate=0/1 ! joined."
        }
        let line = "\(parts.joined(separator: " ")) concat name=joined ! x264enc speed-preset=ultrafast"
        let input = try scratch.clip("in.mp4", "\(line) ! mp4mux")
        let output = try Tool.make(input, scratch.path("out.mp4"), "--bits=10")
        try expectSameTimes(input, output, within: 1_000_000)
        #expect(try fields(output)["format"] == "I420_10LE")
    }

    @Test func keepsTimesOfVideosWithoutARate() throws {
        let line =
            "videotestsrc num-buffers=30 ! \(caps("I420", 160, 90)) ! capssetter caps=video/x-raw,framerate=0/1"
        let input = try scratch.clip("in.webm", "\(line) ! vp8enc deadline=1 ! webmmux")
        try expectSameTimes(
            input, try Tool.make(input, scratch.path("out.mkv"), "--bits=10"), within: 1_000_000)
    }

    // MARK: - Orientation

    private static let orientation = "image-orientation"

    @Test(arguments: ["mp4", "webm"])
    func turnsPortraitClipsUpright(_ container: String) throws {
        let upright = try scratch.clip(
            "upright.mp4", Clip.astronaut("! videoscale ! \(caps("I420", 256, 512)) ! x264enc ! mp4mux"))
        let sideways = try scratch.clip(
            "sideways.mp4",
            Clip.astronaut(
                "! videoscale ! \(caps("I420", 256, 512)) ! videoflip video-direction=90l ! x264enc ! mp4mux")
        )
        var clip = try MP4(sideways)
        try clip.turn(height: 256)
        try clip.write(scratch.path("in.mp4"))
        let color = ["--color", "00ff00"]
        let expected = try Tool.make(upright, scratch.path("expected.\(container)"), color[0], color[1])
        let output = try Tool.make(
            scratch.path("in.mp4"), scratch.path("out.\(container)"), color[0], color[1])
        #expect(try size(output) == ["256", "512"])
        // If frames were analysed sideways, people would be found far worse.
        #expect(meanDifference(try thumbnail(expected), try thumbnail(output)) < 4)
        try #require(try Packets(scratch.path("in.mp4"), "video/x-raw").tags.contains(Self.orientation))
        #expect(try !Packets(output, "video/x-raw").tags.contains(Self.orientation))
    }

    // MARK: - Colours

    @Test(arguments: ["mp4", "mkv", "webm"], ["bt601", "bt709", "bt2020", "1:3:5:1"])
    func keepsColorimetry(_ container: String, _ colorimetry: String) throws {
        // GStreamer 1.22 does not read the full range of MP4, which ffprobe does: Tests/conformance has a row
        // for it.
        if container == "mp4", colorimetry.hasPrefix("1:") { return }
        let raw = Clip.raw("I420", 160, 90, ",colorimetry=\(colorimetry)")
        let input = try scratch.clip("in.mkv", "\(raw) ! x264enc ! matroskamux")
        try #require(try fields(input)["colorimetry"] == colorimetry)
        let output = try Tool.make(input, scratch.path("out.\(container)"))
        #expect(try fields(output)["colorimetry"] == colorimetry)
    }

    /// HDR10 stays HDR10, and a background of standard range has graphics white.
    @Test(arguments: [("mp4", "bt2100-pq"), ("mov", "bt2100-hlg"), ("mkv", "bt2100-pq")])
    func keepsHighDynamicRange(_ container: String, _ colorimetry: String) throws {
        let display =
            "mastering-display-info=(string)34000:16000:13250:34500:7500:3000:15635:16450:10000000:50,"
            + "content-light-level=(string)1000:400"
        let tagged = "capssetter caps=\"video/x-raw,colorimetry=(string)\(colorimetry),\(display)\""
        // The encoder is not x265enc, which writes rubbish into some streams (see HEVCHeaders).
        let input = try scratch.clip(
            "in.mkv",
            "videotestsrc num-buffers=25 ! \(caps("I420_10LE", 160, 96)) ! \(tagged) "
                + "! vp9enc deadline=1 cpu-used=8 ! video/x-vp9,profile=(string)2 ! matroskamux")
        let output = try Tool.make(input, scratch.path("out.\(container)"), "--color=ffffff")
        try expectSameTimes(input, output, within: 1_000_000)
        try expectHDR10(output, colorimetry)
        // ITU-R BT.2408: white is 58 % in PQ and 75 % in HLG, of 219 steps above 16 in the upper 8 bits.
        let white = colorimetry == "bt2100-pq" ? 143.0 : 180
        let frame = try Frame.picture(output, "video/x-raw,format=I420_10LE")
        let luma = frame.samples(0).joined()
        let values = luma.map(Double.init)
        #expect(abs(values.reduce(0, +) / Double(values.count) - white) < 2)
    }

    /// Only the elementary stream describes its colours, and incompletely.
    @Test(arguments: [
        ("mp4", ":colorprim=bt2020:colormatrix=bt2020nc"), ("mp4", ""), ("mkv", ":colorprim=bt2020"),
        ("ts", ""),
    ])
    func keepsHighDynamicRangeOfTheStream(_ container: String, _ color: String) throws {
        let input = scratch.path("in.\(container)")
        let display = "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"
        let made = try Subprocess.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x96:r=25:d=1", "-pix_fmt", "yuv420p10le",
                "-c:v",
                "libx265", "-preset", "ultrafast", "-x265-params",
                "log-level=error:transfer=smpte2084\(color):\(display):max-cll=1000,400", input,
            ])
        try #require(made.status == 0, "\(made.output)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: input))
        try #require(bytes.range(of: Data("colr".utf8)) == nil)
        let output = try Tool.make(input, scratch.path("out.mp4"))
        try expectHDR10(output, "bt2100-pq")
    }

    /// Checks depth, colours, and the mastering display's luminances.
    private func expectHDR10(_ path: String, _ colorimetry: String) throws {
        let caps = try fields(path)
        #expect(caps["format"] == "I420_10LE" && caps["colorimetry"] == colorimetry, "\(caps)")
        #expect(caps["content-light-level"] == "1000:400", "\(caps)")
        // Some containers round the last two numbers, which are luminances.
        let display = caps["mastering-display-info"]?.split(separator: ":").compactMap { Int($0) }
        #expect(display?.prefix(6) == [34000, 16000, 13250, 34500, 7500, 3000], "\(caps)")
    }

    @Test func tagsTheColoursOfProRes() throws {
        let raw = Clip.raw("I420", 160, 90, ",colorimetry=bt709")
        let input = try scratch.clip("in.mkv", "\(raw) ! x264enc ! matroskamux")
        let output = try Tool.make(input, scratch.path("out.mov"), "--transparent")
        let found = try #require(try Probe.of(output).streams.first)
        #expect(found.colorTransfer == "bt709" && found.colorPrimaries == "bt709", "\(found)")
    }

    @Test func makesEightBitsOfTen() throws {
        let raw = Clip.raw("I420_10LE", 160, 90, ",colorimetry=bt2020")
        let input = try scratch.clip(
            "in.mkv", "\(raw) ! x264enc ! video/x-h264,profile=high-10 ! h264parse ! matroskamux")
        let output = try Tool.make(input, scratch.path("out.mp4"))
        try expectSameTimes(input, output, within: 1_000_000)
        let caps = try fields(output)
        #expect(caps["format"] == "I420" && caps["colorimetry"] == "bt2020", "\(caps)")
    }

    @Test func laysTransparentVideosOnBlack() throws {
        // Half-transparent white people would shine through if the alpha channel were only dropped.
        let raw = "videotestsrc pattern=white num-buffers=30 ! alpha alpha=0 ! video/x-raw,format=RGBA"
        let input = try scratch.clip("in.mov", "\(raw) ! pngenc snapshot=false ! qtmux")
        let output = try Tool.make(input, scratch.path("out.mp4"))
        try expectSameTimes(input, output, within: 1_000_000)
        let frame = try thumbnail(output)
        #expect((0..<3).allSatisfy { frame.samples($0).joined().allSatisfy { $0 < 8 } })
    }

    @Test func cutsOddSizesForH264Only() throws {
        let line = "\(Clip.raw("I420", 161, 91)) ! vp8enc deadline=1 ! webmmux"
        let input = try scratch.clip("in.webm", line)
        let even = try Tool.make(input, scratch.path("out.mp4"))
        #expect(try size(even) == ["160", "90"])
        let web = try Tool.make(input, scratch.path("out.webm"))
        #expect(try size(web) == ["161", "91"])
    }

    // MARK: - Backgrounds

    @Test func putsEachBackgroundBehindThePeople() throws {
        let input = try scratch.clip("in.mp4", Clip.astronaut("! x264enc ! mp4mux"))
        let before = try thumbnail(input)
        let green = try scratch.clip("green.png", "videotestsrc num-buffers=1 pattern=green ! pngenc")
        let results = [
            try thumbnail(try Tool.make(input, scratch.path("colour.mp4"), "--color", "00ff00")),
            try thumbnail(try Tool.make(input, scratch.path("picture.mp4"), "--background", green)),
        ]
        for after in results {
            // The top left is background; the face is in the middle of the upper part.
            #expect((0..<3).map { after.samples($0)[4][4] > 150 } == [false, true, false])
            #expect(
                (0..<3).allSatisfy {
                    abs(Int(after.samples($0)[14][29]) - Int(before.samples($0)[14][29])) < 24
                })
        }
        let blurred = try thumbnail(try Tool.make(input, scratch.path("blur.mp4"), "--blur", "100"))
        let change = meanDifference(before, blurred)
        #expect(change > 4 && change < 40)
    }
}
