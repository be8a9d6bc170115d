import CommandKit

/// `gst-people hands IN...`: the hands of each frame and their joints.
struct HandsCommand: Command {
    static let name = "hands"
    static let summary = "list the hands of videos and images, with joints, as JSON or a table"
    static let arguments = "IN..."
    static let details = """
        \(ListOptions.details)
        """
    static var options: [Option<Self>] {
        [
            .flag("pose-3d", "add the joints in metres", \.hasPose3D),
            .integer(
                "max-hands", "N", in: 1...16, "maximum number of hands (default: 2)", \.maximumHands),
        ] + ListOptions.options.map { $0.inside(\.list) }
    }

    private var list = ListOptions()
    private var hasPose3D = false
    private var maximumHands = 2

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        try listing.run(arguments, list)
    }

    private var listing: AnalysisListing {
        AnalysisListing(
            name: Self.name, elements: "handpose name=handpose",
            properties: [
                ("handpose", "pose-3d", "\(hasPose3D)"), ("handpose", "max-hands", "\(maximumHands)"),
            ],
            units: AnalysisListing.boxUnits + [
                ("joints", .string("frame width, frame height, confidence")), ("joints-3d", .string("m")),
            ],
            columns: FindingColumns.hand(hasPose3D: hasPose3D), categories: [.hand],
            findings: AnalysisListing.reading("hands", of: "GstPeopleHands"))
    }
}
