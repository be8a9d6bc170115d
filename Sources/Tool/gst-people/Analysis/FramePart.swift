import CommandKit
import GStreamerKit

/// The part of a video that is read, and the choice of its frames for a list.
struct FramePart {
    var range = VideoRange()
    /// Nanoseconds between the times whose frames are listed; nil for all frames.
    private(set) var interval: UInt64?
    /// Whether a damaged input is accepted, of which only a part can be read.
    var acceptsDamage = false

    private var isWhole: Bool { range.isWhole && interval == nil }

    /// Throws if times are given for a picture, which has none.
    func checkPicture(_ path: String) throws(ToolError) {
        guard isWhole else { throw .usage("\(path) is an image; --start, --end and --every are for videos") }
    }

    /// Returns the share of the part that lies before a frame, 0 to 1; nil where times are not known.
    ///
    /// - Parameter length: length of the video in nanoseconds; 0 if unknown.
    func share(before frame: Frame, of length: UInt64) -> Double? {
        let whole = range.length(of: length)
        guard whole > 0, let time = frame.streamTime, time >= range.start else { return nil }
        return min(1, Double(time - range.start) / Double(whole))
    }
}

extension FramePart {
    /// The options of commands that read all frames of a part.
    static var options: [Option<FramePart>] {
        VideoRange.options.map { $0.inside(\.range) } + [damagedOption]
    }

    /// The options of commands that print lines.
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
            // Shorter than any frame, and longer than any video.
            part.interval = UInt64((try number(text, in: 0.001...1e9, of: "every") * 1e9).rounded())
        }
    }

    /// The paragraph about these options in the help of commands that print lines.
    static let details = """
        Times are counted from the beginning of the file, ids from --start. With --every=2, lines
        are printed for the frames that are shown at the start and 2, 4, 6 and so on seconds after
        it, each with the time at which its frame begins. The frames between are analysed too.
        """
}

/// Picks the frames of a video that are shown at given times.
struct FrameSampling {
    /// A frame with its number in the video, from 1 on.
    typealias Picked = (frame: Frame, number: Int)

    private let range: VideoRange
    /// Nanoseconds between two times; nil to pick all frames.
    private let interval: UInt64?
    /// The last frame, whose duration is not known yet, and its time in nanoseconds.
    private var waiting: (picked: Picked, time: UInt64)?

    init(_ part: FramePart) { (range, interval) = (part.range, part.interval) }

    /// Adds the next frame.
    ///
    /// - Returns: the frame that is picked now, which is this one or the one before.
    mutating func add(_ frame: Frame, number: Int) -> Picked? {
        guard interval != nil else { return (frame, number) }
        let time = frame.streamTime ?? 0
        // The first frame also counts for the start, if the sound begins before the picture.
        defer { waiting = ((frame, number), waiting == nil ? 0 : time) }
        return picked(until: time)
    }

    /// Returns the last frame, if it is picked and has not been returned yet.
    ///
    /// - Parameter end: time of the video's end in nanoseconds; 0 if unknown.
    func last(_ end: UInt64) -> Picked? {
        let (shortest, isTooLate) = (waiting?.picked.frame.streamTime ?? 0)
            .addingReportingOverflow(2 * VideoRange.tolerance)
        return picked(until: min(isTooLate ? .max : max(end, shortest), range.end ?? .max))
    }

    private func picked(until end: UInt64) -> Picked? {
        waiting.flatMap { isShown($0.time, until: end) ? $0.picked : nil }
    }

    /// Whether a frame that is shown from one time to another is shown at one of the given times.
    private func isShown(_ time: UInt64, until end: UInt64) -> Bool {
        guard let interval else { return true }
        guard !VideoRange.reaches(range.start, time) else { return !VideoRange.reaches(range.start, end) }
        let elapsed = time - range.start - VideoRange.tolerance
        let rest = elapsed % interval
        let (moment, isTooLate) = (time - VideoRange.tolerance)
            .addingReportingOverflow(rest == 0 ? 0 : interval - rest)
        return !isTooLate && !VideoRange.reaches(moment, end)
    }
}
