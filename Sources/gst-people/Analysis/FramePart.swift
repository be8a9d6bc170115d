import CommandKit

/// The frames of a video that are read, and those of them that a list has.
struct FramePart {
    var range = VideoRange()
    /// Nanoseconds between the moments whose frames are listed; nil for all frames.
    private(set) var interval: UInt64?
    /// Whether what can be read of a damaged input is enough.
    var acceptsDamage = false

    private var isWhole: Bool { range.isWhole && interval == nil }

    /// Throws when times are given of a picture, which has none.
    func checkPicture(_ path: String) throws(ToolError) {
        guard isWhole else { throw .usage("\(path) is an image; --start, --end and --every are for videos") }
    }
}

extension FramePart {
    /// Options of commands that read all frames of a part.
    static var options: [Option<FramePart>] {
        VideoRange.options.map { $0.inside(\.range) } + [damagedOption]
    }

    /// Options of commands that print lines.
    static var listOptions: [Option<FramePart>] {
        VideoRange.options.map { $0.inside(\.range) } + [everyOption, damagedOption]
    }

    private static var damagedOption: Option<FramePart> {
        .flag("damaged", "read what can be read of a damaged or truncated video", \.acceptsDamage)
    }

    private static var everyOption: Option<FramePart> {
        Option(
            "every", .text("SECONDS"),
            "a line only for the frame at the start, and then every so many seconds"
        ) { (part: inout FramePart, text: String) throws(ToolError) in
            // Shorter than any frame is shown, and longer than any video.
            part.interval = UInt64((try number(text, in: 0.001...1e9, of: "every") * 1e9).rounded())
        }
    }

    /// The paragraph about these options in the help of commands that print lines.
    static let details = """
        Times are counted from the beginning of the file. With --start, the analysis begins with
        the frame that is shown then, and ids are counted from there. With --every=2, lines are
        printed for the frames that are shown at the start and 2, 4, 6 and so on seconds after it,
        each with the time at which its frame begins. The frames between are analysed too: the
        lines are the same as without --every.
        """
}
