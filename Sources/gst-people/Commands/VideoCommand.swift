import CommandKit

/// `gst-people video IN OUT`: something else behind the people of videos.
struct VideoCommand: Command {
    static let name = "video"
    static let summary = "put something else behind the people of videos"
    static let arguments = "IN OUT | IN... DIR"
    static let details = """
        IN is whatever GStreamer reads. OUT ends in .mp4, .mov, .mkv (H.264) or .webm (VP9),
        and in .mov (ProRes 4444) with --transparent. Audio passes through untouched where
        OUT's kind of file can hold it.

        Videos of high dynamic range (HDR10, HLG) stay so, with 10 bits: HEVC Main 10, in .webm
        VP9 profile 2. --bits=10 writes others that way, too.

        A folder as IN means its videos, without those of folders inside.

        With DIR, each video keeps its name (.mp4 when it is none of these kinds), those that
        are there already are skipped, and one that fails does not stop the others.

        A video of more than 90 seconds is made in segments, which are kept in OUT.segments until
        it is whole: the same command goes on after an interruption.

        With --keep-at only one person is kept, and followed. Before T nobody is shown; when
        nobody is at that place at T, no video is made.

        Black is behind the people unless an option says otherwise. OUT appears when it is
        whole; until then it is OUT.part.
        """
    static var options: [Option<Self>] {
        let table =
            VideoOptions.table(quality: "balanced") + VideoRange.options.map { $0.inside(\.range) }
            + SegmentOptions.options.map { $0.inside(\.segments) }
        return table.map { $0.inside(\.settings) } + [
            Option(
                "bits", .word(BitDepth.allCases.map(\.rawValue)),
                "of each sample; 8 unless the video has high dynamic range, which needs 10"
            ) { (command: inout Self, text: String) throws(ToolError) in
                guard let depth = BitDepth(rawValue: text) else {
                    throw .usage("--bits is 8 or 10, not \(text)")
                }
                command.settings.depth = depth
            },
            Option(
                "keep-at", .text("X,Y@T"),
                "keep the person at a place in shares of the upright frame at a time in seconds, such as 0.4,0.5@2"
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
