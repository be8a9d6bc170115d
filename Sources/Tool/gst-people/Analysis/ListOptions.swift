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

        Each line of JSON has the frame's timestamp in seconds, as a player shows it, and a list
        that is named as the command. Places are fractions of the upright frame, angles are in
        radians. The first line also has the units.

        With --format=csv, the output is a table with a row for each finding. --format=parquet
        writes it through pyarrow. --format=coco writes COCO's JSON of keypoints in pixels.

        \(FramePart.details)
        """
}
