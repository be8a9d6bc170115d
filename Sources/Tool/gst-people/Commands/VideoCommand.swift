import CommandKit
import MediaFiles

/// `gst-people video IN OUT`: a new background behind the people of videos.
struct VideoCommand: Command {
    static let name = "video"
    static let summary = "replace the background in videos"
    static let arguments = "IN OUT | IN... DIR"
    static let details = """
        IN is any file that ffmpeg reads. OUT ends in .mp4, .mov, .mkv (H.264), .webm (VP9), or,
        without audio, in .apng, .gif or .y4m; with --transparent in .mov (ProRes 4444), .webm or
        .apng.

        IN can also be - (standard input), an address (https://...; of a file, or of an HLS or
        DASH playlist), or an image sequence (frames/%05d.png). It is read to its end first, into a
        temporary file in $TMPDIR or /var/tmp; of a live stream, up to --end. OUT can also be -
        (standard output) or an image sequence (out/%05d.png or .jpg, from 1 on). Both
        are written when the video is complete.

        High dynamic range (HDR10, HLG) is kept, with 10 bits per sample: as HEVC Main 10, in .webm
        as VP9 profile 2.

        If IN is a folder, its videos are processed, without those of subfolders. With DIR, each
        video keeps its name (with .mp4 if it has another ending than these).

        Outputs in DIR that exist already are skipped. A file that fails does not stop the others.

        A video of more than 90 seconds is processed in segments, which are kept in OUT.segments
        until OUT is complete. After an interruption the same command continues.

        With --keep-at only one person is kept and followed. Before the time T nobody is shown. If
        nobody is at that point at T, no video is written.

        With --framing the picture follows the people, and with --reframe it has another shape:
        each scene is framed as a whole, in a first pass. The background is kept then unless an
        option says otherwise.

        The background is black unless an option says otherwise; with --heads alone it is kept. Of a
        person whose head is not found, everything is hidden.

        OUT appears when it is complete; until then it is OUT.part.
        """
    static var options: [Option<Self>] {
        let table =
            VideoOptions.table(quality: "balanced").filter { $0.name != "preset" }
            + [VideoOptions.presetOption] + EncodingOptions.options.map { $0.inside(\.encoding) }
            + VideoRange.options.map { $0.inside(\.range) }
            + SegmentOptions.options.map { $0.inside(\.segments) }
            + FramingOptions.options.map { $0.inside(\.framing) }
        return table.map { $0.inside(\.settings) } + [
            Option(
                "bits", .word(BitDepth.allCases.map(\.rawValue)),
                "bits per sample (default: 8, or 10 for high dynamic range)"
            ) { (command: inout Self, text: String) throws(ToolError) in
                guard let depth = BitDepth(rawValue: text) else {
                    throw .usage("--bits is 8 or 10, not \(text)")
                }
                command.settings.depth = depth
            },
            Option(
                "rate", .text("N"), "of an image sequence, images per second (default: 25)"
            ) { (command: inout Self, text: String) throws(ToolError) in
                guard let rate = Rational(text) ?? Rational("\(text)/1") else {
                    throw .usage("--rate is a number or a fraction such as 30000/1001, not \(text)")
                }
                command.settings.sequenceRate = rate
            },
            Option(
                "format", .word(["mkv", "webm", "y4m"]), "kind of video on the standard output (default: mkv)"
            ) { (command: inout Self, text: String) throws(ToolError) in
                guard let format = Container(rawValue: text), [.mkv, .webm, .y4m].contains(format) else {
                    throw .usage("--format is mkv, webm or y4m, not \(text)")
                }
                command.settings.streamFormat = format
            },
            Option(
                "keep-at", .text("X,Y@T"),
                "keep only the person at this point of the upright frame at this time in seconds, such as 0.4,0.5@2"
            ) { (command: inout Self, text: String) throws(ToolError) in
                command.settings.keptPerson = try KeptPerson(text)
            },
        ]
    }

    private(set) var settings = VideoOptions(isPhoto: false, quality: "balanced")

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        try makeFiles(arguments, settings, of: Self.name)
    }
}
