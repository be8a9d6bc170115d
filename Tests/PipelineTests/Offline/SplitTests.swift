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

    private let scratch: Scratch
    private let input: String

    init() throws {
        scratch = try Scratch()
        input = scratch.path("in.mp4")
        let wall = { (color: String) in
            "color=\(color):s=\(Self.size.width)x\(Self.size.height):r=\(Self.frames):d=1"
        }
        try ffmpeg([
            "-loop", "1", "-framerate", "\(Self.frames)", "-t", "1", "-i", Checkout.astronaut.path,
            "-filter_complex",
            "[0]split=3[a][b][c];[a]scale=200:200[a1];[b]scale=200:200[b1];[c]scale=360:360[c1];"
                + "\(wall("0x808080"))[w];[w][a1]overlay=10:80[s];[s][b1]overlay=430:80[one];"
                + "\(wall("0xb0c0e0"))[v];[v][c1]overlay=0:0[two];[one][two]concat=n=2,format=yuv420p[out]",
            "-map", "[out]", "-crf", "8", input,
        ])
    }

    @discardableResult
    private func ffmpeg(_ words: [String]) throws -> String {
        let run = try Subprocess.run("ffmpeg", ["-hide_banner", "-y"] + words)
        guard run.status == 0 else { throw SetupFailure(run.output) }
        return run.output
    }

    private func run(_ output: String, _ options: [String]) throws {
        let words = ["video", input, scratch.path(output), "--quality=fast", "--crf=8", "--reframe=9:16"]
        let result = try Subprocess.run(Tool.path, words + options)
        #expect(result.status == 0, "\(result.output)")
    }

    private typealias Part = (x: Double, y: Double, width: Double, height: Double)

    private func plan(_ name: String) throws -> [(part: Part, other: Part?)] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))
        let document = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        func part(_ fields: [String: Any]) throws -> Part {
            let numbers = try ["x", "y", "width", "height"].map { try #require(fields[$0] as? Double) }
            return (numbers[0], numbers[1], numbers[2], numbers[3])
        }
        return try #require(document["frames"] as? [[String: Any]]).map {
            (try part($0), try ($0["other"] as? [String: Any]).map(part))
        }
    }

    /// ffmpeg's filter for a part of the input at a size.
    private func shown(_ part: Part, _ width: Int, _ height: Int) -> String {
        // Scaled as a whole first: crops are whole pixels.
        let whole = (Double(width) / part.width, Double(height) / part.height)
        return
            "scale=\(Int(whole.0.rounded())):\(Int(whole.1.rounded())):flags=bicubic,crop=\(width):\(height):"
            + "\(Int((part.x * whole.0).rounded())):\(Int((part.y * whole.1).rounded())):exact=1"
    }

    /// Returns ffmpeg's mean PSNR of frames of an output, beside those that a filter makes of the input.
    private func likeness(_ output: String, _ filter: String, _ range: Range<Int>) throws -> Double {
        let trim = "trim=start_frame=\(range.lowerBound):end_frame=\(range.upperBound),setpts=N/25/TB"
        let log = try ffmpeg([
            "-i", input, "-i", scratch.path(output), "-lavfi",
            "[0]\(trim)[in];\(filter);[1]\(trim)[got];[want][got]psnr", "-f", "null", "-",
        ])
        let average = try #require(log.components(separatedBy: "average:").last?.split(separator: " ").first)
        return average == "inf" ? 100 : try #require(Double(average))
    }

    @Test func eachOfTwoHasAHalf() throws {
        try run("out.mp4", ["--layout=split", "--save-plan=\(scratch.path("plan.json"))"])
        let parts = try plan("plan.json")
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
        func stacked(_ first: Part, _ second: Part) -> String {
            "[in]split[a][b];[a]\(shown(first, 202, 180))[u];[b]\(shown(second, 202, 180))[l];[u][l]vstack[want]"
        }
        let likeness = try likeness("out.mp4", stacked(upper, lower), 0..<Self.frames)
        let swapped = try self.likeness("out.mp4", stacked(lower, upper), 0..<Self.frames)
        #expect(likeness > 27 && swapped < likeness - 6, "\(likeness) \(swapped)")
        let single = try self.likeness(
            "out.mp4", "[in]\(shown(parts[Self.frames].part, 202, 360))[want]",
            Self.frames..<(2 * Self.frames))
        #expect(single > 27, "\(single)")
    }

    /// A plan holds both parts, also after somebody has exchanged them.
    @Test func aPlanHoldsBothParts() throws {
        let path = scratch.path("plan.json")
        try run("out.mp4", ["--layout=split", "--save-plan=\(path)"])
        try run("again.mp4", ["--from-plan=\(path)"])
        let hash = { ["-v", "error", "-i", scratch.path($0), "-map", "0:v", "-f", "md5", "-"] }
        #expect(try ffmpeg(hash("again.mp4")) == ffmpeg(hash("out.mp4")))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let broken = try scratch.file(
            "broken.json",
            Data(text.replacingOccurrences(of: "\"other\": {\"x\"", with: "\"other\": {\"z\"").utf8))
        let result = try Subprocess.run(
            Tool.path, ["video", input, scratch.path("b.mp4"), "--reframe=9:16", "--from-plan=\(broken)"])
        #expect(result.status == 3, "\(result.output)")
    }

    /// A background is behind the people of both halves: above the heads nothing of the room is left.
    @Test(arguments: [0, 180]) func aBackgroundIsBehindBoth(_ top: Int) throws {
        try run("out.mkv", ["--layout=split", "--color=00ff00"])
        let colors = try ffmpeg([
            "-v", "error", "-i", scratch.path("out.mkv"), "-vf",
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
        let result = try Subprocess.run(Tool.path, ["video", input, scratch.path("o.mp4"), "--layout=split"])
        #expect(result.status == 2, "\(result.output)")
    }
}
