import CommandKit

/// `gst-people bodies IN`: the people of each frame and their joints as JSON.
struct BodiesCommand: Command {
    static let name = "bodies"
    static let summary = "print the people of a video or image, with joints, as JSON: one line per frame"
    static let arguments = "IN"
    static let details = """
        Each line has the frame's timestamp in seconds, as a player shows it, and the list bodies:
        boxes and joints as fractions of the upright frame. The first line also has the units.

        \(FramePart.details)
        """
    static var options: [Option<Self>] {
        [
            .flag("pose-3d", "add 17 joints in metres", \.hasPose3D),
            .flag("whole-body", "boxes of the whole body instead of the upper body", \.hasWholeBoxes),
            .number(
                "field-of-view", "DEGREES", in: 0...150,
                "vertical field of view of the camera; 0 = unknown", \.fieldOfView),
            .number(
                "body-height", "METRES", in: 0.3...2.5,
                "height of the people, for --pose-3d (default: 1.8)", \.bodyHeight),
            .integer(
                "max-people", "N", in: 1...16, "maximum number of people (default: 4)", \.maximumPeople),
        ] + FramePart.listOptions.map { $0.inside(\.part) }
    }

    private var part = FramePart()
    private var hasPose3D = false
    private var hasWholeBoxes = false
    private var fieldOfView = 0.0
    private var bodyHeight = 1.8
    private var maximumPeople = 4

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        try Self.listing.run(
            arguments, part,
            [
                ("pose-3d", "\(hasPose3D)"), ("upper-body-only", "\(!hasWholeBoxes)"),
                ("field-of-view", "\(fieldOfView)"), ("body-height", "\(bodyHeight)"),
                ("max-people", "\(maximumPeople)"),
            ])
    }

    private static var listing: AnalysisListing {
        AnalysisListing(
            element: "bodypose", meta: "GstPeopleBodies", list: "bodies", pointLists: [],
            units: AnalysisListing.boxUnits + [
                ("joints", .string("frame width, frame height, confidence")), ("joints-3d", .string("m")),
                ("camera-position", .string("m")), ("body-height", .string("m")),
            ])
    }
}
