import CommandKit

/// The part of a film that is made, in nanoseconds since its beginning.
struct FilmRange: Equatable {
    var start: UInt64 = 0
    /// The first moment that is left out; nil for the end of the film.
    var end: UInt64?

    /// Two times that differ by less, in nanoseconds, are of one frame: containers round.
    static let tolerance: UInt64 = 500_000

    var isWhole: Bool { self == FilmRange() }

    /// How much of a film of some length lies inside.
    func length(of film: UInt64) -> UInt64 {
        let end = min(end ?? film, film)
        return end > start ? end - start : 0
    }

    /// Whether a frame that begins at a time is left out, and all later ones.
    func isBehind(_ time: UInt64) -> Bool { end.map { time + Self.tolerance >= $0 } ?? false }

    /// When a frame is shown; nil where it is over before the start.
    func clip(_ shown: Range<UInt64>) -> Range<UInt64>? {
        if shown.lowerBound >= start { return shown.clamped(to: start..<max(start, end ?? .max)) }
        return shown.upperBound > start + Self.tolerance
            ? shown.clamped(to: start..<max(start, end ?? .max)) : nil
    }
}

extension FilmRange {
    static var options: [Option<FilmRange>] {
        [
            Option("start", .text("T"), "start at this time: seconds or h:mm:ss") {
                (range: inout FilmRange, text: String) throws(ToolError) in
                range.start = try nanoseconds(text, of: "start")
            },
            Option("end", .text("T"), "end before this time: seconds or h:mm:ss") {
                (range: inout FilmRange, text: String) throws(ToolError) in
                range.end = try nanoseconds(text, of: "end")
            },
        ]
    }

    /// Which frame of a video a picture is.
    static var frameOption: Option<FilmRange> {
        Option(
            "start", .text("T"),
            "of a video, take the frame at this time: seconds or h:mm:ss (default: the first)"
        ) {
            (range: inout FilmRange, text: String) throws(ToolError) in
            range.start = try nanoseconds(text, of: "start")
        }
    }

    private static func nanoseconds(_ text: String, of name: String) throws(ToolError) -> UInt64 {
        UInt64((try seconds(text, of: name) * 1e9).rounded())
    }
}
