import Foundation
import TestSupport
import Testing

/// `gst-people video --reframe --layout=split`: a scene with two people far apart, and one with a single person; ffmpeg
/// crops and stacks the same parts.
struct SplitTests {
    private static let frames = 25
    private static let size = (width: 640, height: 360)
    /// The hair and the face of the two, from left to right, in pixels of the input.
    private static let heads = [69.0...128.0, 489.0...548.0]

    private let clip: ReframedClip

    init() throws {
        clip = try ReframedClip(Self.size)
        let wall = { (color: String) in
            "color=\(color):s=\(Self.size.width)x\(Self.size.height):r=\(Self.frames):d=1"
        }
        try clip.ffmpeg([
            "-loop", "1", "-framerate", "\(Self.frames)", "-t", "1", "-i", Checkout.astronaut.path,
            "-filter_complex",
            "[0]split=3[a][b][c];[a]scale=200:200[a1];[b]scale=200:200[b1];[c]scale=360:360[c1];"
                + "\(wall("0x808080"))[w];[w][a1]overlay=10:80[s];[s][b1]overlay=430:80[one];"
                + "\(wall("0xb0c0e0"))[v];[v][c1]overlay=0:0[two];[one][two]concat=n=2,format=yuv420p[out]",
            "-map", "[out]", "-crf", "8", clip.input,
        ])
    }

    @Test func eachOfTwoHasAHalf() throws {
        try clip.run("out.mp4", ["--layout=split", "--save-plan=\(clip.scratch.path("plan.json"))"])
        let parts = try clip.plan("plan.json")
        #expect(parts.count == 2 * Self.frames)
        for (index, frame) in parts.enumerated() {
            #expect((frame.other != nil) == (index < Self.frames), "\(index)")
        }
        let upper = parts[0].part
        let lower = try #require(parts[0].other)
        for (part, head) in zip([upper, lower], Self.heads) {
            let left = part.x * Double(Self.size.width)
            #expect(left < head.lowerBound && left + part.width * Double(Self.size.width) > head.upperBound)
        }
        func stacked(_ first: ReframedClip.Part, _ second: ReframedClip.Part) -> String {
            "[in]split[a][b];[a]\(clip.shown(first, 202, 180))[u];[b]\(clip.shown(second, 202, 180))[l];[u][l]vstack[want]"
        }
        let likeness = try clip.likeness("out.mp4", stacked(upper, lower), 0..<Self.frames)
        let swapped = try clip.likeness("out.mp4", stacked(lower, upper), 0..<Self.frames)
        #expect(likeness > 27 && swapped < likeness - 6, "\(likeness) \(swapped)")
        let single = try clip.likeness(
            "out.mp4", "[in]\(clip.shown(parts[Self.frames].part, 202, 360))[want]",
            Self.frames..<(2 * Self.frames))
        #expect(single > 27, "\(single)")
    }

