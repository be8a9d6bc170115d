import CommandKit
import MediaFiles

/// The part of a video that is made, in nanoseconds since its beginning.
struct VideoRange: Equatable {
    var start: UInt64 = 0
    /// The first moment that is left out; nil for the end of the video.
    var end: UInt64?

    /// Two times that differ by less, in nanoseconds, are of one frame: containers round.
    static let tolerance: UInt64 = 500_000

    /// Whether a time is at another one or later, or earlier by no more than containers round.
    static func reaches(_ time: UInt64, _ other: UInt64) -> Bool {
        time >= other || other - time <= tolerance
    }

    var isWhole: Bool { self == VideoRange() }

    /// Returns the length that lies inside of a video of some length.
    func length(of video: UInt64) -> UInt64 {
        let end = min(end ?? video, video)
        return end > start ? end - start : 0
    }

    /// Whether a frame that begins at a time is left out, and all later ones.
    func isBehind(_ time: UInt64) -> Bool { end.map { Self.reaches(time, $0) } ?? false }

    /// Returns the part of a frame's time that lies in the range; nil for a frame that ends before the start.
    func clip(_ shown: Range<UInt64>) -> Range<UInt64>? {
        if shown.lowerBound >= start { return shown.clamped(to: start..<max(start, end ?? .max)) }
        return Self.reaches(start, shown.upperBound)
            ? nil : shown.clamped(to: start..<max(start, end ?? .max))
    }
}

extension VideoRange {
    static var options: [Option<VideoRange>] {
        [
            Option("start", .text("T"), "start at this time: seconds or h:mm:ss") {
                (range: inout VideoRange, text: String) throws(ToolError) in
                range.start = try nanoseconds(text, of: "start")
            },
            Option("end", .text("T"), "end before this time: seconds or h:mm:ss") {
                (range: inout VideoRange, text: String) throws(ToolError) in
                range.end = try nanoseconds(text, of: "end")
            },
        ]
    }

    /// The option that chooses the frame of a video for an image.
    static var frameOption: Option<VideoRange> {
        Option(
            "start", .text("T"),
            "of a video, take the frame at this time: seconds or h:mm:ss (default: the first)"
        ) {
            (range: inout VideoRange, text: String) throws(ToolError) in
            range.start = try nanoseconds(text, of: "start")
        }
    }

    private static func nanoseconds(_ text: String, of name: String) throws(ToolError) -> UInt64 {
        UInt64((try seconds(text, of: name) * 1e9).rounded())
    }
}

/// Frames of a video that are composed, by their times in nanoseconds from the beginning of the file.
struct FrameSelection: Equatable, Sendable {
    /// Time of the first frame that is analysed.
    var warmUp: UInt64
    /// Time of the first frame that is shown.
    var first: UInt64
    /// Time at which the output begins; the first frame may have been shown before.
    var origin: UInt64
    /// Time of the first frame that is left out; nil for the end of the video.
    var end: UInt64?
    /// Times of all frames that are shown; nil where they are unknown before the file is decoded.
    var expected: [UInt64]?

    /// Frames of a range: the one that is shown at its start, and those up to its end.
    init(_ range: VideoRange, of input: VideoInput) {
        (origin, end) = (range.start, range.end)
        guard input.hasExactTimes else {
            (warmUp, first) = (range.start, range.start)
            return
        }
        let times = input.frameTimes
        let begin = times.last { VideoRange.reaches(range.start, $0) } ?? 0
        (warmUp, first) = (begin, begin)
        expected = times.filter { $0 >= begin && !range.isBehind($0) }
    }

    /// Frames of a segment of a video.
    init(_ segment: VideoSegment, of plan: VideoPlan) {
        (warmUp, first, end) = (segment.warmUp, segment.start, segment.end)
        origin = plan.selection.origin
        expected = plan.selection.expected?.filter { $0 >= segment.start && $0 < segment.end ?? .max }
    }

    /// Returns the time at which decoding begins, in nanoseconds of the file, so that the first frame is decoded; 0 for the beginning.
    ///
    /// Frames that follow a key frame in the file and are shown before it cannot be decoded where decoding begins with it
    /// (open groups of pictures). They are shown at most 16 frames before (ITU-T H.264, A.3.1, and H.265, A.4.2).
    func decodingStart(of input: VideoInput) -> UInt64 {
        guard input.hasExactTimes else { return 0 }
        let before = input.frameTimes.prefix { $0 < warmUp }
        guard before.count > Self.reorderedFrames else { return 0 }
        let latest = before[before.count - Self.reorderedFrames - 1]
        return input.keyTimes.last { $0 <= latest } ?? 0
    }

    private static let reorderedFrames = 17

    /// Time of a frame in the output, which begins at the origin, in ticks of the input.
    func outputTicks(of time: UInt64, in input: VideoInput) -> Int {
        max(0, input.ticks(max(time, origin)) - input.ticks(origin))
    }
}

extension FrameSelection {
    /// Throws where a frame is shown for longer than the container can say.
    ///
    /// MP4 and QuickTime count how long a frame is shown in 32 bits (ISO/IEC 14496-12, 8.6.1.2), of which ffmpeg uses 31.
    func checkGaps(_ job: Job, _ container: Container, _ input: VideoInput) throws(ToolError) {
        guard container.hasTrackTimescale, let times = expected else { return }
        let longest = UInt64(Int(Int32.max).rescaled(from: input.unit, to: .nanosecond))
        for (time, next) in zip(times, times.dropFirst()) where next - time > longest {
            let seconds = { (time: UInt64) in (Double(time) / 1e9).text(decimals: 0) }
            throw ToolError(
                .output,
                "\(job.outputName) cannot be written: the frame at \(seconds(time)) s of \(job.inputName) is shown for "
                    + "\(seconds(next - time)) s, and .\(container.rawValue) holds at most \(seconds(longest)) s. "
                    + "Choose a name that ends in .mkv, or a part with --start and --end.")
        }
    }
}
