import CommandKit

/// The part of a film that is made, in nanoseconds of its stream time.
struct FilmRange: Equatable {
    var start: UInt64 = 0
    /// The first moment that is left out; nil for the end of the film.
    var end: UInt64?

    var isWhole: Bool { self == FilmRange() }

    /// How much of a film of some length lies inside.
    func length(of film: UInt64) -> UInt64 {
        let end = min(end ?? film, film)
        return end > start ? end - start : 0
    }
}

extension FilmRange {
    static var options: [Option<FilmRange>] {
        [
            Option("start", .text("T"), "begin there: seconds or h:mm:ss") {
                (range: inout FilmRange, text: String) throws(ToolError) in
                range.start = try nanoseconds(text, of: "start")
            },
            Option("end", .text("T"), "end before that time of the film") {
                (range: inout FilmRange, text: String) throws(ToolError) in
                range.end = try nanoseconds(text, of: "end")
            },
        ]
    }

    /// Which frame of a video a picture is.
    static var frameOption: Option<FilmRange> {
        Option(
            "start", .text("T"),
            "of a video, the frame at that time: seconds or h:mm:ss; the first unless given"
        ) {
            (range: inout FilmRange, text: String) throws(ToolError) in
            range.start = try nanoseconds(text, of: "start")
        }
    }

    private static func nanoseconds(_ text: String, of name: String) throws(ToolError) -> UInt64 {
        UInt64((try seconds(text, of: name) * 1e9).rounded())
    }
}