    /// A plan holds both parts, also after somebody has exchanged them.
    @Test func aPlanHoldsBothParts() throws {
        let path = clip.scratch.path("plan.json")
        try clip.run("out.mp4", ["--layout=split", "--save-plan=\(path)"])
        try clip.run("again.mp4", ["--from-plan=\(path)"])
        let hash = { ["-v", "error", "-i", clip.scratch.path($0), "-map", "0:v", "-f", "md5", "-"] }
        #expect(try clip.ffmpeg(hash("again.mp4")) == clip.ffmpeg(hash("out.mp4")))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let broken = try clip.scratch.file(
            "broken.json",
            Data(text.replacingOccurrences(of: "\"other\": {\"x\"", with: "\"other\": {\"z\"").utf8))
        let result = try Subprocess.run(
            Tool.path,
            ["video", clip.input, clip.scratch.path("b.mp4"), "--reframe=9:16", "--from-plan=\(broken)"])
        #expect(result.status == 3, "\(result.output)")
    }

    /// A background is behind the people of both halves: above the heads nothing of the room is left.
    @Test(arguments: [0, 180]) func aBackgroundIsBehindBoth(_ top: Int) throws {
        try clip.run("out.mkv", ["--layout=split", "--color=00ff00"])
        let colors = try clip.ffmpeg([
            "-v", "error", "-i", clip.scratch.path("out.mkv"), "-vf",
            "trim=end_frame=\(Self.frames),crop=202:16:0:\(top),signalstats,metadata=print:key=lavfi.signalstats.UMAX:file=-",
            "-f", "null", "-",
        ])
        let most = colors.components(separatedBy: "UMAX=").dropFirst().compactMap {
            Int($0.prefix { $0.isNumber })
        }
        // Grey has a Cb of 128, this green 43 to 54.
        #expect(most.count == Self.frames && most.allSatisfy { $0 < 80 }, "\(most)")
    }

    @Test func aLayoutNeedsAnotherShape() throws {
        let result = try Subprocess.run(
            Tool.path, ["video", clip.input, clip.scratch.path("o.mp4"), "--layout=split"])
        #expect(result.status == 2, "\(result.output)")
    }
}

/// `gst-people video --reframe`: of two people far apart the one is shown whose lips move while there is sound.
struct SpeakerTests {
    private static let size = (width: 960, height: 540)
    /// Frames of each turn.
    private static let turn = 50
    /// The hair and the face of the two, from left to right, in pixels of the input.
    private static let heads = [109.0...198.0, 729.0...818.0]

    private let clip: ReframedClip

    init() throws { clip = try ReframedClip(Self.size) }

    /// Makes a clip of 4 s in which the jaws of the two move in turns, the left one's first.
    ///
    /// - Parameter sound: an expression of the sound's samples.
    private func makeClip(sound: String) throws {
        func speaker(_ name: String, _ range: String) -> String {
            "[\(name)]split[\(name)1][\(name)2];[\(name)2]crop=110:34:170:146[\(name)3];"
                + "[\(name)1]drawbox=x=205:y=146:w=40:h=9:color=0x301010:t=fill[\(name)4];[\(name)4][\(name)3]overlay="
                + "x=170:y='146+7*abs(sin(2*PI*2*t))*between(t,\(range))',scale=300:300[\(name)5];"
        }
        try clip.ffmpeg([
            "-loop", "1", "-framerate", "25", "-t", "4", "-i", Checkout.astronaut.path, "-f", "lavfi", "-i",
            "aevalsrc='\(sound)':s=16000:d=4", "-filter_complex",
            "[0]split[a][b];\(speaker("a", "0,1.99"))\(speaker("b", "2,4"))"
                + "color=0x808080:s=\(Self.size.width)x\(Self.size.height):r=25:d=4[w];"
                + "[w][a5]overlay=20:120[one];[one][b5]overlay=640:120,format=yuv420p[out]",
            "-map", "[out]", "-map", "1:a", "-crf", "8", clip.input,
        ])
    }

    /// Returns which of the two each frame shows; nil for a frame that shows neither head whole.
    private func shown(in parts: [(part: ReframedClip.Part, other: ReframedClip.Part?, certainty: Double?)])
        -> [Int?]
    {
        parts.map { frame in
            let left = frame.part.x * Double(Self.size.width)
            let right = left + frame.part.width * Double(Self.size.width)
            return Self.heads.firstIndex { left < $0.lowerBound && right > $0.upperBound }
        }
    }

