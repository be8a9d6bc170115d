import CommandKit

/// `gst-people hands IN`: the hands of each frame and their joints as JSON.
struct HandsCommand: Command {
    static let name = "hands"
    static let summary = "print the hands of a video or image, with joints, as JSON: one line per frame"
    static let arguments = "IN"
    static let details = """
        Each line has the frame's timestamp in seconds, as a player shows it, and the list hands:
        boxes and joints as fractions of the upright frame. The first line also has the units.

        \(FramePart.details)
        """
    static var options: [Option<Self>] {
        [
            .flag("pose-3d", "add the joints in metres", \.hasPose3D),
            .integer(
                "max-hands", "N", in: 1...16, "maximum number of hands (default: 2)", \.maximumHands),
        ] + FramePart.listOptions.map { $0.inside(\.part) }
    }

    private var part = FramePart()
    private var hasPose3D = false
    private var maximumHands = 2

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        try Self.listing.run(
            arguments, part, [("pose-3d", "\(hasPose3D)"), ("max-hands", "\(maximumHands)")])
    }

    private static var listing: AnalysisListing {
        AnalysisListing(
            element: "handpose", meta: "GstPeopleHands", list: "hands", pointLists: [],
            units: AnalysisListing.boxUnits + [
                ("joints", .string("frame width, frame height, confidence")), ("joints-3d", .string("m")),
            ])
    }
}
