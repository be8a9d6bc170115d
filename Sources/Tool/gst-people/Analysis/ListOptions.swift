import CommandKit

/// The options of all commands that list findings.
struct ListOptions {
    /// A format of lists.
    enum Format: String, CaseIterable { case jsonl, csv, coco, parquet }

    var part = FramePart()
    fileprivate(set) var format = Format.jsonl

    static var options: [Option<ListOptions>] {
        [
            .choice(
                "format", "lines of JSON, a table, or keypoints as COCO has them (default: jsonl)", \.format)
        ] + FramePart.listOptions.map { $0.inside(\.part) }
    }

    /// The paragraphs about these options in the help.
    static let details = """
        IN is a video or an image. Several are listed one after the other, and those of folders in
        the order of their names. Lines of JSON have the field file then. A file that fails does
        not stop the others (status 1).

        With --format=csv, the output is a table with a row for each finding and the columns file,
        frame (counted from 1), timestamp, frame_width and frame_height before those of the finding.
        --format=parquet writes the same table through pyarrow. --format=coco writes COCO's JSON of
        keypoints in pixels, with an image for each frame.

        \(FramePart.details)
        """
}