    @Test func theOneWhoSpeaksIsShown() throws {
        try makeClip(sound: "0.5*sin(2*PI*220*t)")
        let output = try clip.run("out.mp4", ["--save-plan=\(clip.scratch.path("plan.json"))"])
        #expect(output.contains("the one who speaks is shown: 2 turns"), "\(output)")
        let parts = try clip.plan("plan.json")
        let shown = self.shown(in: parts)
        try #require(shown.count == 2 * Self.turn)
        let change = try #require(shown.firstIndex(of: 1))
        #expect(abs(change - Self.turn) <= 8, "\(change)")
        #expect(shown[..<change].allSatisfy { $0 == 0 } && shown[change...].allSatisfy { $0 == 1 })
        for frame in [0, change] { #expect((parts[frame].certainty ?? 0) > 0.65, "\(parts[frame])") }
        for frames in [0..<change, change..<shown.count] {
            let part = parts[frames.lowerBound].part
            let likeness = try clip.likeness("out.mp4", "[in]\(clip.shown(part, 304, 540))[want]", frames)
            #expect(likeness > 27, "\(frames) \(likeness)")
        }
    }

    /// Lips that move in silence do not speak.
    @Test func silenceHasNoSpeaker() throws {
        try makeClip(sound: "0.5*sin(2*PI*220*t)*lt(t,2)")
        try clip.run("out.mp4", ["--save-plan=\(clip.scratch.path("plan.json"))"])
        #expect(shown(in: try clip.plan("plan.json")).allSatisfy { $0 == 0 })
    }
}

/// A clip that the tool makes upright, its plan, and ffmpeg's view of both.
private struct ReframedClip {
    let scratch: Scratch
    let input: String
    /// Pixels.
    private let size: (width: Int, height: Int)

    init(_ size: (width: Int, height: Int)) throws {
        scratch = try Scratch()
        input = scratch.path("in.mp4")
        self.size = size
    }

    @discardableResult
    func ffmpeg(_ words: [String]) throws -> String {
        let run = try Subprocess.run("ffmpeg", ["-hide_banner", "-y"] + words)
        guard run.status == 0 else { throw SetupFailure(run.output) }
        return run.output
    }

    /// Makes an upright video.
    ///
    /// - Returns: the tool's output.
    @discardableResult
    func run(_ output: String, _ options: [String]) throws -> String {
        let words = ["video", input, scratch.path(output), "--quality=fast", "--crf=8", "--reframe=9:16"]
        let result = try Subprocess.run(Tool.path, words + options)
        #expect(result.status == 0, "\(result.output)")
        return result.output
    }

    typealias Part = (x: Double, y: Double, width: Double, height: Double)

    func plan(_ name: String) throws -> [(part: Part, other: Part?, certainty: Double?)] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))
        let document = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        func part(_ fields: [String: Any]) throws -> Part {
            let numbers = try ["x", "y", "width", "height"].map { try #require(fields[$0] as? Double) }
            return (numbers[0], numbers[1], numbers[2], numbers[3])
        }
        return try #require(document["frames"] as? [[String: Any]]).map {
            (
                try part($0), try ($0["other"] as? [String: Any]).map(part), $0["certainty"] as? Double
            )
        }
    }

    /// ffmpeg's filter for a part of the input at a size.
    func shown(_ part: Part, _ width: Int, _ height: Int) -> String {
        // Scaled as a whole first: crops are whole pixels.
        let whole = (Double(width) / part.width, Double(height) / part.height)
        return
            "scale=\(Int(whole.0.rounded())):\(Int(whole.1.rounded())):flags=bicubic,crop=\(width):\(height):"
            + "\(Int((part.x * whole.0).rounded())):\(Int((part.y * whole.1).rounded())):exact=1"
    }

    /// Returns ffmpeg's mean PSNR of frames of an output, beside those that a filter makes of the input.
    func likeness(_ output: String, _ filter: String, _ range: Range<Int>) throws -> Double {
        let trim = "trim=start_frame=\(range.lowerBound):end_frame=\(range.upperBound),setpts=N/25/TB"
        let log = try ffmpeg([
            "-i", input, "-i", scratch.path(output), "-lavfi",
            "[0]\(trim)[in];\(filter);[1]\(trim)[got];[want][got]psnr", "-f", "null", "-",
        ])
        let average = try #require(log.components(separatedBy: "average:").last?.split(separator: " ").first)
        return average == "inf" ? 100 : try #require(Double(average))
    }
}
