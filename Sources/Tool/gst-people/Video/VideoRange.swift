import CommandKit

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
